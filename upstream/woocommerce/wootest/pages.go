package wootest

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// page answers a request of a browser.
func (s *Shop) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.t.Errorf("%s %s: the shop's pages are read, nothing else", r.Method, r.URL.Path)
	}
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	status := http.StatusOK
	if strings.HasPrefix(r.URL.Path, "/wp-json") {
		status = http.StatusNotFound // Where permalinks are plain.
	}
	w.WriteHeader(status)
	if _, err := io.WriteString(w, "<!DOCTYPE html>\n<html lang=\"en-US\">\n<head>\n\t<meta charset=\"UTF-8\" />\n<title>Test Shop</title>"); err != nil {
		s.t.Errorf("writing a page: %v", err)
	}
}

// Buy does what a person does who was sent to a page of the shop: fills in who
// they are, and orders. It returns the number of the order, and fails the test if
// the page is not one to order from.
func (s *Shop) Buy(page string) int64 {
	s.t.Helper()
	u, err := url.Parse(page)
	if err != nil {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	query := u.Query()
	if query.Has("pay_for_order") {
		return s.pay(u)
	}
	visitor := s.visitor(u, query)
	s.load(visitor)
	visitor.mark = make(object)
	for _, name := range []string{"utm_source", "utm_medium", "utm_id"} {
		if query.Has(name) {
			visitor.mark[name] = query.Get(name)
		}
	}
	maps.Copy(visitor.billing, object{"first_name": "Ada", "last_name": "Byron", "email": "ada@example.test", "address_1": "1 St James's Square", "city": "London", "postcode": "SW1Y 4LB"})
	if len(visitor.items) == 0 {
		s.t.Fatalf("%s leads to an empty basket", page)
	}
	o := s.openOrder(visitor)
	o.method, o.mark = "cod", visitor.mark
	o.setStatus("processing", s.now())
	s.finish(visitor, o)
	return o.id
}

// visitor is the session of a browser that opens a page: a copy of the basket
// that a token opens, without who its buyer is, or a basket with one product.
func (s *Shop) visitor(u *url.URL, query url.Values) *session {
	s.nextGuest++
	visitor := newSession(fmt.Sprintf("t_%030x", s.nextGuest))
	s.sessions[visitor.user] = visitor
	switch {
	case query.Has("session") && !s.config.Old:
		from := s.sessions[s.opened(query.Get("session"))]
		if from == nil {
			s.t.Fatalf("%s: the shop does not know the session", u.Path)
		}
		for _, l := range from.items {
			held := *l
			visitor.items = append(visitor.items, &held)
		}
		visitor.coupons, visitor.rate = append([]string{}, from.coupons...), from.rate
	case query.Has("add-to-cart"):
		id := query.Get("add-to-cart")
		if query.Has("variation_id") {
			id = query.Get("variation_id")
		}
		number, _ := strconv.ParseInt(id, 10, 64)
		quantity, _ := strconv.ParseInt(query.Get("quantity"), 10, 64)
		p := s.byID(number)
		if p == nil || quantity < 1 {
			s.t.Fatalf("%s: the shop has no such product, or no such quantity", u)
		}
		var choices []any
		for name, values := range query {
			if attribute, ok := strings.CutPrefix(name, "attribute_"); ok {
				choices = append(choices, object{"attribute": attribute, "value": values[0]})
			}
		}
		chosen, refusal := s.choose(p, choices)
		if refusal != "" {
			s.t.Fatalf("%s: %s", u, refusal)
		}
		visitor.items = []*line{{key: s.keyOf(chosen.product, chosen.variation), product: chosen.product, quantity: quantity, variation: chosen.variation}}
	}
	return visitor
}

// pay pays an order that waits for it.
func (s *Shop) pay(u *url.URL) int64 {
	s.t.Helper()
	for _, o := range s.orders {
		if strings.Contains(u.Path, fmt.Sprintf("/order-pay/%d/", o.id)) && u.Query().Get("key") == o.key {
			if o.status != "pending" && o.status != "failed" {
				s.t.Fatalf("order %d is %s and cannot be paid", o.id, o.status)
			}
			o.setStatus("processing", s.now())
			return o.id
		}
	}
	s.t.Fatalf("%s is the page of no order", u)
	return 0
}
