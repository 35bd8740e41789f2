package woocommerce

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shoptest"
)

// The tests named Trap are for what API.md of the recordings found out the hard
// way. These are about answers as they were recorded; see the other files for
// those about what a shop does.

func gbp(minor int64) money.Amount { return money.Amount{Minor: minor, Currency: "GBP"} }

// readBasket reads a recorded basket and checks what holds of all.
func readBasket(t *testing.T, name string) upstream.Observed {
	t.Helper()
	o, err := basketOf(t, recorded(t, name).body())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	shoptest.CheckObserved(t, o)
	return o
}

// readOne reads a recorded product.
func readOne(t *testing.T, name string) upstream.Product {
	t.Helper()
	p, ok, err := recordedFacts(t).readProduct("replaying", recorded(t, name).body(), nil)
	if err != nil || !ok {
		t.Fatalf("%s: %v, %v", name, ok, err)
	}
	return p
}

// A shop counts with as many decimals as it likes, not with those of its currency.
func TestTrapDecimalsAreNotISO(t *testing.T) {
	for name, want := range map[string]money.Amount{
		"704-jpy":            {Minor: 9, Currency: "JPY"},
		"705-kwd":            {Minor: 9000, Currency: "KWD"},
		"706-gbp-0-decimals": gbp(900),
		"707-gbp-4-decimals": gbp(900),
	} {
		t.Run(name, func(t *testing.T) {
			if got := readOne(t, name+"-product").Variants[0].Price; got != want {
				t.Errorf("the product costs %v, want %v", got, want)
			}
			o := readBasket(t, name+"-cart")
			if got := o.Lines[0].Unit; got != want {
				t.Errorf("one costs %v in a basket, want %v", got, want)
			}
			three, err := want.Mul(3)
			if err != nil {
				t.Fatal(err)
			}
			if got := o.Lines[0].Subtotal; got != three {
				t.Errorf("three cost %v, want %v", got, three)
			}
		})
	}
}

// What is finer than a currency's own units is rounded, half away from zero, and
// never by way of a float.
func TestTrapDecimalsAreRounded(t *testing.T) {
	for _, test := range []struct {
		decimals int
		units    string
		want     int64
	}{
		{4, "90000", 900},
		{4, "90049", 900},
		{4, "90050", 901},
		{4, "-90050", -901},
		{0, "9", 900},
		{1, "95", 950},
		{10, "29999999999", 300},
		{10, "999999999999999", 10000000},
	} {
		p := &purse{currency: "GBP", decimals: test.decimals}
		if got := p.read(jsonString(test.units)); got != gbp(test.want) || p.err != nil {
			t.Errorf("%s with %d decimals is %v (%v), want %d", test.units, test.decimals, got, p.err, test.want)
		}
	}
}

// An amount is a whole number within bounds, in a string.
func TestAmountsThatAreNone(t *testing.T) {
	for _, units := range []string{"", "9.5", "1e3", " 9", "9 ", "nine", "1000000000000001", "99999999999999999999", "0x9", "--1"} {
		p := &purse{currency: "GBP", decimals: 2}
		if got := p.read(jsonString(units)); p.failed("reading") == nil {
			t.Errorf("%q was taken for %v", units, got)
		}
	}
	for name, object := range map[string]string{
		"no currency":              `{"currency_minor_unit":2}`,
		"a currency of no country": `{"currency_code":"XX","currency_minor_unit":2}`,
		"no decimals":              `{"currency_code":"GBP"}`,
		"decimals in words":        `{"currency_code":"GBP","currency_minor_unit":"2"}`,
		"decimals below zero":      `{"currency_code":"GBP","currency_minor_unit":-1}`,
		"too many decimals":        `{"currency_code":"GBP","currency_minor_unit":11}`,
	} {
		p := newPurse(parse(object))
		p.read(jsonString("9"))
		if p.failed("reading") == nil {
			t.Errorf("%s: an amount was read", name)
		}
	}
}

// The parts of a basket may come to one unit more or less than its total.
func TestTrapTotalsOffByOne(t *testing.T) {
	for _, name := range []string{"245-coupon-individual-use", "511-coupon-min-ok"} {
		o := readBasket(t, name)
		var discounts, lines int64
		for _, discount := range o.Discounts {
			discounts += discount.Amount.Minor
		}
		for _, line := range o.Lines {
			lines += line.Subtotal.Minor - line.Total.Minor
		}
		if discounts != lines || discounts == 0 {
			t.Errorf("%s: the discounts come to %d, what was taken off the lines to %d", name, discounts, lines)
		}
	}
}

// Figures go without tax and with the tax beside them, whatever the shop shows;
// the price of one goes as the shop shows it.
func TestTrapTaxOfFiguresAndPrices(t *testing.T) {
	for name, want := range map[string]struct {
		tax            upstream.Tax
		unit, subtotal int64
	}{
		"306-add-simple":                  {upstream.TaxIncluded, 2400, 4800},
		"700-display-excl":                {upstream.TaxExcluded, 750, 2250},
		"701-entered-excl-display-excl":   {upstream.TaxExcluded, 900, 2700},
		"702-entered-excl-display-incl":   {upstream.TaxIncluded, 1080, 3240},
		"703-no-taxes":                    {upstream.TaxIncluded, 900, 2700},
		"255-update-customer-no-rates":    {upstream.TaxIncluded, 1833, 5500},
		"331-cart-virtual":                {upstream.TaxIncluded, 2500, 2500},
		"732-shipping-hidden-until-addre": {upstream.TaxIncluded, 900, 900},
	} {
		switch name {
		case "306-add-simple", "255-update-customer-no-rates", "331-cart-virtual":
		case "732-shipping-hidden-until-addre":
			name = "732-shipping-hidden-until-address"
		default:
			name += "-cart"
		}
		o := readBasket(t, name)
		if o.Tax != want.tax || o.Lines[0].Unit.Minor != want.unit || o.Lines[0].Subtotal.Minor != want.subtotal {
			t.Errorf("%s: tax %v, one %v, line %v; want %+v", name, o.Tax, o.Lines[0].Unit, o.Lines[0].Subtotal, want)
		}
	}
}

// PHP writes an empty map as a list.
func TestTrapEmptyMapIsAList(t *testing.T) {
	body := recorded(t, "313-order-by-key").body()
	if !body.Get("items.0.item_data").IsObject() || !body.Get("items.1.item_data").IsArray() {
		t.Fatal("the recording does not show it")
	}
	o, err := recordedFacts(t).readShownOrder(body)
	if err != nil {
		t.Fatal(err)
	}
	want := [][]upstream.Choice{{{Name: "Colour", Value: "Black"}, {Name: "Size", Value: "M"}}, nil}
	for i, line := range o.Lines {
		if diff := cmp.Diff(want[i], line.Choices); diff != "" {
			t.Errorf("line %d: %s", i, diff)
		}
	}
}

// Values that are null, or of another type from answer to answer.
func TestTrapTypesChange(t *testing.T) {
	if o := readBasket(t, "732-shipping-hidden-until-address"); len(o.Delivery) != 0 || o.Chosen != "" {
		t.Errorf("a basket whose delivery is null has %v", o.Delivery)
	}
	managed := recorded(t, "424-v3-order-after-refund").body()
	if kinds := managed.Get("line_items.#.image.id"); kinds.Get("0").Type == kinds.Get("1").Type {
		t.Fatal("the recording does not show it")
	}
	if _, err := recordedFacts(t).readManagedOrder(managed, parse("[]"), parse("[]")); err != nil {
		t.Error(err)
	}
	// The data of a refusal holds an unnamed status beside the named one.
	if code := recorded(t, "502-stock-race-second-checkout").answer().code(); code != "woocommerce_rest_product_out_of_stock" {
		t.Errorf("the refusal is %q", code)
	}
}

// Where the shop delivers to is one of several settings, or not said.
func TestCountriesOfSettings(t *testing.T) {
	for settings, want := range map[string][]string{
		`[]`: nil,
		`[{"id":"woocommerce_ship_to_countries","value":""},{"id":"woocommerce_allowed_countries","value":"all"}]`: nil,
		`[{"id":"woocommerce_ship_to_countries","value":"specific"},{"id":"woocommerce_specific_ship_to_countries","value":["GB","x","FR"]},
			{"id":"woocommerce_allowed_countries","value":"specific"},{"id":"woocommerce_specific_allowed_countries","value":["DE"]}]`: {"GB", "FR"},
		`[{"id":"woocommerce_ship_to_countries","value":""},{"id":"woocommerce_allowed_countries","value":"specific"},
			{"id":"woocommerce_specific_allowed_countries","value":["DE"]}]`: {"DE"},
		`[{"id":"woocommerce_ship_to_countries","value":"all"},{"id":"woocommerce_allowed_countries","value":"specific"},
			{"id":"woocommerce_specific_allowed_countries","value":["DE"]}]`: nil,
		`[{"id":"woocommerce_ship_to_countries","value":"disabled"}]`: nil,
	} {
		f := recordedFacts(t)
		f.readSettings(parse(settings), parse("[]"))
		if diff := cmp.Diff(want, f.countries); diff != "" {
			t.Errorf("%s: %s", settings, diff)
		}
	}
}

// Taxes that are off are in every price.
func TestTaxOfSettings(t *testing.T) {
	for _, test := range []struct {
		calc, display string
		want          upstream.Tax
	}{
		{"no", "excl", upstream.TaxIncluded}, {"yes", "excl", upstream.TaxExcluded}, {"yes", "incl", upstream.TaxIncluded}, {"no", "incl", upstream.TaxIncluded},
	} {
		f := recordedFacts(t)
		f.readSettings(parse(`[{"id":"woocommerce_calc_taxes","value":"`+test.calc+`"}]`), parse(`[{"id":"woocommerce_tax_display_shop","value":"`+test.display+`"}]`))
		if f.tax != test.want {
			t.Errorf("%+v: it is %v", test, f.tax)
		}
	}
}
