package verdict

import (
	"strings"
	"testing"
)

// judged is the verdict on a product of a title, facts and a text, by an English
// shop.
func judged(t *testing.T, wanted, title, facts, text string) string {
	t.Helper()
	key, value, _ := strings.Cut(wanted, ": ")
	return only1(t, product(title, facts, text), Constraint{Kind: Attribute, Key: key, Value: value})
}

// TestMeasures: a number with its unit is one thing, however it is written and
// wherever it stands.
func TestMeasures(t *testing.T) {
	for _, test := range []struct{ wanted, title, facts, text, want string }{
		{"length: 32 inch", `Samsung LE-32T51B TV 81.3 cm (32") Black`, "", "", "satisfied"},
		{"length: 32 Zoll", `TV`, "screen: 32-inch", "", "satisfied"},
		{"length: 10.1 inch", `Tablet case 25.6 cm (10.1")`, "", "", "satisfied"},
		{"length: 10.1 inch", `Tablet case 25.6 cm (11.1")`, "", "", "not_assessed"},
		{"length: 4 inch tall", "Bed storage", "", "It is 4 inches high.", "satisfied"},
		{"capacity: 64gb", "USB stick 64 GB", "", "", "satisfied"},
		{"capacity: 64gb", "USB stick", "capacity: 64 GB", "", "satisfied"},
		{"capacity: 64gb", "USB stick", "capacity: 32 GB", "", "failed"},
		{"capacity: 64gb", "USB stick 64GB", "capacity: 50", "", "satisfied"},
		{"capacity: 1.5 litres", "Kettle 1,50 l", "", "", "satisfied"},
		{"capacity: 2 person", "2-person tent", "", "", "satisfied"},
		{"capacity: 2 person", "Tent for 2 people", "", "", "satisfied"},
		{"capacity: 2人用", "Tent", "places: 2 persons", "", "satisfied"},
		{"capacity: 2 person", "3-person tent", "", "", "not_assessed"},
		{"pieces: 24 pack", "AA batteries, 24 pcs", "", "", "satisfied"},
		{"pieces: 24 pack", "AA batteries (Pack of 24)", "", "", "satisfied"},
		{"pieces: 24 pack", "AA batteries, box of 12", "", "", "not_assessed"},
		{"pieces: pack of 24", "24-pack AA batteries", "", "", "satisfied"},
		{"pieces: 3 pieces", "Lot de 3 bols", "", "", "satisfied"},
		{"weight: 500g", "Pack of 500 g of coffee", "", "", "satisfied"},
		{"weight: 500g", "Coffee 0.5 kg", "", "", "not_assessed"},
		{"weight: 1,000 g", "Coffee 1000g", "", "", "satisfied"},

		// What a measure is bounded by.
		{"capacity_min: 5 litres", "Stand mixer, 6.5 l", "", "", "satisfied"},
		{"capacity_min: 5 litres", "Stand mixer 4.5l", "", "", "failed"},
		{"capacity_min: 5 litres", "Stand mixer", "capacity: 5 L; tank: 1 l", "", "satisfied"},
		{"capacity_min: 5 litres", "Stand mixer 6l", "capacity: 4 l", "", "failed"},
		{"capacity_min: 5 litres", "Stand mixer", "bowl: 7 litres", "", "satisfied"},
		{"capacity_min: 5 litres", "Stand mixer", "", "", "not_assessed"},
		{"weight_max: 2kg", "Laptop", "weight: 1.35 kg", "", "satisfied"},
		{"weight_max: 2kg", "Laptop", "weight: 2.001 kg", "", "failed"},
	} {
		if got := judged(t, test.wanted, test.title, test.facts, test.text); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s of %q %q %q: %s, want %s", test.wanted, test.title, test.facts, test.text, got, test.want)
		}
	}
}

// TestCompatible: a title that names the device is a statement, and so is a text.
// What is recorded of others says nothing.
func TestCompatible(t *testing.T) {
	for _, test := range []struct{ device, title, facts, text, want string }{
		{"iphone 15", "Leather case for iPhone 15", "", "", "satisfied"},
		{"iphone 15", "iPhone 15 case", "material: silicone", "", "satisfied"},
		{"iphone 15", "Case", "", "Fits the Apple iPhone 15.", "satisfied"},
		{"iphone 15", "Case", "compatibility: iPhone 14, iPhone 15", "", "satisfied"},
		{"iphone 15", "Case", "suitable_for: Apple iPhone 15", "", "satisfied"},
		{"iphone 15", "Case for iPhone 15", "brand_compatibility: Apple", "", "satisfied"},
		{"iphone 15", "Case", "brand_compatibility: Apple", "", "not_assessed"},
		{"iphone 15", "Case", "compatibility: iPhone 14", "", "not_assessed"},
		{"iphone 15", "iPhone 15 Pro Max case", "", "", "not_assessed"},
		{"iphone 15 pro", "iPhone 15 Pro Max case", "", "", "not_assessed"},
		{"iphone 15 pro max", "iPhone 15 Pro Max case", "", "", "satisfied"},
		{"iphone 15 pro", "Case for iPhone 15/15 Pro", "", "", "satisfied"},
		{"iphone 5s", "iPhone 5/5S/SE Treadz case", "", "", "satisfied"},
		{"iphone 5", "iPhone 4 case with 5 pockets", "", "", "not_assessed"},
		{"iphone 15", "Case", "", "Not for iPhone 15.", "failed"},
		{"iphone", "Case for iPhone 13 mini", "", "", "satisfied"},
		{"ipad", "iPad mini cover", "", "", "satisfied"},
		{"samsung galaxy s9", "Galaxy S9 cover", "", "", "satisfied"},
		{"galaxy s9", "Cover Samsung Galaxy S9+", "", "", "satisfied"},
		{"macbook air 13", `Sleeve for MacBook Air 13"`, "", "", "satisfied"},
		{"ps4", "Controller for PlayStation 4", "", "", "satisfied"},
		{"ps4", "PS4 controller", "", "", "satisfied"},
		{"ps4", "PS5 controller", "", "", "not_assessed"},
		{"hp laserjet", "Toner", "compatibility: LaserJet Pro 300", "", "satisfied"},
		{"canon", "Gadget bag", "brand: Canon", "", "satisfied"},
	} {
		if got := judged(t, "compatible_with: "+test.device, test.title, test.facts, test.text); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s of %q %q %q: %s, want %s", test.device, test.title, test.facts, test.text, got, test.want)
		}
	}
}
