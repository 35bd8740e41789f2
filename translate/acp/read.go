package acp

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// readWanted changes what is wanted of a basket to what a payload names. What it
// does not name stays, and what is null there is cleared. The messages say what of
// it cannot be had.
func readWanted(payload gjson.Result, w *basket.Wanted) []Message {
	if lines := first(payload, "line_items", "items"); lines.Exists() {
		w.Lines = linesIn(lines)
	}
	if buyer := payload.Get("buyer"); buyer.Exists() {
		w.Buyer = buyerIn(buyer)
	}
	if codes := first(payload, "discounts.codes", "coupons"); codes.Exists() {
		w.Codes = textsIn(codes)
	} else if payload.Get("discounts").Type == gjson.Null && payload.Get("discounts").Exists() {
		w.Codes = nil
	}
	messages := readGroups(payload.Get("fulfillment_groups"), w)
	if details := payload.Get("fulfillment_details"); details.Exists() {
		readDetails(details, w)
	}
	if selected := payload.Get("selected_fulfillment_options"); selected.Exists() {
		messages = append(messages, readSelected(selected, w)...)
	}
	if payload.Get("order_notes").Str != "" {
		messages = append(messages, info("$.order_notes", "The shop has no place for order notes; they were not passed on. The buyer can tell the shop once it is ordered."))
	}
	return messages
}

// first returns the first of the members that is there.
func first(payload gjson.Result, paths ...string) gjson.Result {
	for _, path := range paths {
		if r := payload.Get(path); r.Exists() {
			return r
		}
	}
	return gjson.Result{}
}

// linesIn reads items. One without a quantity is one.
func linesIn(items gjson.Result) []basket.Line {
	var lines []basket.Line
	for _, item := range items.Array() {
		line := basket.Line{Item: item.Get("id").Str, Quantity: 1}
		if quantity := item.Get("quantity"); quantity.Exists() {
			line.Quantity = quantity.Int()
		}
		lines = append(lines, line)
	}
	return lines
}

// buyerIn reads a buyer.
func buyerIn(r gjson.Result) upstream.Buyer {
	b := upstream.Buyer{
		Email: trimmed(r, "email"), FirstName: trimmed(r, "first_name"),
		LastName: trimmed(r, "last_name"), Phone: trimmed(r, "phone_number"),
	}
	if b.FirstName == "" && b.LastName == "" {
		b.FirstName, b.LastName = splitName(trimmed(r, "full_name"))
	}
	return b
}

// addressIn reads an address.
func addressIn(r gjson.Result) upstream.Address {
	a := upstream.Address{
		Company: trimmed(r, "company"), Street: trimmed(r, "line_one"), Extended: trimmed(r, "line_two"), City: trimmed(r, "city"),
		Region: trimmed(r, "state"), PostalCode: trimmed(r, "postal_code"), Country: strings.ToUpper(trimmed(r, "country")),
	}
	a.FirstName, a.LastName = splitName(trimmed(r, "name"))
	return a
}

// splitName makes two of a name that is one here: what comes last is the family's.
func splitName(name string) (given, family string) {
	words := strings.Fields(name)
	if len(words) < 2 {
		return name, ""
	}
	return strings.Join(words[:len(words)-1], " "), words[len(words)-1]
}

// joinName makes one of two.
func joinName(given, family string) string { return strings.TrimSpace(given + " " + family) }

func trimmed(r gjson.Result, path string) string { return strings.TrimSpace(r.Get(path).Str) }
