package acp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// MessageType tells messages apart.
type MessageType string

// The types of messages.
const (
	isError   MessageType = "error"
	isWarning MessageType = "warning"
	isInfo    MessageType = "info"
)

// Resolution says who can mend something.
type Resolution string

// The resolutions: the agent, or the buyer.
const (
	ByAgent      Resolution = "recoverable"
	ByBuyerInput Resolution = "requires_buyer_input"
)

// Message tells an agent something about a session or cart (MessageInfo,
// MessageWarning, MessageError).
type Message struct {
	Type MessageType `json:"type"`
	// Code stands on errors and warnings.
	Code       string     `json:"code,omitempty"`
	Resolution Resolution `json:"resolution,omitempty"`
	// Param is a JSONPath (RFC 9535) into the answer.
	Param       string `json:"param,omitempty"`
	ContentType string `json:"content_type"`
	Content     string `json:"content"`
}

// paymentDeclined is the code of a payment that did not go through, paymentParam
// where what is wrong with a payment stands.
const (
	paymentDeclined = "payment_declined"
	paymentParam    = "$.payment_data"
)

func info(param, text string) Message {
	return Message{Type: isInfo, Param: param, ContentType: "plain", Content: text}
}

func unsupported(param, text string) Message {
	return Message{Type: isError, Code: "unsupported", Resolution: ByAgent, Param: param, ContentType: "plain", Content: text}
}

// messagesOf turns what a basket has to tell into messages: errors for what stands
// between it and an order, warnings and infos for what is otherwise than asked.
func messagesOf(b *basket.Basket) []Message {
	var out []Message
	for _, issue := range b.Blockers {
		out = append(out, Message{
			Type: isError, Code: errorCode(issue.Code), Resolution: resolutionOf(issue),
			Param: paramOf(b, issue), ContentType: "plain", Content: contentOf(issue),
		})
	}
	for _, issue := range b.Warnings {
		m := Message{Type: isWarning, Code: warningCode(issue.Code), Param: paramOf(b, issue), ContentType: "plain", Content: contentOf(issue)}
		switch issue.Code {
		case basket.AlreadyCompleted, basket.AlreadyCanceled, basket.StillCompleting:
			m.Type, m.Code = isError, "conflict"
		}
		if m.Code == "" {
			m.Type = isInfo
		}
		out = append(out, m)
	}
	return append(out, figuresOf(b)...)
}

// figuresOf says how to read the figures of a basket.
func figuresOf(b *basket.Basket) []Message {
	var out []Message
	o := &b.Observed
	if b.State == basket.Open && (o.Estimated || b.Wanted.Destination == "" && slices.Contains(o.Missing, upstream.MissingAddress)) {
		out = append(out, info("$.totals", "Totals are estimates until the address and the way of delivery are known."))
	}
	if o.Tax == upstream.TaxIncluded && o.TaxTotal != nil && o.TaxTotal.Minor > 0 {
		out = append(out, info("$.totals", "The total includes "+o.TaxTotal.Display()+" of tax."))
	}
	if b.Order != nil && b.Order.Test {
		out = append(out, info("", "This is a test order of a sandbox key; the shop knows nothing of it."))
	}
	return out
}

// errorCode is the code of an issue that is told as an error.
func errorCode(code basket.IssueCode) string {
	switch code {
	case basket.Missing:
		return "missing"
	case basket.NotFound:
		return "not_found"
	case basket.OutOfStock:
		return "out_of_stock"
	case basket.NoDelivery:
		return "region_restricted"
	case basket.PriceChanged, basket.AlreadyCompleted, basket.AlreadyCanceled, basket.StillCompleting:
		return "conflict"
	case basket.PaymentDeclined:
		return paymentDeclined
	case basket.NotBuyable, basket.PaymentUnknown, basket.NotOrderable:
		return "unsupported"
	case basket.HandOff:
		return "intervention_required"
	}
	return "invalid"
}

// warningCode is the code of an issue that is told as a warning, empty for one that
// the protocol has no warning for.
func warningCode(code basket.IssueCode) string {
	switch code {
	case basket.QuantityLowered:
		return "limited_availability"
	case basket.BasketRenewed:
		return "price_change"
	case basket.CodeUnknown:
		return "discount_code_invalid"
	case basket.CodeExpired:
		return "discount_code_expired"
	case basket.CodeNotMet:
		return "discount_code_minimum_not_met"
	case basket.CodeNotCombinable:
		return "discount_code_combination_disallowed"
	}
	return ""
}

// resolutionOf says who can mend a blocker, nothing where nobody can.
func resolutionOf(issue basket.Issue) Resolution {
	switch {
	case issue.ByBuyer:
		return ByBuyerInput
	case issue.Code == basket.NotOrderable:
		return ""
	}
	return ByAgent
}

// maxChoices bounds how many variants one message lists.
const maxChoices = 20

// contentOf is the text of an issue with the choices it leaves.
func contentOf(issue basket.Issue) string {
	if len(issue.Variants) == 0 {
		return issue.Text
	}
	var choices []string
	for _, v := range issue.Variants[:min(len(issue.Variants), maxChoices)] {
		text := v.Title
		if len(v.Options) > 0 {
			values := make([]string, len(v.Options))
			for i, choice := range v.Options {
				values[i] = choice.Value
			}
			text = strings.Join(values, " / ")
		}
		if !v.Availability.Buyable() {
			text += " (sold out)"
		}
		choices = append(choices, v.ID+" is "+text)
	}
	text := issue.Text + " Send one of these as the item's id: " + strings.Join(choices, "; ")
	if more := len(issue.Variants) - maxChoices; more > 0 {
		text += fmt.Sprintf("; and %d more", more)
	}
	return text + "."
}

// paramOf returns where in a session or cart an issue belongs.
func paramOf(b *basket.Basket, issue basket.Issue) string {
	const address = "$.fulfillment_details.address"
	switch issue.Field {
	case basket.FieldLine, basket.FieldQuantity:
		return lineParam(b, issue)
	case basket.FieldCode:
		return fmt.Sprintf("$.discounts.codes[%d]", issue.Index)
	case basket.FieldEmail:
		return "$.buyer.email"
	case basket.FieldFirstName:
		return "$.buyer.first_name"
	case basket.FieldLastName:
		return "$.buyer.last_name"
	case basket.FieldPhone:
		return "$.buyer.phone_number"
	case basket.FieldDestination:
		return address
	case basket.FieldStreet:
		return address + ".line_one"
	case basket.FieldCity:
		return address + ".city"
	case basket.FieldRegion:
		return address + ".state"
	case basket.FieldPostalCode:
		return address + ".postal_code"
	case basket.FieldDelivery:
		return "$.selected_fulfillment_options"
	case basket.FieldPayment:
		return paymentParam
	}
	return ""
}

// lineParam returns the place of a line in the answer, or that of all lines where
// the shop did not take it. Which item it is stands in the text.
func lineParam(b *basket.Basket, issue basket.Issue) string {
	if issue.Index >= len(b.Wanted.Lines) {
		return "$.line_items"
	}
	key := b.Wanted.Lines[issue.Index].ID
	at := slices.IndexFunc(linesOf(b), func(l LineItem) bool { return l.ID == key })
	switch {
	case at < 0:
		return "$.line_items"
	case issue.Field == basket.FieldQuantity:
		return fmt.Sprintf("$.line_items[%d].quantity", at)
	}
	return fmt.Sprintf("$.line_items[%d]", at)
}

// requestPath is where in a request a field of a basket stands.
func requestPath(bad *basket.Invalid) string {
	switch bad.Field {
	case basket.FieldQuantity:
		return fmt.Sprintf("$.line_items[%d].quantity", bad.Index)
	case basket.FieldLine:
		return "$.line_items"
	case basket.FieldCode:
		return "$.discounts.codes"
	case basket.FieldDestination:
		return "$.fulfillment_details"
	}
	return "$"
}
