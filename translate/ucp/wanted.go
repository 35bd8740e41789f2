package ucp

import (
	"encoding/json"
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// noteName is under what name a basket keeps what this protocol wants back, and
// maxNote how much of it, in bytes.
const (
	noteName = "ucp"
	maxNote  = 16 << 10
)

// note is what a basket keeps for this protocol.
type note struct {
	Context     json.RawMessage `json:"context,omitempty"`
	Attribution json.RawMessage `json:"attribution,omitempty"`
}

// readWanted reads what a validated payload wants of a basket. Extensions that
// are not active are not read. The messages say what of it cannot be had.
func readWanted(payload gjson.Result, active Active) (basket.Wanted, []Message) {
	w := basket.Wanted{Buyer: readBuyer(payload.Get("buyer")), Notes: readNotes(payload)}
	for _, line := range payload.Get("line_items").Array() {
		w.Lines = append(w.Lines, basket.Line{
			ID: line.Get("id").String(), Item: line.Get("item.id").String(), Quantity: line.Get("quantity").Int(),
		})
	}
	var messages []Message
	if active.Has(CapabilityDiscount) {
		w.Codes = readCodes(payload.Get("discounts"))
	}
	if active.Has(CapabilityFulfillment) {
		messages = readFulfillment(payload.Get("fulfillment"), &w)
	}
	for _, instrument := range payload.Get("payment.instruments").Array() {
		if i := readInstrument(instrument); i.Billing != nil && w.Billing == nil {
			w.Billing = i.Billing
		}
	}
	return w, append(messages, unitMessages(payload)...)
}

// unitMessages refuses quantities in units that nothing here is sold in: every
// shop of ours sells by the piece (checkout, "Quantity and sale basis").
func unitMessages(payload gjson.Result) []Message {
	var out []Message
	for i, line := range payload.Get("line_items").Array() {
		unit := line.Get("item.quantity_unit")
		if !unit.Exists() || unit.Get("unit").Str == "C62" && unit.Get("scale").Int() == 0 {
			continue
		}
		out = append(out, errorMessage("quantity_unit_mismatch", fmt.Sprintf("$.line_items[%d].item.quantity_unit", i),
			"This item is sold by the piece. Send the quantity as a number of pieces.", Recoverable))
	}
	return out
}

// readNotes keeps what the platform wants back as it was.
func readNotes(payload gjson.Result) map[string]json.RawMessage {
	n := note{Context: rawOf(payload.Get("context")), Attribution: rawOf(payload.Get("attribution"))}
	if n.Context == nil && n.Attribution == nil || len(n.Context)+len(n.Attribution) > maxNote {
		return map[string]json.RawMessage{noteName: nil}
	}
	encoded, err := json.Marshal(n)
	if err != nil {
		return nil // both are parts of a payload that was validated
	}
	return map[string]json.RawMessage{noteName: encoded}
}

func rawOf(r gjson.Result) json.RawMessage {
	if !r.IsObject() {
		return nil
	}
	return json.RawMessage(r.Raw)
}

// notesOf returns what a basket kept.
func notesOf(notes map[string]json.RawMessage) (context, attribution json.RawMessage) {
	r := gjson.ParseBytes(notes[noteName])
	return rawOf(r.Get("context")), rawOf(r.Get("attribution"))
}
