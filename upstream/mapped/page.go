package mapped

import (
	"context"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// defaultSize is how many products a page of a list has whose mapping does not say.
const defaultSize = 50

// pagePlace is where a page of a list begins. The zero place is the beginning.
type pagePlace struct {
	// Number counts the pages before, Offset the products before.
	Number int `json:"n,omitempty"`
	Offset int `json:"o,omitempty"`
	// Cursor is the shop's own word for the page.
	Cursor string `json:"c,omitempty"`
}

// page is a page of a list.
type page struct {
	goods []goods
	// total counts all products, negative where the shop does not say.
	total int
	// next is where the next page begins, if there is more.
	next pagePlace
	more bool
}

// readPage reads a page of a list.
func (s *Shop) readPage(ctx context.Context, v upstream.Visit, op string, l *Listing, q upstream.Query, at pagePlace) (page, error) {
	size := l.Size
	if size == 0 {
		size = defaultSize
	}
	texts := map[string]any{
		"limit": int64(size), "page": int64(l.First + at.Number), "offset": int64(at.Offset), "cursor": at.Cursor,
		"words": q.Words,
	}
	currency := s.currencyOf(v)
	for name, bound := range map[string]*int64{"min_price": q.MinPrice, "max_price": q.MaxPrice} {
		if bound != nil {
			texts[name] = money.Amount{Minor: *bound, Currency: currency}
		}
	}
	if len(q.Categories) == 1 {
		texts["category"] = q.Categories[0]
	}
	answer, err := s.send(ctx, v, call{op: op, request: &l.Request, names: names{texts: texts}, reads: true})
	if err != nil {
		return page{}, err
	}
	whole := scope{Result: answer}
	if !isList(whole, l.Items) {
		return page{}, unreadable(op, faultf(l.Items.At, "there is no list of products there"))
	}
	items := s.reader.items(whole, l.Items)
	p := page{total: -1}
	if p.goods, err = s.readProducts(op, items); err != nil {
		return page{}, err
	}
	if total, known := s.reader.number(whole, l.Total); known && total >= 0 {
		p.total = int(total)
	}
	p.next = pagePlace{Number: at.Number + 1, Offset: at.Offset + len(items)}
	switch l.pagedBy() {
	case "cursor":
		p.next.Cursor = s.reader.word(whole, l.Next)
		p.more = p.next.Cursor != "" && p.next.Cursor != at.Cursor
	case "page", "offset":
		p.more = len(items) > 0 && (p.total > p.next.Offset || p.total < 0 && len(items) >= size)
	}
	return p, nil
}

// isList reports whether there is a list at a value, even one with nothing in it.
func isList(s scope, v Value) bool {
	return slices.ContainsFunc(v.From, func(source Source) bool { return s.get(source.Path).IsArray() })
}

// spoken returns words as a shop is asked for them.
func spoken(words string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, words)), " ")
}
