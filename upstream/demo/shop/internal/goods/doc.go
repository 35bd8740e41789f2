// Package goods is what the demo shop sells: its catalogue, the built-in one or
// one that an operator loads, and the shop's own search.
//
// # Rows
//
// A catalogue is read from JSON Lines, one product a line:
//
//	{"id": "p1", "handle": "kiln-mug", "title": "Kiln Mug", "description": "…",
//	 "brand": "Kilnhouse", "category": "Home/Tableware", "price_minor": 1600,
//	 "currency": "GBP", "in_stock": true,
//	 "attributes": {"material": "stoneware", "colour": ["Rust", "Oat"]},
//	 "variants": [{"sku": "KSM-RUST", "colour": "Rust", "price_minor": 1600, "in_stock": true}]}
//
// Required are id, handle, title, price_minor and currency; the currency is the
// same in all rows. Prices are whole minor units. What a variant says besides the
// fields named here is an option to choose, and all variants of a product have
// the same options. A product without variants is its own only variant.
//
// Optional in a row are description, brand, category (a path from the widest to
// the narrowest part), in_stock, attributes, variants, tags, rating
// {"hundredths": 460, "count": 12} out of 500, shape (what is drawn for it), tax
// ("zero" for zero-rated goods), digital (sent by e-mail), oversize (too large for
// the fast van) and discontinued (shown but no longer sold). Optional in a row
// without variants and in a variant are sku, barcode, list_price_minor (the price
// before a sale) and stock (how many there are; without it nobody counts). Any
// other field of a row is left alone.
//
// A description may be HTML, as exported ones are; its text is kept.
package goods
