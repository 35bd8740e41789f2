package mcp

import (
	"fmt"
	"slices"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// BasketMessage is something to tell about a basket.
type BasketMessage struct {
	// Type is error for what stands in the way of an order, warning for what is
	// otherwise than it was asked for, and info.
	Type string `json:"type" enum:"error,warning,info" doc:"error: stands in the way of an order. warning: is otherwise than it was asked for."`
	Code string `json:"code"`
	// Argument is the argument of create_basket and update_basket that mends it.
	Argument string `json:"argument,omitempty" doc:"What to send in update_basket to mend it."`
	Variant  string `json:"variant_id,omitempty" doc:"The item that it is about."`
	Content  string `json:"content" doc:"The same for people."`
	// MendedBy says who can mend an error.
	MendedBy string `json:"mended_by,omitempty" enum:"agent,buyer,merchant" doc:"Who can mend an error: you, by another call; the buyer, at continue_url; or the merchant alone."`
	// Choices are what there is to choose from.
	Choices []Variant `json:"choices,omitempty" doc:"The versions to choose from: send the id of one as variant_id."`
}

// The types of messages, and who can mend an error.
const (
	isError, isWarning, isInfo    = "error", "warning", "info"
	byAgent, byBuyer, byMerchant  = "agent", "buyer", "merchant"
	maxChoices                    = 20
	taxIncluded, testOrder, guess = "tax_included", "test_order", "estimated_totals"
)

// messagesOf says all that there is to tell of a basket.
func messagesOf(b *basket.Basket) []BasketMessage {
	out := []BasketMessage{}
	for _, issue := range b.Blockers {
		m := messageOf(b, issue, isError)
		m.MendedBy = byAgent
		switch {
		case issue.ByBuyer:
			m.MendedBy = byBuyer
		case issue.Code == basket.NotOrderable:
			m.MendedBy = byMerchant
		}
		out = append(out, m)
	}
	for _, issue := range b.Warnings {
		out = append(out, messageOf(b, issue, isWarning))
	}
	o := &b.Observed
	if estimated(b) {
		out = append(out, BasketMessage{Type: isInfo, Code: guess, Content: "Totals are estimates until the address and the way of delivery are known."})
	}
	if o.Tax == upstream.TaxIncluded && o.TaxTotal != nil && o.TaxTotal.Minor > 0 {
		out = append(out, BasketMessage{Type: isInfo, Code: taxIncluded, Content: "The total includes " + o.TaxTotal.Display() + " of tax."})
	}
	if b.Order != nil && b.Order.Test {
		out = append(out, testMessage())
	}
	return out
}

func testMessage() BasketMessage {
	return BasketMessage{Type: isInfo, Code: testOrder, Content: "This is a test order of a sandbox key; the shop knows nothing of it."}
}

// estimated reports whether a basket's figures may still change.
func estimated(b *basket.Basket) bool {
	o := &b.Observed
	return b.State == basket.Open && (o.Estimated || b.Wanted.Destination == "" && slices.Contains(o.Missing, upstream.MissingAddress))
}

func messageOf(b *basket.Basket, issue basket.Issue, kind string) BasketMessage {
	m := BasketMessage{Type: kind, Code: string(issue.Code), Argument: argumentOf(issue), Content: issue.Text}
	if (issue.Field == basket.FieldLine || issue.Field == basket.FieldQuantity) && issue.Index < len(b.Wanted.Lines) {
		m.Variant = b.Wanted.Lines[issue.Index].Item
	}
	for i := range issue.Variants[:min(len(issue.Variants), maxChoices)] {
		m.Choices = append(m.Choices, variantOf(&issue.Variants[i]))
	}
	return m
}

// argumentOf is the argument that an issue is about.
func argumentOf(issue basket.Issue) string {
	switch issue.Field {
	case basket.FieldLine:
		return fmt.Sprintf("items[%d]", issue.Index)
	case basket.FieldQuantity:
		return fmt.Sprintf("items[%d].quantity", issue.Index)
	case basket.FieldCode:
		return fmt.Sprintf("discount_codes[%d]", issue.Index)
	case basket.FieldEmail, basket.FieldFirstName, basket.FieldLastName, basket.FieldPhone:
		return "buyer." + string(issue.Field)
	case basket.FieldDestination:
		return "address"
	case basket.FieldStreet, basket.FieldCity, basket.FieldRegion, basket.FieldPostalCode:
		return "address." + string(issue.Field)
	case basket.FieldDelivery:
		return "delivery_option_id"
	case basket.FieldPayment:
		return "payment.method"
	case basket.FieldBasket:
	}
	return ""
}
