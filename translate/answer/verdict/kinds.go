package verdict

// general are the things that others are kinds of: navy is blue, and merino wool.
// Nothing here is ever written to.
var general = []struct {
	name  string
	kinds []string
}{
	{"blue", []string{"navy", "navy blue", "sky", "indigo", "denim blue", "midnight", "cobalt", "petrol", "ice", "azure", "ink"}},
	{"red", []string{"burgundy", "maroon", "crimson", "scarlet", "cherry", "wine", "ruby", "berry", "bordeaux"}},
	{"brown", []string{"tan", "chestnut", "camel", "cognac", "chocolate", "mocha", "coffee", "taupe", "bronze", "copper"}},
	{"grey", []string{"charcoal", "graphite", "slate", "silver", "anthracite", "storm", "steel"}},
	{"green", []string{"olive", "khaki", "moss", "sage", "forest", "emerald", "mint", "lime"}},
	{"pink", []string{"fuchsia", "magenta", "rose", "blush", "salmon"}},
	{"purple", []string{"violet", "lilac", "lavender", "plum", "mauve", "aubergine", "heather"}},
	{"white", []string{"cream", "ivory", "ecru"}},
	{"beige", []string{"sand", "oat", "canvas", "nude", "stone", "champagne"}},
	{"orange", []string{"rust", "coral", "peach", "apricot", "amber", "terracotta"}},
	{"yellow", []string{"mustard", "ochre", "gold", "lemon"}},
	{"turquoise", []string{"teal", "aqua", "cyan"}},
	{"wool", []string{"merino", "cashmere", "lambswool", "mohair", "alpaca"}},
	{"leather", []string{"suede", "nubuck", "real leather", "nappa"}},
	{"cotton", []string{"denim", "corduroy", "flannel"}},
	{"metal", []string{"stainless steel", "cast iron", "iron", "aluminium", "titanium", "brass"}},
	{"wood", []string{"oak", "walnut", "pine", "beech", "ash", "teak", "acacia", "bamboo"}},
	{"ceramic", []string{"porcelain", "stoneware", "earthenware"}},
	{"waterproof", []string{"gore", "gore tex"}},
}

// isKindOf reports whether one thing is a kind of another, itself not among them.
func (l *Lexicon) isKindOf(special, general string) bool {
	for range 4 { // no chain is longer
		next, ok := l.kindOf[special]
		if !ok {
			return false
		}
		if next == general {
			return true
		}
		special = next
	}
	return false
}
