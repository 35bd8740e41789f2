package vendure_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

func TestDescribe(t *testing.T) {
	flow(t, func(s *stage) {
		var d upstream.Description
		s.requests(4, func() {
			var err error
			if d, err = s.shop.Describe(s.Context()); err != nil {
				s.Fatal(err)
			}
		})
		want := upstream.Description{
			Name: "Fell & Ford Outfitters", Currency: "GBP", Currencies: d.Currencies, Countries: []string{"GB", "IE", "US"},
			Language: "en", Tax: upstream.TaxIncluded,
			Capabilities: upstream.Capabilities{
				Search: true, Baskets: true, Place: true, Codes: upstream.CodesMany, Delivery: true, Orders: true,
				Payments: []upstream.PaymentMethod{{ID: "test-card", Title: "Test card"}},
			},
		}
		if diff := cmp.Diff(want, d); diff != "" {
			s.Errorf("description (-want +got):\n%s", diff)
		}
	})
}

func TestSearch(t *testing.T) {
	flow(t, func(s *stage) {
		if _, err := s.shop.Describe(s.Context()); err != nil {
			s.Fatal(err)
		}
		low, high := int64(9500), int64(9500)
		for _, test := range []struct {
			name     string
			query    upstream.Query
			requests int
			found    int
			first    string
		}{
			{"everything", upstream.Query{Limit: 2}, 1, 2, "ridge-3l-waterproof-jacket"},
			{"words", upstream.Query{Words: "waterproof", Limit: 2}, 2, 2, "gale-waterproof-overtrousers"},
			{"an SKU", upstream.Query{Words: "TRG-125CM", Limit: 2}, 2, 1, "trig-carbon-poles"},
			{"two letters", upstream.Query{Words: "3l", Limit: 3}, 1, 2, "ridge-3l-waterproof-jacket"},
			{"nothing", upstream.Query{Words: "zeppelin", Limit: 2}, 1, 0, ""},
			{"a category, first", upstream.Query{Categories: []string{"camping"}, Limit: 1}, 3, 1, "lochan-ridge-tent"},
			{"a category", upstream.Query{Categories: []string{"CAMPING"}, Limit: 1}, 2, 1, "lochan-ridge-tent"},
			{"a price", upstream.Query{Words: "carbon", MinPrice: &low, MaxPrice: &high, Limit: 1}, 2, 1, "trig-carbon-poles"},
			{"what there is", upstream.Query{Words: "approach", Available: true, Limit: 1}, 1, 0, ""},
		} {
			s.requests(test.requests, func() {
				results, err := s.shop.Search(s.Context(), agent, test.query)
				if err != nil {
					s.Fatalf("%s: %v", test.name, err)
				}
				first := ""
				if len(results.Products) > 0 {
					first = results.Products[0].Handle
				}
				if len(results.Products) != test.found || first != test.first {
					s.Errorf("%s: found %d, the first %q; want %d, %q", test.name, len(results.Products), first, test.found, test.first)
				}
			})
		}
	})
}

func TestLookup(t *testing.T) {
	flow(t, func(s *stage) {
		if _, err := s.shop.Describe(s.Context()); err != nil {
			s.Fatal(err)
		}
		var torch upstream.Product
		s.requests(1, func() {
			matches, err := s.shop.Lookup(s.Context(), agent, []string{"beacon-400-head-torch", "no-such-thing"})
			if err != nil || len(matches) != 1 {
				s.Fatalf("by handle: %v, %v", matches, err)
			}
			torch = matches[0].Product
		})
		s.requests(2, func() {
			refs := []string{"BCN-GRAPHI", torch.ID, torch.Variants[0].ID, "NCK", "v.999.999", "p."}
			matches, err := s.shop.Lookup(s.Context(), agent, refs)
			if err != nil || len(matches) != 2 {
				s.Fatalf("by all kinds: %v, %v", matches, err)
			}
			want := []upstream.Input{{Ref: "BCN-GRAPHI", Variant: torch.Variants[1].ID}, {Ref: torch.ID}, {Ref: torch.Variants[0].ID, Variant: torch.Variants[0].ID}}
			if diff := cmp.Diff(want, matches[0].Inputs); diff != "" {
				s.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
		want := upstream.Product{
			ID: torch.ID, Handle: "beacon-400-head-torch", Title: "Beacon 400 Head Torch", Description: torch.Description,
			URL: "https://fell.example/p/beacon-400-head-torch", Brand: torch.Brand, Categories: []string{"Camping"},
			Attributes: torch.Attributes, Options: []upstream.Option{{Name: "Colour", Values: []string{"Red", "Graphite"}}},
			Media: torch.Media, Updated: torch.Updated,
			Variants: []upstream.Variant{
				variantOf(torch.Variants[0], "BCN-RED", "2000000109329", "Red"), variantOf(torch.Variants[1], "BCN-GRAPHI", "2000000109398", "Graphite"),
			},
		}
		if diff := cmp.Diff(want, torch); diff != "" {
			s.Errorf("the torch (-want +got):\n%s", diff)
		}
		if torch.Brand == "" || len(torch.Media) == 0 || torch.Updated.IsZero() {
			s.Errorf("the torch lacks brand, pictures or date: %+v", torch)
		}
	}, func(c *vendure.Config) { c.ProductURL = "https://fell.example/p/{handle}" })
}

func variantOf(got upstream.Variant, sku, barcode, colour string) upstream.Variant {
	return upstream.Variant{
		ID: got.ID, SKU: sku, Barcode: barcode, Title: "Beacon 400 Head Torch " + colour,
		Options: []upstream.Choice{{Name: "Colour", Value: colour}}, Price: gbp(4500), Tax: upstream.TaxIncluded,
		Availability: upstream.InStock, Attributes: []upstream.Attribute{{Key: "colour", Values: []string{colour}}},
	}
}
