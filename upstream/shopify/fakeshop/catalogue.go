package fakeshop

import "strconv"

// product is a product of the shop.
type product struct {
	number      int
	handle      string
	title       string
	french      string // the title in French, if it has one
	html        string
	vendor      string
	kind        string
	tags        []string
	collections []string
	category    string
	options     []string
	planned     bool
	fields      []object
	variants    []*variant
}

// variant is a variant of a product. Prices are in pence.
type variant struct {
	number  int
	sku     string
	choices []string
	price   int64
	before  int64
	stock   int64
	// uncounted: the shop does not count it. beyond: it is sold beyond its stock.
	uncounted, beyond bool
	// minimum, maximum and increment are its rule for quantities.
	minimum, maximum, increment int64
}

// newVariant returns a variant without a rule of its own.
func newVariant(sku string, price, stock int64, choices ...string) *variant {
	return &variant{sku: sku, price: price, stock: stock, choices: choices, minimum: 1, increment: 1}
}

// catalogue returns the shop's products: walking gear, with one of each kind of
// difficulty, and as many more as extra says.
func catalogue(extra int) []*product {
	ridge := &product{
		handle: "ridge-3l-waterproof-jacket", title: "Women's Ridge 3L Waterproof Jacket", french: "Veste imperméable Ridge 3L femme",
		html: "<p>Three layers for <strong>long</strong> wet days.</p><ul><li>Taped seams</li><li>Hood</li></ul>", vendor: "Fellgate",
		kind: "Jackets", tags: []string{"waterproof", "women"}, collections: []string{"Outerwear", "New in"}, category: "Coats & Jackets",
		options: []string{"Colour", "Size"},
		variants: []*variant{
			newVariant("RDG-SLATE-S", 18900, 14, "Slate", "S"), newVariant("RDG-SLATE-M", 18900, 17, "Slate", "M"), newVariant("RDG-SLATE-L", 18900, 0, "Slate", "L"),
			newVariant("RDG-MOSS-S", 16900, 1, "Moss", "S"), newVariant("RDG-MOSS-M", 16900, 27, "Moss", "M"),
		},
		fields: []object{
			metafield("facts", "waterproof", "boolean", "true"),
			metafield("facts", "features", "list.single_line_text_field", `["Taped seams","Hood & peak"]`),
			metafield("facts", "weight", "weight", `{"value":410,"unit":"g"}`),
			metafield("facts", "guide", "page_reference", "gid://shopify/Page/1"),
			metafield("reviews", "rating", "rating", `{"value":"4.5","scale_min":"1.0","scale_max":"5.0"}`),
			metafield("reviews", "rating_count", "number_integer", "12"),
		},
	}
	ridge.variants[3].before = 18900
	puddle := &product{
		handle: "kids-puddle-rain-jacket", title: "Kids' Puddle Rain Jacket", html: "<p>For puddles.</p>", vendor: "Brackenfold",
		kind: "Jackets", tags: []string{"kids"}, collections: []string{"Outerwear"}, options: []string{"Colour", "Age"},
		variants: []*variant{newVariant("PDL-RED-34", 3900, 28, "Red", "3-4"), newVariant("PDL-RED-56", 3900, 22, "Red", "5-6"), newVariant("PDL-TEAL-34", 3900, 33, "Teal", "3-4")},
	}
	socks := &product{
		handle: "merino-hiking-socks", title: "Merino Hiking Socks (2 Pack)", html: "<p>Warm when wet.</p>", vendor: "Hodd & Vale",
		kind: "Accessories", collections: []string{"Warm things"}, options: []string{"Size"},
		variants: []*variant{newVariant("SOK-S", 2200, 22, "S"), newVariant("SOK-M", 2200, 60, "M"), newVariant("SOK-L", 2200, 33, "L")},
	}
	shoes := &product{
		handle: "beck-approach-shoes", title: "Beck Approach Shoes", html: "<p>Sticky.</p>", vendor: "Stanning", kind: "Footwear",
		options: []string{"UK size"}, variants: []*variant{newVariant("BCK-6", 12500, 0, "6"), newVariant("BCK-8", 12500, 0, "8")},
	}
	poles := &product{
		handle: "trig-carbon-poles", title: "Trig Carbon Trekking Poles (Pair)", html: "<p>Light.</p>", vendor: "Stanning",
		kind: "Accessories", options: []string{"Length"}, variants: []*variant{newVariant("TRG-115CM", 9500, 3, "115 cm"), newVariant("TRG-125CM", 9500, 25, "125 cm")},
	}
	all := []*product{
		ridge, puddle, socks, shoes, poles, hooks(), cards(), bars(), coffee(),
		single("merino-neck-gaiter", "Merino Neck Gaiter", "NCK", 1800, 500, "Accessories", "Warm things"),
		single("drift-insulated-mat", "Drift Insulated Sleeping Mat", "DFT", 9900, 28, "Camping"),
		single("ember-gas-stove", "Ember Gas Stove", "EMB", 4800, 22, "Camping"),
		backordered(),
	}
	for i := range extra {
		n := strconv.Itoa(i + 1)
		all = append(all, single("carabiner-"+n, "Carabiner "+n, "CAR-"+n, 700, 9, "Hardware"))
	}
	number := 1000
	for i, p := range all {
		p.number = 100 + i
		for _, v := range p.variants {
			number++
			v.number = number
		}
	}
	return all
}

// single is a product without options.
func single(handle, title, sku string, price, stock int64, kind string, collections ...string) *product {
	return &product{
		handle: handle, title: title, html: "<p>" + title + ".</p>", vendor: "Hodd & Vale", kind: kind, collections: collections,
		variants: []*variant{newVariant(sku, price, stock)},
	}
}

// hooks have more variants than come at once.
func hooks() *product {
	p := &product{handle: "sky-hooks", title: "Sky Hooks", html: "<p>In every size.</p>", vendor: "Stanning", kind: "Camping", options: []string{"Number"}}
	for i := range 130 {
		n := strconv.Itoa(i + 1)
		p.variants = append(p.variants, newVariant("SKY-"+n, 500+int64(i), 5, n))
	}
	return p
}

// cards are not counted and travel by mail.
func cards() *product {
	p := single("gift-card", "Gift Card", "GFT", 2500, 0, "Gift cards")
	p.variants[0].uncounted = true
	return p
}

// bars are sold in sixes, and forty-eight at most.
func bars() *product {
	p := single("oat-bars", "Oat Bars", "OAT", 150, 600, "Food")
	p.variants[0].minimum, p.variants[0].maximum, p.variants[0].increment = 6, 48, 6
	return p
}

// coffee is sold by subscription only.
func coffee() *product {
	p := single("bothy-coffee", "Bothy Coffee", "COF", 900, 80, "Food")
	p.planned = true
	return p
}

// backordered is sold beyond its stock.
func backordered() *product {
	p := single("crag-28-daypack", "Crag 28 Daypack", "CRG", 8500, -2, "Packs")
	p.variants[0].beyond = true
	return p
}

func metafield(namespace, key, kind, value string) object {
	return object{"namespace": namespace, "key": key, "type": kind, "value": value}
}

// available reports whether a variant can be bought.
func (v *variant) available() bool { return v.uncounted || v.beyond || v.stock > 0 }

// sellable is how many of n the shop would sell.
func (v *variant) sellable(n int64) int64 {
	if v.uncounted || v.beyond {
		return n
	}
	return min(n, max(v.stock, 0))
}

func (p *product) id() string { return "gid://shopify/Product/" + strconv.Itoa(p.number) }

func (v *variant) id() string { return "gid://shopify/ProductVariant/" + strconv.Itoa(v.number) }
