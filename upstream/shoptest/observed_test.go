package shoptest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// sound is a basket with which nothing is wrong.
func sound() upstream.Observed {
	tax := gbp(1000)
	return upstream.Observed{
		Currency: "GBP", Tax: upstream.TaxIncluded, TaxTotal: &tax,
		Lines: []upstream.Line{
			{Key: "a", Item: "v1", Product: "p1", Title: "Stove", Quantity: 2, Unit: gbp(2000), Subtotal: gbp(4000), Total: gbp(3500)},
			{Key: "b", Item: "v2", Product: "p2", Title: "Socks", Quantity: 1, Unit: gbp(2000), Subtotal: gbp(2000), Total: gbp(2000)},
		},
		Totals: []upstream.Total{
			{Kind: upstream.TotalSubtotal, Amount: gbp(6000)},
			{Kind: upstream.TotalItemsDiscount, Amount: gbp(-500)},
			{Kind: upstream.TotalFulfillment, Amount: gbp(495)},
			{Kind: upstream.TotalRounding, Amount: gbp(1)},
		},
		Total:     gbp(5996),
		Discounts: []upstream.Discount{{Code: "X", Amount: gbp(500), Lines: map[string]money.Amount{"a": gbp(500)}}},
		Delivery:  []upstream.DeliveryOption{{ID: "s", Title: "Standard", Price: gbp(495)}},
		Chosen:    "s",
		Missing:   []upstream.Missing{upstream.MissingEmail},
		HandOff:   "https://shop.example/basket",
	}
}

func TestCheckObserved(t *testing.T) {
	for name, test := range map[string]struct {
		change func(*upstream.Observed)
		want   string // empty for nothing wrong
	}{
		"sound": {func(*upstream.Observed) {}, ""},
		"empty": {func(o *upstream.Observed) {
			*o = upstream.Observed{Currency: "JPY", Total: money.Amount{Currency: "JPY"}}
		}, ""},
		"no currency":          {func(o *upstream.Observed) { *o = upstream.Observed{} }, "not an ISO 4217 currency"},
		"two currencies":       {func(o *upstream.Observed) { o.Lines[0].Unit.Currency = "EUR" }, `unit price of line a is {2000 EUR}, the basket is in "GBP"`},
		"total":                {func(o *upstream.Observed) { o.Total.Minor-- }, "Totals add up to {5996 GBP}, Total is {5995 GBP}"},
		"total below zero":     {func(o *upstream.Observed) { *o = upstream.Observed{Currency: "GBP", Total: gbp(-1)} }, "below zero"},
		"discount added":       {func(o *upstream.Observed) { o.Totals[1].Amount.Minor = 500 }, "what is taken off is negative"},
		"delivery below zero":  {func(o *upstream.Observed) { o.Totals[2].Amount.Minor = -495 }, "below zero"},
		"unknown total":        {func(o *upstream.Observed) { o.Totals[2].Kind = "shipping" }, `no kind of total "shipping"`},
		"tax twice":            {func(o *upstream.Observed) { o.Totals[2].Kind = upstream.TotalTax }, "prices contain tax, and yet"},
		"tax that is too much": {func(o *upstream.Observed) { o.TaxTotal.Minor = 6000 }, "not a part of Total"},
		"tax excluded, other":  {func(o *upstream.Observed) { o.Tax = upstream.TaxExcluded }, "TaxTotal is {1000 GBP}, Totals say {0 GBP}"},
		"tax excluded, same": {func(o *upstream.Observed) {
			o.Tax, o.Totals[2].Kind, o.TaxTotal.Minor = upstream.TaxExcluded, upstream.TotalTax, 495
		}, ""},
		"subtotal":                   {func(o *upstream.Observed) { o.Totals[0].Amount.Minor++; o.Total.Minor++ }, "the lines' subtotals add up to {6000 GBP}, Totals say {6001 GBP}"},
		"line totals":                {func(o *upstream.Observed) { o.Lines[1].Total.Minor -= 100 }, "600 was taken off the lines"},
		"order discount on lines":    {func(o *upstream.Observed) { o.Totals[1].Kind = upstream.TotalDiscount }, "500 was taken off the lines; Totals say 0 off items"},
		"order discount elsewhere":   {func(o *upstream.Observed) { o.Totals[1].Kind, o.Lines[0].Total = upstream.TotalDiscount, gbp(4000) }, ""},
		"line arithmetic":            {func(o *upstream.Observed) { o.Lines[0].Unit.Minor = 1900 }, "line a: {1900 GBP} × 2 is not {4000 GBP}"},
		"line arithmetic, rounded":   {func(o *upstream.Observed) { o.Lines[0].Unit.Minor = 2001 }, ""},
		"line arithmetic, enormous":  {func(o *upstream.Observed) { o.Lines[0].Quantity = 1 << 62 }, "too large"},
		"line dearer after discount": {func(o *upstream.Observed) { o.Lines[0].Total.Minor = 4100 }, "subtotal {4000 GBP}, total {4100 GBP}"},
		"key twice":                  {func(o *upstream.Observed) { o.Lines[1].Key = "a" }, `key "a" stands on no line or several`},
		"no key":                     {func(o *upstream.Observed) { o.Lines[1].Key = "" }, `key "" stands on no line`},
		"no item":                    {func(o *upstream.Observed) { o.Lines[1].Item = "" }, "lacks its item"},
		"no quantity":                {func(o *upstream.Observed) { o.Lines[1].Quantity = 0 }, "holds 0"},
		"entities":                   {func(o *upstream.Observed) { o.Lines[1].Title = "Hats &#38; gloves" }, "holds mark-up"},
		"no entity":                  {func(o *upstream.Observed) { o.Lines[1].Title = "Fish & chips; a < b > c" }, ""},
		"bad UTF-8":                  {func(o *upstream.Observed) { o.Lines[1].Title = "caf\xe9" }, "not UTF-8"},
		"NUL":                        {func(o *upstream.Observed) { o.Lines[1].Title = "a\x00" }, "NUL"},
		"relative URL":               {func(o *upstream.Observed) { o.Lines[1].URL = "//cdn.example/x" }, "not an absolute URL"},
		"URL that is none":           {func(o *upstream.Observed) { o.HandOff = "http://[" }, "is no URL"},
		"discount of nothing": {func(o *upstream.Observed) {
			o.Discounts = append(o.Discounts, upstream.Discount{Code: "Y", Amount: gbp(0)})
		}, `discount "Y" saves {0 GBP}`},
		"discount without a name": {func(o *upstream.Observed) { o.Discounts[0].Code = "" }, "neither code nor title"},
		"discount unexplained":    {func(o *upstream.Observed) { o.Discounts = nil }, "Totals take 500 off; Discounts explain 0"},
		"discount on no line":     {func(o *upstream.Observed) { o.Discounts[0].Lines = map[string]money.Amount{"c": gbp(5)} }, `line "c", which does not exist`},
		"discount overspent":      {func(o *upstream.Observed) { o.Discounts[0].Lines["b"] = gbp(1) }, "its lines bear 501"},
		"discount on delivery": {func(o *upstream.Observed) {
			o.Discounts = append(o.Discounts, upstream.Discount{Title: "Free", Amount: gbp(495), OnDelivery: true})
		}, ""},
		"way of delivery twice": {func(o *upstream.Observed) { o.Delivery = append(o.Delivery, o.Delivery[0]) }, `has the id "s", which is empty or another's`},
		"way without a title":   {func(o *upstream.Observed) { o.Delivery[0].Title = "" }, "delivery s has no title"},
		"way below zero":        {func(o *upstream.Observed) { o.Delivery[0].Price.Minor = -1 }, "delivery s costs"},
		"way back in time": {func(o *upstream.Observed) {
			o.Delivery[0].Earliest, o.Delivery[0].Latest = time.Unix(9, 0), time.Unix(8, 0)
		}, "delivery s arrives"},
		"chosen elsewhere": {func(o *upstream.Observed) { o.Chosen = "x" }, `"x", is not on offer`},
		"missing twice":    {func(o *upstream.Observed) { o.Missing = append(o.Missing, upstream.MissingEmail) }, `"email" is missing twice`},
		"missing nonsense": {func(o *upstream.Observed) { o.Missing = []upstream.Missing{"shoe_size"} }, "nobody knows what it is"},
		"missing lines":    {func(o *upstream.Observed) { o.Missing = []upstream.Missing{upstream.MissingLines} }, "lines are missing from a basket that has some"},
	} {
		t.Run(name, func(t *testing.T) {
			o, r := sound(), &recorder{TB: t}
			test.change(&o)
			CheckObserved(r, o)
			switch got := strings.Join(r.messages, "\n"); {
			case test.want == "" && got != "":
				t.Errorf("found %s", got)
			case test.want != "" && !strings.Contains(got, test.want):
				t.Errorf("found %q, want %q", got, test.want)
			case r.failed != (test.want != ""):
				t.Error("a problem without a failure, or the other way round")
			}
		})
	}
}

// TestCheckObservedIsFair: any basket that adds up is sound, and none of its
// figures can be off by more than rounding.
func TestCheckObservedIsFair(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newStore()
		_, b := s.begin("GBP")
		for i := range rapid.IntRange(1, 6).Draw(t, "lines") {
			p := s.products[rapid.IntRange(0, len(s.products)-1).Draw(t, "product")]
			b.desired.Lines = append(b.desired.Lines, upstream.DesiredLine{
				Key: string(rune('a' + i)), Item: p.Variants[0].ID, Quantity: rapid.Int64Range(1, 20).Draw(t, "quantity"),
			})
		}
		b.desired.Codes = rapid.SliceOf(rapid.SampledFrom([]string{"TEN", "TWENTY", "FREE", "OLD"})).Draw(t, "codes")
		b.desired.Address = &upstream.Address{Country: rapid.SampledFrom([]string{"GB", "US"}).Draw(t, "country")}
		b.desired.Delivery = rapid.SampledFrom([]string{"", "standard", "express"}).Draw(t, "delivery")
		o, _ := s.observe(b)
		if p := problemsOf(o); len(p) > 0 {
			t.Fatalf("%+v: %v", o, p)
		}
		off := rapid.Int64Range(1, 1000).Draw(t, "off")
		wrong := o
		wrong.Total.Minor += off
		if len(problemsOf(wrong)) == 0 {
			t.Fatalf("Total is off by %d, and nothing is wrong", off)
		}
		for i := range o.Totals {
			wrong := o
			wrong.Totals = slices.Clone(o.Totals)
			wrong.Totals[i].Amount.Minor += off
			wrong.Total.Minor += off // So that they still add up.
			if o.Totals[i].Kind != upstream.TotalFulfillment && len(problemsOf(wrong)) == 0 {
				t.Fatalf("total %q is off by %d, and nothing is wrong", o.Totals[i].Kind, off)
			}
		}
	})
}
