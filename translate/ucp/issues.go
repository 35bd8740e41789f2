package ucp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxChoices bounds how many variants one message lists.
const maxChoices = 20

// messagesOf turns what a basket has to tell into messages: errors for what
// stands between it and an order, warnings for what is otherwise than asked.
func messagesOf(b *basket.Basket, active Active) []Message {
	paths := pathsOf(b)
	var out []Message
	for _, issue := range b.Blockers {
		out = append(out, errorMessage(blockerCode(issue.Code), paths.of(issue), contentOf(issue), severityOf(issue, active)))
	}
	for _, issue := range b.Warnings {
		switch issue.Code {
		case basket.AlreadyCompleted, basket.AlreadyCanceled, basket.StillCompleting:
			out = append(out, errorMessage(blockerCode(issue.Code), "", contentOf(issue), Recoverable))
		default:
			out = append(out, warning(warningCode(issue.Code), paths.of(issue), contentOf(issue)))
		}
	}
	return append(out, figuresOf(b)...)
}

// figuresOf says how to read the figures of a basket.
func figuresOf(b *basket.Basket) []Message {
	var out []Message
	o := &b.Observed
	if b.State == basket.Open && (o.Estimated || b.Wanted.Destination == "" && slices.Contains(o.Missing, upstream.MissingAddress)) {
		out = append(out, info("estimated_totals", "$.totals", "Totals are estimates until the address and the way of delivery are known."))
	}
	if o.Tax == upstream.TaxIncluded && o.TaxTotal != nil && o.TaxTotal.Minor > 0 {
		out = append(out, info("tax_included", "$.totals", "The total includes "+o.TaxTotal.Display()+" of tax."))
	}
	if b.Order != nil && b.Order.Test {
		out = append(out, info("test_order", "", "This is a test order of a sandbox key; the shop knows nothing of it."))
	}
	return out
}

// blockerCode is the code of an issue that is told as an error.
func blockerCode(code basket.IssueCode) string {
	switch code {
	case basket.NotFound, basket.NotBuyable:
		return "item_unavailable"
	case basket.OptionNeeded:
		return "option_required"
	case basket.AddressRefused, basket.NoDelivery:
		return "address_undeliverable"
	case basket.DeliveryUnknown:
		return "fulfillment_option_unavailable"
	case basket.BuyerRefused:
		return "buyer_invalid"
	case basket.PaymentDeclined, basket.PaymentUnknown:
		return "payment_failed"
	case basket.HandOff:
		return "buyer_handoff_required"
	case basket.AlreadyCompleted, basket.AlreadyCanceled:
		return "invalid_state"
	case basket.StillCompleting:
		return "complete_in_progress"
	}
	return string(code) // missing, out_of_stock, price_changed are UCP's own or fit
}

// warningCode is the code of an issue that is told as a warning.
func warningCode(code basket.IssueCode) string {
	switch code {
	case basket.QuantityLowered:
		return "quantity_adjusted"
	case basket.CodeUnknown, basket.CodeNotMet:
		return "discount_code_invalid"
	case basket.CodeExpired:
		return "discount_code_expired"
	case basket.CodeNotCombinable:
		return "discount_code_combination_disallowed"
	}
	return string(code)
}

// severityOf says who can mend a blocker, if anybody. What an agent could mend with
// an extension that was not negotiated, only the buyer can mend.
func severityOf(issue basket.Issue, active Active) Severity {
	switch {
	case issue.ByBuyer:
		return RequiresBuyerInput
	case issue.Code == basket.NotOrderable:
		// A page that only shows the basket is no checkout to send a buyer to.
		return Unrecoverable
	}
	switch issue.Field {
	case basket.FieldDestination, basket.FieldStreet, basket.FieldCity, basket.FieldRegion, basket.FieldPostalCode, basket.FieldDelivery:
		if !active.Has(CapabilityFulfillment) {
			return RequiresBuyerInput
		}
	}
	return Recoverable
}

// contentOf is the text of an issue with the choices it leaves.
func contentOf(issue basket.Issue) string {
	if len(issue.Variants) == 0 {
		return issue.Text
	}
	var b strings.Builder
	b.WriteString(issue.Text)
	for _, option := range issue.Options {
		fmt.Fprintf(&b, " %s: %s.", option.Name, strings.Join(option.Values, ", "))
	}
	b.WriteString(" Use one of these ids as item.id:")
	for i, v := range issue.Variants {
		if i == maxChoices {
			fmt.Fprintf(&b, " and %d more (see get_product)", len(issue.Variants)-maxChoices)
			break
		}
		fmt.Fprintf(&b, " %s = %s;", choicesText(v), v.ID)
	}
	return strings.TrimSuffix(b.String(), ";") + "."
}

func choicesText(v upstream.Variant) string {
	values := make([]string, len(v.Options))
	for i, c := range v.Options {
		values[i] = c.Value
	}
	text := strings.Join(values, " / ")
	if text == "" {
		text = v.Title
	}
	if !v.Availability.Buyable() {
		text += " (sold out)"
	}
	return text
}
