package wootest

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"time"
)

// SetStock sets how many there are of what has the SKU, and returns how many
// there were. A number that is not counted is 9999.
func (s *Shop) SetStock(sku string, n int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.bySKU(sku)
	was := stockOf(p)
	setStock(p, n)
	return was
}

// SetPrice sets what has the SKU to a price with tax, and returns the one before.
func (s *Shop) SetPrice(sku string, minor int64) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.bySKU(sku)
	was := priceOf(p)
	prices := p["prices"].(object)
	for _, name := range []string{"price", "regular_price", "sale_price"} {
		prices[name] = fmt.Sprint(minor)
	}
	p["modified"] = s.now()
	return was
}

// Unpublish takes what has the SKU out of the shop.
func (s *Shop) Unpublish(sku string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.bySKU(sku)
	p["unpublished"], p["modified"] = true, s.now()
}

// Fill puts a number of products into the shop that are like the one with the SKU.
func (s *Shop) Fill(sku string, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	like := s.bySKU(sku)
	for i := range n {
		p := maps.Clone(like)
		p["id"], p["sku"], p["slug"] = float64(1000+i), fmt.Sprintf("%s-%d", sku, i), fmt.Sprintf("%s-%d", like["slug"], i)
		s.products = append(s.products, p)
	}
}

// ExpireCode lets a discount code expire.
func (s *Shop) ExpireCode(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, session := range s.sessions {
		session.dead = append(session.dead, strings.ToLower(code))
	}
}

// Forget drops the basket that a token opens.
func (s *Shop) Forget(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.sessions, userOf(token))
}

// Orders counts the orders that were placed.
func (s *Shop) Orders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, o := range s.orders {
		if o.placed() {
			n++
		}
	}
	return n
}

// Requests returns the requests so far, as "GET /path".
func (s *Shop) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

// Answer answers the next request whose method and path end with suffix, such as
// "GET /wc/store/v1/cart", with something else.
func (s *Shop) Answer(suffix string, status int, header http.Header, body string) {
	method, end, _ := strings.Cut(suffix, " ")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, func(r *http.Request) *http.Response {
		if r.Method != method || !strings.HasSuffix(r.URL.Path, end) {
			return nil
		}
		response := &http.Response{StatusCode: status, Header: header.Clone(), Body: io.NopCloser(strings.NewReader(body)), Request: r}
		if response.Header == nil {
			response.Header = make(http.Header)
		}
		return response
	})
}

// AnswerRecorded answers the next such request with a recorded refusal.
func (s *Shop) AnswerRecorded(suffix, name string, header http.Header) {
	refusal, ok := s.errors[name]
	if !ok {
		s.t.Fatalf("no refusal %q was recorded", name)
	}
	s.Answer(suffix, refusal.Status, header, string(refusal.Body))
}

// LoseAnswer makes the shop carry out the next request to order, and loses its
// answer.
func (s *Shop) LoseAnswer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loseAnswer = true
}

// LoseOrder loses the next request to order.
func (s *Shop) LoseOrder() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loseOrder = true
}

// GoAway makes the shop unreachable until the returned function is called.
func (s *Shop) GoAway() (comeBack func()) {
	set := func(away bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.away = away
	}
	set(true)
	return func() { set(false) }
}

// Between is called while the shop works on a request to order, between reading
// the basket and writing the order down, with nothing locked.
func (s *Shop) Between(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.between = f
}

// SetStatus moves an order on.
func (s *Shop) SetStatus(id int64, status string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order(id).setStatus(status, s.now())
}

// Refund gives money back for a number of an order's line; 0 lines for none.
func (s *Shop) Refund(id, line, quantity int64, amount, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.order(id)
	refund := object{
		"id": s.number(), "amount": amount, "reason": reason, "date_created_gmt": stamp(s.now()), "line_items": []any{},
	}
	if line != 0 {
		refund["line_items"] = []any{object{
			"id": 1, "quantity": -quantity, "meta_data": []any{object{"id": 1, "key": "_refunded_item_id", "value": fmt.Sprint(line)}},
		}}
	}
	o.refunds = append(o.refunds, refund)
}

// Note writes a note on an order, for its buyer to read or not.
func (s *Shop) Note(id int64, text string, forBuyer bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.order(id)
	o.notes = append(o.notes, object{
		"id": s.number(), "note": text, "customer_note": forBuyer, "date_created_gmt": stamp(s.now()),
	})
}

// CustomerNote is what an order says that its buyer wrote.
func (s *Shop) CustomerNote(id int64) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.order(id).note
}

func (s *Shop) order(id int64) *order {
	for _, o := range s.orders {
		if o.id == id {
			return o
		}
	}
	s.t.Fatalf("the shop has no order %d", id)
	return nil
}

func (s *Shop) bySKU(sku string) object {
	for _, p := range s.products {
		if p["sku"] == sku {
			return p
		}
	}
	s.t.Fatalf("the shop has nothing with the SKU %q", sku)
	return nil
}

// stamp writes a time as WordPress does, in UTC without saying so.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }
