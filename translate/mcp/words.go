package mcp

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
)

// The words methods say a result in words, for models that are shown nothing else:
// all that is needed to go on is in them, ids too. What a shop wrote stands between
// quotation marks and in one line.

// words says an answer.
func (a *SearchAnswer) words() string {
	var b strings.Builder
	for _, m := range a.Messages {
		b.WriteString(m.Content + "\n")
	}
	if !a.RelevanceJudged {
		b.WriteString("Whether these are the kind of thing asked for could not be judged.\n")
	}
	if len(a.Results) > 0 {
		fmt.Fprintf(&b, "%d of %d results:\n", len(a.Results), a.ResultsCount)
	}
	for i := range a.Results {
		r := &a.Results[i]
		fmt.Fprintf(&b, "%d. %s", i+1, itemText(&r.Item, a.Currency))
		for _, o := range r.Options {
			fmt.Fprintf(&b, "; %s: %s", line(o.Name), line(strings.Join(o.Values, ", ")))
		}
		b.WriteString("\n")
	}
	if len(a.RuledOut) > 0 {
		fmt.Fprintf(&b, "Ruled out, %d of %d, the nearest first:\n", len(a.RuledOut), a.RuledOutCount)
	}
	for i := range a.RuledOut {
		fmt.Fprintf(&b, "- %s\n", itemText(&a.RuledOut[i], a.Currency))
	}
	if a.UnrelatedCount > 0 {
		fmt.Fprintf(&b, "%d found were another kind of thing.\n", a.UnrelatedCount)
	}
	if a.Next != "" {
		fmt.Fprintf(&b, "For more, search again with cursor %s\n", a.Next)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// itemText says a product of an answer.
func itemText(item *answer.Item, currency money.Currency) string {
	text := fmt.Sprintf("%s, %s", quoted(item.Title), amount(item.Price, currency))
	if item.InStock != nil {
		text += ", " + stockText(item.InStock)
	}
	text += fmt.Sprintf(" (id %s, variant_id %s)", item.ID, item.Variant)
	if item.URL != "" {
		text += " " + item.URL
	}
	for _, v := range item.Verdict {
		text += "; " + verdictText(v, currency)
	}
	return text
}

// verdictText says a verdict with its evidence.
func verdictText(v verdict.Verdict, currency money.Currency) string {
	about := strings.ReplaceAll(string(v.Constraint), "_", " ")
	switch v.Constraint {
	case verdict.MaxPrice, verdict.MinPrice:
		about += " " + amount(v.Wanted.Minor(), currency)
	case verdict.Attribute:
		about = fmt.Sprintf("%s=%s", v.Key, datumText(v.Wanted))
	case verdict.ExcludedAttribute:
		about = fmt.Sprintf("not %s=%s", v.Key, datumText(v.Wanted))
	case verdict.InStock:
	}
	text := about + " " + strings.ReplaceAll(string(v.Outcome), "_", " ")
	if found := v.Found.List(); len(found) > 0 {
		text += ", recorded: " + quoted(strings.Join(found, ", "))
	}
	return text + " (" + string(v.Source) + ")"
}

// datumText says what was asked for.
func datumText(d verdict.Datum) string {
	text, err := d.MarshalJSON()
	if err != nil { // which a text, a number or a truth never has
		return "?"
	}
	return strings.Trim(string(text), `"`)
}

// words says a product.
func (a *ProductAnswer) words() string {
	p := &a.Product
	var b strings.Builder
	for _, m := range a.Messages {
		b.WriteString(m.Content + "\n")
	}
	fmt.Fprintf(&b, "%s, %s", quoted(p.Title), amount(p.Price, a.Currency))
	if p.ListPrice != nil {
		fmt.Fprintf(&b, " (was %s)", amount(*p.ListPrice, a.Currency))
	}
	fmt.Fprintf(&b, ", %s (id %s, variant_id %s)", stockText(p.InStock), p.ID, p.Variant)
	if p.URL != "" {
		b.WriteString(" " + p.URL)
	}
	b.WriteString("\n")
	if p.Description != "" {
		fmt.Fprintf(&b, "The merchant writes: %s\n", quoted(p.Description))
	}
	if len(p.Attributes) == 0 {
		b.WriteString("The shop has recorded no facts about it.\n")
	} else {
		b.WriteString("Recorded: " + factsText(p.Attributes) + "\n")
	}
	for _, o := range p.Options {
		fmt.Fprintf(&b, "%s: %s\n", line(o.Name), line(strings.Join(o.Values, ", ")))
	}
	if p.VariantCount > 1 {
		fmt.Fprintf(&b, "%d of %d versions:\n", len(p.Variants), p.VariantCount)
		for _, v := range p.Variants {
			fmt.Fprintf(&b, "- %s: %s, %s (variant_id %s)\n", choicesText(v.Options), amount(v.Price, a.Currency), stockText(v.InStock), v.ID)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func factsText(facts []Fact) string {
	all := make([]string, len(facts))
	for i, f := range facts {
		all[i] = line(f.Key) + "=" + line(strings.Join(f.Values, ", "))
	}
	return strings.Join(all, "; ")
}

// choicesText says the choices that make a variant.
func choicesText(choices []Choice) string {
	all := make([]string, len(choices))
	for i, c := range choices {
		all[i] = line(c.Name) + " " + line(c.Value)
	}
	return strings.Join(all, ", ")
}

// words says a basket.
func (b *Basket) words() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Basket %s, status %s\n", b.ID, b.Status)
	if b.Order != nil {
		fmt.Fprintf(&t, "It became order %s: %s in all\n", b.Order.ID, amount(b.Order.Total, b.Currency))
		if b.Order.URL != "" {
			fmt.Fprintf(&t, "Its page: %s\n", b.Order.URL)
		}
	}
	itemsText(&t, b.Items, b.Currency)
	totalsText(&t, b.Totals, b.Total, b.Currency)
	for _, o := range b.DeliveryOptions {
		chosen := ""
		switch {
		case o.ID == b.Delivery:
			chosen = ", chosen"
		case b.Order != nil: // there is nothing to choose any more
			continue
		}
		fmt.Fprintf(&t, "Delivery: %s, %s (delivery_option_id %s%s)\n", quoted(o.Title), amount(o.Price, b.Currency), o.ID, chosen)
	}
	if b.Order == nil {
		for _, m := range b.PaymentMethods {
			fmt.Fprintf(&t, "Can be paid by: %s (payment.method %s)\n", quoted(m.Title), m.ID)
		}
	}
	for _, m := range b.Messages {
		fmt.Fprintf(&t, "%s: %s", m.Type, m.Content)
		if m.Argument != "" {
			fmt.Fprintf(&t, " (%s)", m.Argument)
		}
		for _, v := range m.Choices {
			fmt.Fprintf(&t, " %s: variant_id %s;", choicesText(v.Options), v.ID)
		}
		t.WriteString("\n")
	}
	if b.ContinueURL != "" {
		fmt.Fprintf(&t, "A person can go on with it at %s\n", b.ContinueURL)
	}
	return strings.TrimSuffix(t.String(), "\n")
}

// words says an order.
func (o *Order) words() string {
	var t strings.Builder
	fmt.Fprintf(&t, "Order %s", o.ID)
	if o.Status != "" {
		fmt.Fprintf(&t, ", %s", quoted(o.Status))
	}
	t.WriteString("\n")
	items := make([]BasketItem, len(o.Items))
	for i := range o.Items {
		items[i] = o.Items[i].BasketItem
	}
	itemsText(&t, items, o.Currency)
	totalsText(&t, o.Totals, o.Total, o.Currency)
	if o.Canceled {
		t.WriteString("It was canceled.\n")
	}
	for _, e := range o.Events {
		fmt.Fprintf(&t, "%s: %s", e.At.Format("2006-01-02"), line(e.Type))
		if e.Tracking != "" {
			fmt.Fprintf(&t, ", %s %s", line(e.Carrier), line(e.Tracking))
		}
		t.WriteString("\n")
	}
	for _, a := range o.Adjustments {
		fmt.Fprintf(&t, "%s: %s of %s, %s\n", a.At.Format("2006-01-02"), line(a.Type), amount(a.Amount, o.Currency), line(a.Status))
	}
	for _, m := range o.Messages {
		t.WriteString(m.Content + "\n")
	}
	if o.URL != "" {
		t.WriteString("Its page: " + o.URL + "\n")
	}
	return strings.TrimSuffix(t.String(), "\n")
}

func itemsText(t *strings.Builder, items []BasketItem, currency money.Currency) {
	for _, i := range items {
		title := i.Title
		if choices := choicesText(i.Options); choices != "" {
			title += " (" + choices + ")"
		}
		fmt.Fprintf(t, "%d × %s at %s: %s (variant_id %s)\n", i.Quantity, quoted(title), amount(i.Unit, currency), amount(i.Total, currency), i.Variant)
	}
}

func totalsText(t *strings.Builder, rows []Total, total int64, currency money.Currency) {
	for _, row := range rows {
		name := strings.ReplaceAll(row.Type, "_", " ")
		if row.Label != "" {
			name += " " + quoted(row.Label)
		}
		fmt.Fprintf(t, "%s: %s\n", name, amount(row.Amount, currency))
	}
	fmt.Fprintf(t, "total: %s\n", amount(total, currency))
}

// stockText says whether something can be bought, which the shop may not say.
func stockText(is *bool) string {
	switch {
	case is == nil:
		return "the shop does not say whether it is in stock"
	case *is:
		return "in stock"
	}
	return "sold out"
}

// amount returns an amount as people read it.
func amount(minor int64, currency money.Currency) string {
	return money.Amount{Minor: minor, Currency: currency}.Display()
}

// line is a text in one line.
func line(text string) string { return strings.Join(strings.Fields(text), " ") }

// quoted is a text in one line between quotation marks, which it cannot end itself.
func quoted(text string) string { return strconv.Quote(line(text)) }
