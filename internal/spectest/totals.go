package spectest

import "slices"

// Totals checks what no schema can say about a document: that every breakdown
// of costs in it adds up (checkout/index.md, "Total"; discount.md, "Impact on
// Line Items and Totals"), and that no list names the same id twice.
//
// A breakdown has exactly one total and at most one subtotal; its other entries
// sum up to the total, and the lines of an entry to the entry; discounts are
// negative, subtotals, deliveries, taxes and fees are not. The subtotal of a
// document with line items is the sum of theirs, and so is items_discount.
func Totals(body []byte) error {
	doc, err := parse(body)
	if err != nil {
		return err
	}
	var found Problems
	found.totals(doc)
	return found.err()
}

func (p *Problems) totals(doc tree) {
	for n := range doc.all() {
		p.uniqueIDs(n)
		if _, ok := n.get("totals").value.([]any); !ok {
			continue
		}
		p.breakdown(n.get("totals"))
		if len(n.get("line_items").items()) > 0 {
			p.lineItems(n)
		}
	}
}

// breakdown checks one list of totals.
func (p *Problems) breakdown(totals tree) {
	count := map[string]int{}
	var sum, total int64
	for _, entry := range totals.items() {
		kind := entry.get("type").text()
		amount, ok := p.amount(entry.get("amount"))
		if !ok {
			return
		}
		count[kind]++
		p.sign(entry, kind, amount)
		p.sublines(entry, amount)
		if kind == "total" {
			total = amount
		} else {
			sum += amount
		}
	}
	if count["total"] != 1 {
		p.add(totals, "has %d entries of type total, want 1", count["total"])
		return
	}
	if count["subtotal"] > 1 {
		p.add(totals, "has %d entries of type subtotal, want 1 at most", count["subtotal"])
	}
	// A delivery option's price or a refund is a total alone.
	if len(totals.items()) > 1 && sum != total {
		p.add(totals, "entries sum up to %d, but the total is %d", sum, total)
	}
}

func (p *Problems) sign(entry tree, kind string, amount int64) {
	switch kind {
	case "discount", "items_discount":
		if amount >= 0 {
			p.add(entry, "%s of %d, want less than 0", kind, amount)
		}
	case "subtotal", "fulfillment", "tax", "fee":
		if amount < 0 {
			p.add(entry, "%s of %d, want 0 or more", kind, amount)
		}
	}
}

// sublines checks the lines that an entry may be broken into.
func (p *Problems) sublines(entry tree, amount int64) {
	lines := entry.get("lines")
	if !lines.exists() {
		return
	}
	var sum int64
	for _, line := range lines.items() {
		part, ok := p.amount(line.get("amount"))
		if !ok {
			return
		}
		sum += part
	}
	if sum != amount {
		p.add(lines, "lines sum up to %d, but the entry is %d", sum, amount)
	}
}

// lineItems compares a document's totals with those of its line items. Nested
// lines, whose share in their parent the specification leaves open, are not
// compared.
func (p *Problems) lineItems(doc tree) {
	lines := doc.get("line_items").items()
	if slices.ContainsFunc(lines, func(line tree) bool { return line.has("parent_id") }) {
		return
	}
	for _, kind := range []string{"subtotal", "items_discount"} {
		var sum int64
		var parts int
		for _, line := range lines {
			part, n := ofKind(line.get("totals"), kind)
			sum += part
			parts += n
		}
		whole, stated := ofKind(doc.get("totals"), kind)
		// A line may leave its subtotal out, but none its discount.
		if kind == "subtotal" && (parts < len(lines) || stated == 0) {
			continue
		}
		if sum != whole {
			p.add(doc.get("totals"), "%s is %d, but the line items' sum up to %d", kind, whole, sum)
		}
	}
}

// ofKind sums the entries of one type and counts them.
func ofKind(totals tree, kind string) (sum int64, count int) {
	for _, entry := range totals.items() {
		if entry.get("type").text() != kind {
			continue
		}
		if amount, err := entry.get("amount").integer(); err == nil {
			sum += amount
			count++
		}
	}
	return sum, count
}

// amount reads an amount of money. A thousand of the largest still fit an
// int64, so that sums of them need no check.
func (p *Problems) amount(n tree) (int64, bool) {
	amount, err := n.integer()
	if err != nil {
		p.add(n, "%v", err)
	}
	return amount, err == nil
}

// uniqueIDs notes an id that two elements of one list share. Selections of
// option values ({name, label, id}) refer to ids instead of bearing them.
func (p *Problems) uniqueIDs(list tree) {
	seen := map[string]bool{}
	for _, element := range list.items() {
		id := element.get("id")
		if id.text() == "" || element.has("name") && element.has("label") {
			continue
		}
		if seen[id.text()] {
			p.add(id, "%q stands twice in this list", id.text())
		}
		seen[id.text()] = true
	}
}
