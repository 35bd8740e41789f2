package spectest

import (
	"slices"
	"strings"
)

// rules checks what the prose demands of an answer with a resource and no
// schema says.
func (p *Problems) rules(op operation, doc tree) {
	p.messages(doc)
	p.discounts(doc)
	switch op.root() {
	case "dev.ucp.shopping.checkout":
		p.checkout(doc)
		p.fulfillment(doc)
	case "dev.ucp.shopping.order":
		p.order(doc)
	}
	if op.id == "get_product" {
		p.product(doc.get("product"))
	}
}

// messages checks that paths start at the root of the answer (checkout/index.md,
// "The path Field").
func (p *Problems) messages(doc tree) {
	for _, message := range doc.get("messages").items() {
		path := message.get("path")
		if path.exists() && !strings.HasPrefix(path.text(), "$") {
			p.add(path, "%q is not a JSONPath from the root", path.text())
		}
	}
}

// checkout checks what a status promises (checkout/index.md, "Status Values",
// "Continue URL", "Guidelines"), and that no credential is handed back.
func (p *Problems) checkout(doc tree) {
	status := doc.get("status")
	if done := status.text() == "completed"; done != doc.has("order") {
		p.add(status, "is %q, and order is there: %t", status.text(), doc.has("order"))
	}
	messages := doc.get("messages").items()
	switch status.text() {
	case "requires_escalation":
		if !doc.has("continue_url") {
			p.add(status, "is requires_escalation without a continue_url")
		}
		if !slices.ContainsFunc(messages, handover) {
			p.add(status, "is requires_escalation without a message that requires the buyer")
		}
	case "incomplete":
		if slices.ContainsFunc(messages, handover) && !slices.ContainsFunc(messages, recoverable) && !doc.has("actions") {
			p.add(status, "is incomplete, but only the buyer can go on")
		}
	case "ready_for_complete", "complete_in_progress":
		for _, message := range messages {
			if severity := message.get("severity"); severity.text() == "unrecoverable" {
				p.add(severity, "is unrecoverable, yet there is a checkout to act on")
			}
		}
	}
	if doc.has("continue_url") {
		p.absolute(doc.get("continue_url"))
	}
	for _, instrument := range doc.get("payment", "instruments").items() {
		if instrument.has("credential") {
			p.add(instrument.get("credential"), "hands a credential back")
		}
	}
}

func handover(message tree) bool {
	severity := message.get("severity").text()
	return severity == "requires_buyer_input" || severity == "requires_buyer_review"
}

func recoverable(message tree) bool { return message.get("severity").text() == "recoverable" }

// fulfillment checks that what is selected is there, once (fulfillment.md,
// "Selection and Location Identity").
func (p *Problems) fulfillment(doc tree) {
	for _, method := range doc.get("fulfillment", "methods").items() {
		p.selected(method.get("selected_destination_id"), method.get("destinations"))
		for _, group := range method.get("groups").items() {
			p.selected(group.get("selected_option_id"), group.get("options"))
			p.lines(doc, group.get("line_item_ids").items())
		}
		p.lines(doc, method.get("line_item_ids").items())
	}
}

func (p *Problems) selected(id, among tree) {
	if !id.exists() {
		return
	}
	count := 0
	for _, one := range among.items() {
		if one.get("id").text() == id.text() {
			count++
		}
	}
	if count != 1 {
		p.add(id, "%q stands %d times in %s, want once", id.text(), count, among.at)
	}
}

// lines checks that ids name line items of the document.
func (p *Problems) lines(doc tree, ids []tree) {
	for _, id := range ids {
		if !slices.ContainsFunc(doc.get("line_items").items(), func(line tree) bool {
			return line.get("id").text() == id.text()
		}) {
			p.add(id, "%q is no line item", id.text())
		}
	}
}

// discounts checks that allocations amount to their discount (discount.md,
// "Allocations Array").
func (p *Problems) discounts(doc tree) {
	for _, discount := range doc.get("discounts", "applied").items() {
		parts := discount.get("allocations").items()
		amount, err := discount.get("amount").integer()
		if len(parts) == 0 || err != nil {
			continue // The schema has said so.
		}
		var sum int64
		for _, part := range parts {
			share, _ := part.get("amount").integer()
			sum += share
		}
		if sum != amount {
			p.add(discount, "allocations sum up to %d, but the discount is %d", sum, amount)
		}
	}
}

// product checks the signals of a product's options (catalog/lookup.md, "Option
// Selection").
func (p *Problems) product(product tree) {
	options := product.get("options").items()
	if len(options) > 0 && !product.has("selected") {
		p.add(product, "has options, but no selected")
	}
	for _, option := range options {
		for _, value := range option.get("values").items() {
			if value.get("exists").value == false && value.get("available").value == true {
				p.add(value, "is available, but does not exist")
			}
		}
	}
	names := map[string]bool{}
	for _, choice := range product.get("selected").items() {
		name := choice.get("name")
		if names[name.text()] {
			p.add(name, "%q is selected twice", name.text())
		}
		names[name.text()] = true
	}
}

// order checks that a line's status follows from its quantities, and that
// expectations and events name lines (order/index.md, "Status Derivation").
func (p *Problems) order(doc tree) {
	for _, line := range doc.get("line_items").items() {
		total, err1 := line.get("quantity", "total").integer()
		fulfilled, err2 := line.get("quantity", "fulfilled").integer()
		if err1 != nil || err2 != nil {
			continue // The schema has said so.
		}
		want := "processing"
		switch {
		case total == 0:
			want = "removed"
		case fulfilled == total:
			want = "fulfilled"
		case fulfilled > 0:
			want = "partial"
		}
		if status := line.get("status"); status.text() != want {
			p.add(status, "is %q, want %q for %d of %d", status.text(), want, fulfilled, total)
		}
	}
	for _, list := range []tree{doc.get("fulfillment", "expectations"), doc.get("fulfillment", "events"), doc.get("adjustments")} {
		for _, record := range list.items() {
			for _, line := range record.get("line_items").items() {
				p.lines(doc, []tree{line.get("id")})
			}
		}
	}
}
