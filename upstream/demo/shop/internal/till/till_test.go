package till

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/internal/money"
)

// noon is a Wednesday.
var noon = time.Date(2026, time.October, 7, 12, 0, 0, 0, time.UTC)

func day(d int) time.Time { return time.Date(2026, time.October, d, 0, 0, 0, 0, time.UTC) }

// shopping is the basket that costs the same in every shop of the tests.
func shopping() Basket {
	return Basket{
		Currency: "GBP", Country: "GB", PostalCode: "LA9 4ND", Now: noon, Delivery: "next-day", Codes: []string{"WELCOME10"},
		Items: []Item{
			{Price: 18900, Quantity: 1},
			{Price: 2200, Quantity: 3},
			{Price: 3900, Quantity: 1, ZeroRated: true},
		},
	}
}

func priceOf(t *testing.T, b Basket) *Bill {
	t.Helper()
	bill, err := Price(b)
	if err != nil {
		t.Fatal(err)
	}
	return bill
}

func TestPrice(t *testing.T) {
	got := priceOf(t, shopping())
	want := &Bill{
		Currency: "GBP",
		Lines: []Line{
			{Unit: 18900, Subtotal: 18900, Total: 17010, Tax: 2835},
			{Unit: 2200, Subtotal: 6600, Total: 5940, Tax: 990},
			{Unit: 3900, Subtotal: 3900, Total: 3510},
		},
		Codes:       []string{"WELCOME10"},
		Discounts:   []Discount{{Code: "WELCOME10", Title: "10% off your order", Amount: 2940, Lines: []int64{1890, 660, 390}}},
		Subtotal:    29400,
		Fulfillment: 995,
		Tax:         2835 + 990 + 166,
		Total:       27455,
	}
	got.Deliveries, got.Chosen = nil, nil
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Bill{})); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCodes(t *testing.T) {
	tests := []struct {
		name    string
		change  func(*Basket)
		total   int64
		applied []string
		refused []Refusal
	}{
		{"none", func(b *Basket) { b.Codes = nil }, 30395, nil, nil},
		{"percent, in small letters", func(b *Basket) { b.Codes = []string{" welcome10 "} }, 27455, []string{"WELCOME10"}, nil},
		{"the same twice", func(b *Basket) { b.Codes = []string{"WELCOME10", "Welcome10"} }, 27455, []string{"WELCOME10"}, nil},
		{"fixed", func(b *Basket) { b.Codes = []string{"TRAIL20"} }, 28395, []string{"TRAIL20"}, nil},
		{"free delivery", func(b *Basket) { b.Codes = []string{"FREESHIP"} }, 29400, []string{"FREESHIP"}, nil},
		{"free delivery, none chosen", func(b *Basket) { b.Codes, b.Delivery = []string{"FREESHIP"}, "" }, 29400, []string{"FREESHIP"}, nil},
		{"percent and free delivery", func(b *Basket) { b.Codes = []string{"FREESHIP", "WELCOME10"} }, 26460, []string{"FREESHIP", "WELCOME10"}, nil},
		{
			"two that lower the price", func(b *Basket) { b.Codes = []string{"TRAIL20", "WELCOME10"} }, 28395,
			[]string{"TRAIL20"},
			[]Refusal{{"WELCOME10", ReasonNotCombinable, texts[ReasonNotCombinable]}},
		},
		{"expired", func(b *Basket) { b.Codes = []string{"SUMMER24"} }, 30395, nil, []Refusal{{"SUMMER24", ReasonExpired, texts[ReasonExpired]}}},
		{"not yet expired", func(b *Basket) {
			b.Codes, b.Now = []string{"SUMMER24"}, time.Date(2024, 8, 31, 23, 59, 59, 0, time.UTC)
		}, 23045, []string{"SUMMER24"}, nil},
		{
			"unknown", func(b *Basket) { b.Codes = []string{"NOPE", "WELCOME10"} }, 27455,
			[]string{"WELCOME10"},
			[]Refusal{{"NOPE", ReasonUnknown, texts[ReasonUnknown]}},
		},
		{
			"below the minimum", func(b *Basket) { b.Codes, b.Items = []string{"TRAIL20"}, []Item{{Price: 14999, Quantity: 1}} }, 15994, nil,
			[]Refusal{{"TRAIL20", ReasonNotMet, texts[ReasonNotMet]}},
		},
		{"at the minimum", func(b *Basket) { b.Codes, b.Items = []string{"TRAIL20"}, []Item{{Price: 15000, Quantity: 1}} }, 13995, []string{"TRAIL20"}, nil},
		{"the minimum is in the basket's currency", func(b *Basket) {
			b.Currency, b.Codes, b.Items = "JPY", []string{"TRAIL20"}, []Item{{Price: 28500, Quantity: 1}}
		}, 28500 - 3800 + 1891, []string{"TRAIL20"}, nil},
		{"gift cards alone", func(b *Basket) {
			b.Codes, b.Items = []string{"WELCOME10", "FREESHIP"}, []Item{{Price: 10000, Quantity: 2, Digital: true, ZeroRated: true}}
		}, 20000, nil, []Refusal{{"WELCOME10", ReasonNotMet, texts[ReasonNotMet]}, {"FREESHIP", ReasonNotMet, texts[ReasonNotMet]}}},
		{"gift cards beside goods", func(b *Basket) {
			b.Items = []Item{{Price: 10000, Quantity: 1, Digital: true, ZeroRated: true}, {Price: 10000, Quantity: 1}}
		}, 10000 + 9000 + 995, []string{"WELCOME10"}, nil},
		{
			"promotion, then the code", func(b *Basket) { b.Items = []Item{{Price: 1605, Quantity: 4, Promoted: true}} },
			6420 - 642 - 578 + 995,
			[]string{"WELCOME10"},
			nil,
		},
		{"no promotion on three", func(b *Basket) { b.Codes, b.Items = nil, []Item{{Price: 1600, Quantity: 3, Promoted: true}} }, 4800 + 995, nil, nil},
		{"an empty basket", func(b *Basket) { b.Items, b.Delivery = nil, "" }, 0, nil, []Refusal{{"WELCOME10", ReasonNotMet, texts[ReasonNotMet]}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			basket := shopping()
			test.change(&basket)
			bill := priceOf(t, basket)
			if bill.Total != test.total {
				t.Errorf("total is %d, want %d", bill.Total, test.total)
			}
			if diff := cmp.Diff(test.applied, bill.Codes); diff != "" {
				t.Errorf("applied codes (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.refused, bill.Refused); diff != "" {
				t.Errorf("refused codes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestTax(t *testing.T) {
	tests := []struct {
		country string
		added   bool
		tax     int64
		total   int64
	}{
		{"", false, 2000, 12000}, // no delivery can be chosen
		{"GB", false, 2000 + 83, 12495},
		{"DE", false, 1916 + 191, 13195},
		{"IE", false, 2244 + 223, 13195},
		{"US", true, 840, 12000 + 1895 + 840},
		{"JP", false, 0, 14195},
		{"AQ", false, 2000, 12000},
	}
	for _, test := range tests {
		bill := priceOf(t, Basket{
			Currency: "GBP", Country: test.country, Now: noon, Delivery: "standard",
			Items: []Item{{Price: 12000, Quantity: 1}},
		})
		if bill.TaxAdded != test.added || bill.Tax != test.tax || bill.Total != test.total {
			t.Errorf("%q: added %v, tax %d, total %d, want %v, %d, %d",
				test.country, bill.TaxAdded, bill.Tax, bill.Total, test.added, test.tax, test.total)
		}
	}
}

func TestDeliveries(t *testing.T) {
	jacket, rug, card := Item{Price: 1, Quantity: 1}, Item{Price: 1, Quantity: 1, Oversize: true}, Item{Price: 1, Quantity: 1, Digital: true}
	tests := []struct {
		name     string
		country  string
		postcode string
		items    []Item
		want     []string
	}{
		{"home", "GB", "LA9 4ND", []Item{jacket}, []string{"standard", "next-day"}},
		{"home, no postcode yet", "GB", "", []Item{jacket}, []string{"standard", "next-day"}},
		{"Highlands", "GB", "iv3 5aa", []Item{jacket}, []string{"standard"}},
		{"Northern Ireland", "GB", " BT1 1AA", []Item{jacket}, []string{"standard"}},
		{"Ilford is not Inverness", "GB", "IG1 1AA", []Item{jacket}, []string{"standard", "next-day"}},
		{"oversize", "GB", "LA9 4ND", []Item{jacket, rug}, []string{"standard"}},
		{"France", "FR", "75001", []Item{jacket}, []string{"standard", "express"}},
		{"France, oversize", "FR", "75001", []Item{rug}, []string{"standard"}},
		{"a gift card", "GB", "LA9 4ND", []Item{card}, nil},
		{"a gift card beside goods", "GB", "LA9 4ND", []Item{card, jacket}, []string{"standard", "next-day"}},
		{"not served", "BR", "", []Item{jacket}, nil},
		{"unknown", "", "", []Item{jacket}, nil},
	}
	for _, test := range tests {
		bill := priceOf(t, Basket{Currency: "GBP", Country: test.country, PostalCode: test.postcode, Items: test.items, Now: noon})
		var got []string
		for _, d := range bill.Deliveries {
			got = append(got, d.ID)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestWorkingDays(t *testing.T) {
	for _, test := range []struct {
		from time.Time
		n    int
		want time.Time
	}{
		{noon, 1, day(8)},
		{noon, 3, day(12)},                       // over the weekend
		{noon.Add(2 * time.Hour), 1, day(9)},     // after the cut-off
		{day(9).Add(15 * time.Hour), 1, day(13)}, // Friday afternoon
		{day(10), 1, day(12)},                    // Saturday
	} {
		if got := workingDays(test.from, test.n); !got.Equal(test.want) {
			t.Errorf("%d working days from %s: %s, want %s", test.n, test.from, got, test.want)
		}
	}
}

func anyBasket() *rapid.Generator[Basket] {
	return rapid.Custom(func(t *rapid.T) Basket {
		items := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Item {
			return Item{
				Price:     rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "price"),
				Quantity:  rapid.Int64Range(1, 1000).Draw(t, "quantity"),
				ZeroRated: rapid.Bool().Draw(t, "zero"), Digital: rapid.Bool().Draw(t, "digital"),
				Oversize: rapid.Bool().Draw(t, "oversize"), Promoted: rapid.Bool().Draw(t, "promoted"),
			}
		}), 0, 8).Draw(t, "items")
		return Basket{
			Currency: rapid.SampledFrom([]money.Currency{"GBP", "JPY", "EUR", "KWD"}).Draw(t, "currency"),
			Items:    items, Now: noon,
			Codes:    rapid.SliceOfN(rapid.SampledFrom([]string{"WELCOME10", "TRAIL20", "FREESHIP", "SUMMER24", "NOPE"}), 0, 4).Draw(t, "codes"),
			Country:  rapid.SampledFrom([]string{"", "GB", "DE", "IT", "US", "JP", "BR"}).Draw(t, "country"),
			Delivery: rapid.SampledFrom([]string{"", "standard", "next-day", "express"}).Draw(t, "delivery"),
		}
	})
}

// TestTotalsAddUp holds every bill to the arithmetic that a buyer could do.
func TestTotalsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		basket := anyBasket().Draw(t, "basket")
		b, err := Price(basket)
		if err != nil {
			t.Fatal(err)
		}
		var subtotal, lines, tax int64
		saved := make([]int64, len(b.Lines))
		for _, d := range b.Discounts {
			var parts int64
			for i, part := range d.Lines {
				if part < 0 {
					t.Fatalf("discount %s makes line %d dearer by %d", d.Code, i, -part)
				}
				saved[i] += part
				parts += part
			}
			if !d.OnDelivery && parts != d.Amount || d.Amount <= 0 {
				t.Fatalf("parts of %q are %d, want %d above zero", d.Title, parts, d.Amount)
			}
		}
		for i, line := range b.Lines {
			if line.Subtotal != line.Unit*basket.Items[i].Quantity || line.Total != line.Subtotal-saved[i] || line.Total < 0 || line.Tax < 0 {
				t.Fatalf("line %d does not add up: %+v, saved %d", i, line, saved[i])
			}
			if basket.Items[i].ZeroRated && line.Tax != 0 {
				t.Fatalf("line %d is zero-rated and taxed by %d", i, line.Tax)
			}
			subtotal, lines, tax = subtotal+line.Subtotal, lines+line.Total, tax+line.Tax
		}
		goods, delivery := b.Savings()
		if subtotal != b.Subtotal || lines != subtotal-goods || delivery > b.Fulfillment {
			t.Fatalf("sums do not fit: %+v", b)
		}
		want := lines + b.Fulfillment - delivery
		if b.TaxAdded {
			want += b.Tax
		}
		if b.Total != want || b.Total < 0 || b.Tax < tax || b.Tax > b.Total {
			t.Fatalf("total %d, tax %d of which lines %d; want total %d", b.Total, b.Tax, tax, want)
		}
		if len(b.Codes)+len(b.Refused) > len(basket.Codes) {
			t.Fatalf("%v became %v and %v", basket.Codes, b.Codes, b.Refused)
		}
		again, err := Price(basket)
		if diff := cmp.Diff(b, again, cmp.AllowUnexported(Bill{}, code{})); diff != "" || err != nil {
			t.Fatalf("the same basket costs something else: %v\n%s", err, diff)
		}
	})
}

func TestTooMuchMoney(t *testing.T) {
	if bill, err := Price(Basket{Currency: "GBP", Items: []Item{{Price: 1 << 62, Quantity: 1000}}}); err == nil {
		t.Errorf("the total is %d", bill.Total)
	}
}

func TestTariffs(t *testing.T) {
	tariffs, err := Tariffs("JPY")
	if err != nil {
		t.Fatal(err)
	}
	if len(tariffs) != 2*len(Countries()) {
		t.Errorf("%d tariffs for %d countries", len(tariffs), len(Countries()))
	}
	if want := (Tariff{"United Kingdom", "Standard delivery", "3 to 5 working days", 941}); tariffs[0] != want {
		t.Errorf("got %+v, want %+v", tariffs[0], want)
	}
	if _, err := Tariffs("XXX"); err == nil {
		t.Error("there are tariffs in no currency")
	}
}
