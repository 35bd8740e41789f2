package mapped_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// buyAt is a person who orders the basket of a page of the shop.
func (s *homeShop) buyAt(t *testing.T, page string) *homeOrder {
	t.Helper()
	u, err := url.Parse(page)
	if err != nil || u.Query().Get("id") == "" {
		t.Fatalf("the page %q is of no basket: %v", page, err)
	}
	response, err := http.Post(s.URL+"/v1/baskets/"+u.Query().Get("id")+"/order", "application/json", strings.NewReader(`{"paid": "pay-at the shop"}`))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		t.Fatalf("ordering at the shop: %s", response.Status)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.orders[len(s.orders)-1]
}

// TestOrderAfterEscalation: what a person ordered on the shop's page is found where
// the mapping says that the basket tells it, and the basket is gone where it does
// not.
func TestOrderAfterEscalation(t *testing.T) {
	ordered := replacing(t, "\tfee Wrapping extra.wrapping\n}", `	fee Wrapping extra.wrapping
	ordered became {
		id       number
		key      secret
		total    figures.total
		currency figures.money
		url      "/orders/{number}"
	}
}`)
	confirm := and("refuse escalate error.code is confirm\n")
	for name, tells := range map[string]bool{"told by the basket": true, "told by nothing": false} {
		t.Run(name, func(t *testing.T) {
			s := newHomeShop(t)
			s.tells = tells
			shop := s.shopOf(t, homeMapping(t, ordered, confirm), answering{"/payment", 402, `{"error": {"code": "confirm"}}`, http.DefaultTransport})
			handle, observed := ready(t, shop)
			_, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed))
			var e *upstream.Error
			if !errors.As(err, &e) || e.Code != upstream.CodeEscalate {
				t.Fatalf("placing: %v, want a page", err)
			}
			if waiting, err := shop.Read(t.Context(), upstream.Visit{}, handle); err != nil || waiting.Ordered != nil || waiting.HandOff != e.URL {
				t.Errorf("while the buyer is away: %+v, %v", waiting, err)
			}
			order := s.buyAt(t, e.URL)
			read, err := shop.Read(t.Context(), upstream.Visit{}, handle)
			if !tells {
				if upstream.CodeOf(err) != upstream.CodeBasketGone {
					t.Errorf("reading a basket that is there no more: %+v, %v", read, err)
				}
				return
			}
			if err != nil || read.Ordered == nil || read.Ordered.Ref.ID != order.number || read.Ordered.Total != observed.Total ||
				read.Ordered.URL != "https://home.example/orders/"+order.number {
				t.Fatalf("reading it afterwards: %+v, %v, want order %s", read.Ordered, err, order.number)
			}
			applied, err := shop.Apply(t.Context(), upstream.Visit{}, handle, upstream.Desired{Buyer: buyer()})
			if err != nil || applied.Observed.Ordered == nil || applied.Observed.Ordered.Ref.ID != order.number {
				t.Errorf("changing it afterwards: %+v, %v", applied.Observed.Ordered, err)
			}
			if placed, err := shop.Place(t.Context(), upstream.Visit{}, handle, placementOf(observed)); err != nil || placed.Ref.ID != order.number {
				t.Errorf("placing it afterwards: %+v, %v", placed, err)
			}
			if got, err := shop.Order(t.Context(), upstream.Visit{}, read.Ordered.Ref); err != nil || got.Total != observed.Total || len(got.Lines) != 1 {
				t.Errorf("reading the order: %+v, %v", got, err)
			}
			if len(s.orders) != 1 {
				t.Errorf("the shop has %d orders", len(s.orders))
			}
		})
	}
}
