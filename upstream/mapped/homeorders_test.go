package mapped_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// figures are what a basket costs: ten per cent off each line, £20 off the whole,
// free delivery, by code.
func (s *homeShop) figures(id string, b *homeBasket) object {
	b.codes = slices.DeleteFunc(b.codes, func(code string) bool { return s.code(b, code) != "" })
	lines, discounts := []object{}, []object{}
	var goods, off, onLines int64
	for _, l := range b.lines {
		before := l.of.cents * l.count
		after := before
		if slices.Contains(b.codes, "TEN") {
			after = before - before/10
		}
		goods, onLines = goods+before, onLines+before-after
		lines = append(lines, object{
			"no": l.id, "kind": l.kind.id, "thing": l.of.id, "name": l.of.name, "count": l.count, "each": l.of.cents, "sum": before, "pay": after,
			"size": l.kind.size, "shade": l.kind.shade, "slug": l.of.slug,
		})
	}
	if onLines > 0 {
		discounts = append(discounts, object{"code": "TEN", "name": "Ten &percnt; off", "off": -onLines})
	}
	if slices.Contains(b.codes, "TWENTY") {
		off = 2000
		discounts = append(discounts, object{"code": "TWENTY", "off": -off})
	}
	fee := ways()[b.way]
	options := []object{}
	if b.address != nil && len(b.lines) > 0 {
		options = []object{{"key": "post", "name": "Post", "pence": 495, "days": 3}, {"key": "courier", "name": "Courier", "pence": 995, "days": 1}}
	}
	if slices.Contains(b.codes, "FREE") && fee > 0 {
		discounts = append(discounts, object{"code": "FREE", "off": -fee, "delivery": "yes"})
		fee = 0
	}
	var wrapping int64
	if b.way == "courier" {
		wrapping = 30
	}
	total := goods - onLines - off + fee + wrapping
	return object{
		"id": id, "money": "gbp", "lines": lines, "discounts": discounts, "taken": -(onLines + off), "codes": b.codes, "way": b.way,
		"fee": fee, "extra": object{"wrapping": wrapping}, "vat": total / 6, "total": total, "options": options,
	}
}

func (s *homeShop) pay(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		card, _ := body["card"].(object)
		if body["by"] != "card" || card["token"] == "bad" {
			return no(http.StatusPaymentRequired, "declined")
		}
		return http.StatusOK, object{"paid": object{"ref": "pay-" + rand.Text()}}
	})
}

func (s *homeShop) order(r *http.Request, body object) (int, any) {
	id, b := s.basket(r)
	paid, _ := body["paid"].(string)
	switch {
	case b == nil:
		return no(http.StatusGone, "no_basket")
	case s.busy > 0:
		s.busy--
		return no(http.StatusInternalServerError, "lock")
	case !strings.HasPrefix(paid, "pay-"):
		return no(http.StatusPaymentRequired, "declined")
	case len(b.lines) == 0 || b.mail == "" || b.address == nil || b.way == "":
		return no(http.StatusUnprocessableEntity, "incomplete")
	case slices.ContainsFunc(b.lines, func(l *homeLine) bool { return l.kind.stock < l.count }):
		return no(http.StatusConflict, "too_few")
	}
	figures := s.figures(id, b)
	for _, l := range b.lines {
		l.kind.stock -= l.count
	}
	b.ordered = true
	o := &homeOrder{
		number: fmt.Sprintf("HS-%d", 1000+len(s.orders)), key: rand.Text(), basket: id, at: time.Now().UTC(),
		attempt: fmt.Sprint(body["attempt"]),
	}
	o.body = object{
		"number": o.number, "secret": o.key, "attempt": o.attempt, "basket": id, "figures": figures, "to": b.address, "state": "N",
		"when": o.at.Unix(), "parcels": []object{},
	}
	s.orders = append(s.orders, o)
	return http.StatusCreated, object{"order": o.body}
}

// allowed reports whether a request has the newest token.
func (s *homeShop) allowed(r *http.Request) bool {
	return len(s.tokens) > 0 && r.Header.Get("Authorization") == "Bearer "+s.tokens[len(s.tokens)-1]
}

func (s *homeShop) findOrders(r *http.Request, _ object) (int, any) {
	if !s.allowed(r) {
		return no(http.StatusUnauthorized, "token")
	}
	found := []object{}
	for _, o := range s.orders {
		if o.attempt == r.URL.Query().Get("attempt") {
			found = append(found, o.body)
		}
	}
	return http.StatusOK, object{"orders": found}
}

func (s *homeShop) showOrder(r *http.Request, _ object) (int, any) {
	for _, o := range s.orders {
		if o.number == r.PathValue("number") && o.key == r.URL.Query().Get("secret") {
			return http.StatusOK, object{"order": o.body}
		}
	}
	return no(http.StatusNotFound, "no_order")
}

// hooks reach behind the shop.
func (s *homeShop) hooks(another func(testing.TB) upstream.Shop) (*road, shoptest.Hooks) {
	road := &road{orders: func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/order") }}
	locked := func(f func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		f()
	}
	h := road.hooks()
	h.ChangePrice = func(t testing.TB, sku string, cents int64) {
		set := func(cents int64) (before int64) {
			locked(func() {
				for _, p := range s.products {
					if slices.ContainsFunc(p.kinds, func(k *homeKind) bool { return k.code == sku }) {
						before, p.cents = p.cents, cents
					}
				}
			})
			return before
		}
		before := set(cents)
		t.Cleanup(func() { set(before) })
	}
	h.SetStock = func(t testing.TB, sku string, n int64) {
		var before int64
		locked(func() { before, s.kind(sku).stock = s.kind(sku).stock, n })
		t.Cleanup(func() { locked(func() { s.kind(sku).stock = before }) })
	}
	h.OrderCount = func(testing.TB) (n int) {
		locked(func() { n = len(s.orders) })
		return n
	}
	h.DropBasket = func(t testing.TB, handle upstream.Handle) {
		locked(func() {
			for id := range s.baskets {
				if strings.Contains(handle.Reveal(), id) {
					delete(s.baskets, id)
				}
			}
		})
	}
	h.Another = another
	return road, h
}
