package relevance

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// TestFreeWords asks without a reader, of titles and categories as shops write them.
func TestFreeWords(t *testing.T) {
	for _, c := range []struct {
		q, title, cat string
		want          Relevance
	}{
		{"salon chair", "Barberpub hydraulic recline salon barber chair", "Furniture/Salon Chairs", Related},
		{"salon chair", "Kyoto swivel task chair", "Office Chairs", Related},
		{"turquoise pillows", "Embroidered throw pillow", "Decorative Pillows", Related},
		{"turquoise pillows", "Ombre area rug turquoise", "Rugs", Unrelated},
		{"led bulb", "60 watt equivalent E26 dimmable light bulb", "Bulbs", Related},
		{"led bulb", "Cora 3-light vanity light", "Lighting", Unrelated},
		{"sugar canister", "Ceramic 3 piece kitchen canister set", "Kitchen Canisters", Related},
		{"sugar canister", "Organic cane sugar 1 kg", "Food", Unrelated},
		{"salt shaker", "Salt and pepper shaker set", "", Related},
		{"salt shaker", "Sea salt, coarse", "", Unrelated},
		{"shoe bench", "Entryway bench with shoe storage", "Benches", Related},
		{"shoe bench", "Canvas shoe", "Shoes", Unrelated},
		{"bathroom vanity", "Ellen 36\" single bathroom vanity set", "Vanities", Related},
		{"wood bar stools", "Hale 30\" bar stool (set of 2)", "Bar Stools", Related},
		{"kids toy box", "Toddler toy chest with lid", "Toy Boxes", Related},
		{"rug pad", "Non slip rug pad 5x8", "Rug Pads", Related},
		{"rug pad", "Hand woven rug", "Area Rugs", Unrelated},
		{"shower curtain hooks", "12 rustproof shower curtain hooks", "", Related},
		{"shower curtain", "12 rustproof shower curtain hooks", "", Unrelated},
		{"airpods pro case", "Silicone case cover compatible with AirPods Pro", "", Related},
		{"airpods pro", "Silicone case cover compatible with AirPods Pro", "", Unrelated},
		{"air fryer", "Air fryer liners disposable, 100 pcs", "", Unrelated},
		{"air fryer", "COSORI 5.8 QT air fryer oven with 100 recipes", "", Related},
		{"mens wallet leather", "Slim leather wallet for men RFID", "", Related},
		{"dog bed", "Orthopedic dog bed with removable cover", "", Related},
		{"dog bed", "Queen platform bed", "", Unrelated},
		{"bed", "Orthopedic dog bed", "", Unrelated},
		{"coffee table", "Mid-century coffee table with storage", "", Related},
		{"coffee table", "Extendable dining table", "", Unrelated},
		{"coffee table", "Coffee table book", "", Unrelated},
		{"outdoor lounge chair", "Wicker patio chaise lounge", "Patio Chaise Lounges", Related},
		{"car phone holder", "Magnetic phone mount for car dashboard", "", Related},
		{"water bottle", "Insulated stainless steel bottle 750 ml", "", Related},
		{"water bottle", "Bottle brush cleaner", "", Unrelated},
		{"guitar strings", "Acoustic guitar", "", Unrelated},
		{"guitar strings", "Phosphor bronze acoustic guitar strings", "", Related},
		{"harry potter wand", "Harry Potter Hermione wand in box", "", Related},
		{"harry potter wand", "Harry Potter and the Philosopher's Stone book", "", Unrelated},
		{"mattress", "Memory foam mattress topper", "", Unrelated},
		{"mattress", "12 inch gel memory foam mattress, queen", "", Related},
		{"curtain", "Blackout curtains 2 panels", "", Related},
		{"lamp", "Industrial table lamp with USB port", "", Related},
		{"sofa", "Sofa slipcover 3 seater", "", Unrelated},
		{"sofa", "Reversible sectional couch, L-shaped", "", Related},
		{"hiking backpack", "50L hiking backpack with rain cover", "", Related},
		{"watch", "Smart watch for Android phones", "", Related},
		{"watch", "Watch band 20mm silicone", "", Unrelated},
		{"phone unlocked", "Pixel 8 smartphone 128 GB", "", Related},
		{"printer ink", "HP 67XL black ink cartridge", "", Related},
		{"paper towel holder", "Under cabinet paper towel holder", "", Related},
		{"paper towels", "Under cabinet paper towel holder", "", Unrelated},
		{"garden hose", "Expandable garden hose 50 ft", "", Related},
		{"garden hose", "Garden hose reel cart", "", Unrelated},
		{"yoga mat", "Yoga mat bag", "", Unrelated},
		{"dress", "Women's floral summer dress with pockets", "", Related},
		{"baby stroller", "Stroller organizer with cup holders", "", Unrelated},
		{"bike", "Bike helmet for adults", "", Unrelated},
		{"bike", "26 inch mountain bike, 21 speed", "", Related},
		{"knife", "Knife sharpener", "", Unrelated},
		{"piano", "Piano bench with storage", "", Unrelated},
		{"coat", "Coat rack freestanding", "", Unrelated},
		{"tv", "TV stand for TVs up to 65 inches", "", Unrelated},
		{"desk", "Desk lamp with wireless charger", "", Unrelated},
		{"ps5", "PlayStation 5 console", "", Related},
		{"ps5", "Charging station for PS5 controller", "", Unrelated},
		{"tent", "Coleman 4-person camping tent with rainfly", "", Related},
	} {
		j := For(Question{Words: c.q, Language: "en"}, nil)
		p := &upstream.Product{Title: c.title}
		if c.cat != "" {
			p.Categories = []string{c.cat}
		}
		if got := j.Explain(p); got.Relevance != c.want {
			t.Errorf("%q, %q: %d (%s, %s)", c.q, c.title, got.Relevance, got.Reason, got.Kind)
		}
	}
}
