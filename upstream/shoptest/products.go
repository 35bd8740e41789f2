package shoptest

import (
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

func productCases() []testCase {
	all := func(check func(*problems, *run, *upstream.Product)) func(*run) {
		return func(r *run) {
			for _, product := range r.catalogue() {
				var p problems
				check(&p, r, &product)
				for _, problem := range p {
					r.Errorf("product %q (%s): %s", product.ID, product.Title, problem)
				}
			}
		}
	}
	return []testCase{
		{"ids are nobody else's", nil, productIDs},
		{"each has a variant", nil, all(productVariants)},
		{"a variant has a choice for each option", nil, all(productOptions)},
		{"prices", nil, all(productPrices)},
		{"availability and stock", nil, all(productStock)},
		{"text is plain", nil, all(productText)},
		{"URLs are absolute", nil, all(productURLs)},
		{"categories and attributes", nil, all(productLabels)},
		{"the single product has one variant", nil, productSingle},
		{"the product with options has several variants", nil, productSeveral},
		{"a sold-out variant says so", []need{needSoldVariant}, productSoldVariant},
		{"a sold-out product says so", []need{needSoldOut}, productSoldOut},
		{"stock is a number", []need{needExactStock, needScarce}, productExactStock},
	}
}

func productIDs(r *run) {
	owner := map[string]string{}
	for _, product := range r.catalogue() {
		variants := map[string]bool{}
		for _, variant := range product.Variants {
			if variants[variant.ID] {
				r.Errorf("product %q has the variant %q twice", product.ID, variant.ID)
			}
			variants[variant.ID] = true
		}
		// A variant may have its product's own id, but nobody else's.
		variants[product.ID] = true
		for id := range variants {
			if other, taken := owner[id]; taken || id == "" {
				r.Errorf("id %q of product %q (%s) is empty or that of %q", id, product.ID, product.Title, other)
			}
			owner[id] = product.ID
		}
	}
}

func productVariants(p *problems, _ *run, product *upstream.Product) {
	if len(product.Variants) == 0 {
		p.add("has no variant")
	}
	if product.Title == "" {
		p.add("has no title")
	}
	skus := map[string]bool{}
	for _, variant := range product.Variants {
		if variant.SKU != "" && skus[variant.SKU] {
			p.add("has the SKU %q twice", variant.SKU)
		}
		skus[variant.SKU] = true
	}
}

func productOptions(p *problems, _ *run, product *upstream.Product) {
	values := map[string]map[string]bool{}
	for _, option := range product.Options {
		if option.Name == "" || len(option.Values) == 0 || values[option.Name] != nil {
			p.add("option %+v has no name of its own, or no values", option)
		}
		values[option.Name] = map[string]bool{}
		for _, value := range option.Values {
			if value == "" || values[option.Name][value] {
				p.add("option %q has the value %q, which is empty or there twice", option.Name, value)
			}
			values[option.Name][value] = true
		}
	}
	if len(product.Variants) > 1 && len(product.Options) == 0 {
		p.add("has %d variants and nothing to choose them by", len(product.Variants))
	}
	seen := map[string]bool{}
	for _, variant := range product.Variants {
		chosen := map[string]bool{}
		var key strings.Builder
		for _, option := range product.Options {
			for _, choice := range variant.Options {
				if choice.Name == option.Name {
					key.WriteString(choice.Name + "=" + choice.Value + "\n")
				}
			}
		}
		for _, choice := range variant.Options {
			if !values[choice.Name][choice.Value] || chosen[choice.Name] {
				p.add("variant %q has the choice %+v, which its product does not offer or which it has twice", variant.ID, choice)
			}
			chosen[choice.Name] = true
		}
		if len(chosen) != len(product.Options) {
			p.add("variant %q chooses %d of %d options", variant.ID, len(chosen), len(product.Options))
		}
		if seen[key.String()] {
			p.add("variant %q has the choices of another one: %+v", variant.ID, variant.Options)
		}
		seen[key.String()] = true
	}
}

func productPrices(p *problems, r *run, product *upstream.Product) {
	want := r.d.Currency
	if currency := r.visit.Market.Currency; currency != "" {
		want = currency
	}
	for _, variant := range product.Variants {
		if variant.Price.Minor <= 0 || variant.Price.Currency != want {
			p.add("variant %q costs %v, want more than nothing and in %s", variant.ID, variant.Price, want)
		}
		if list := variant.ListPrice; list != nil && (list.Currency != variant.Price.Currency || list.Minor <= variant.Price.Minor) {
			p.add("variant %q costs %v and did before %v, which is no sale", variant.ID, variant.Price, *list)
		}
		if variant.Tax != r.d.Tax {
			p.add("variant %q has tax %d, the shop %d", variant.ID, variant.Tax, r.d.Tax)
		}
	}
}

func productStock(p *problems, r *run, product *upstream.Product) {
	for _, variant := range product.Variants {
		if variant.Availability < upstream.AvailabilityUnknown || variant.Availability > upstream.Discontinued {
			p.add("variant %q has the availability %d", variant.ID, variant.Availability)
		}
		switch stock := variant.Stock; {
		case stock == nil && r.d.Capabilities.ExactStock:
			if variant.Availability == upstream.InStock || variant.Availability == upstream.LowStock {
				p.add("variant %q is in stock without a number, and the shop has exact stock", variant.ID)
			}
		case stock == nil:
		case *stock < 0:
			p.add("variant %q has a stock of %d", variant.ID, *stock)
		case *stock > 0 && variant.Availability == upstream.OutOfStock:
			p.add("variant %q is out of stock with %d left", variant.ID, *stock)
		case *stock == 0 && (variant.Availability == upstream.InStock || variant.Availability == upstream.LowStock):
			p.add("variant %q is in stock with none left", variant.ID)
		}
	}
}

func productText(p *problems, _ *run, product *upstream.Product) {
	p.text("title", product.Title)
	p.text("description", product.Description)
	p.text("brand", product.Brand)
	for _, tag := range product.Tags {
		p.text("tag", tag)
	}
	for _, option := range product.Options {
		p.text("option", option.Name+": "+strings.Join(option.Values, ", "))
	}
	for _, attribute := range product.Attributes {
		p.text("attribute "+attribute.Key, strings.Join(attribute.Values, ", "))
	}
	for _, media := range product.Media {
		p.text("description of a picture", media.Alt)
	}
	for _, variant := range product.Variants {
		p.text("title of variant "+variant.ID, variant.Title)
	}
}

func productURLs(p *problems, _ *run, product *upstream.Product) {
	p.url("URL", product.URL)
	pictures := product.Media
	for _, variant := range product.Variants {
		p.url("URL of variant "+variant.ID, variant.URL)
		pictures = append(pictures[:len(pictures):len(pictures)], variant.Media...)
	}
	for _, media := range pictures {
		if media.URL == "" {
			p.add("a picture has no URL")
		}
		p.url("URL of a picture", media.URL)
	}
	if strings.ContainsAny(product.Handle, " /?#%") {
		p.add("handle %q is not safe in a URL", product.Handle)
	}
}

func productLabels(p *problems, _ *run, product *upstream.Product) {
	for _, category := range product.Categories {
		for part := range strings.SplitSeq(category, "/") {
			if part == "" || strings.TrimSpace(part) != part {
				p.add("category %q has an empty part, or spaces around one", category)
			}
		}
		p.text("category", category)
	}
	attributes := product.Attributes
	for _, variant := range product.Variants {
		attributes = append(attributes[:len(attributes):len(attributes)], variant.Attributes...)
	}
	for _, attribute := range attributes {
		if attribute.Key == "" || len(attribute.Values) == 0 {
			p.add("attribute %+v has no key or no value", attribute)
		}
	}
	if rating := product.Rating; rating != nil && (rating.Hundredths < 0 || rating.Hundredths > 100*rating.Scale || rating.Count < 0) {
		p.add("rating %+v is out of its scale", *rating)
	}
}

func productSingle(r *run) {
	product, variant := r.find(r.f.Single)
	if len(product.Variants) != 1 || len(product.Options) != 0 {
		r.Errorf("%q has %d variants and %d options, want one and none", product.Title, len(product.Variants), len(product.Options))
	}
	if !variant.Availability.Buyable() {
		r.Errorf("%q cannot be bought", product.Title)
	}
}

func productSeveral(r *run) {
	product, variant := r.find(r.f.Variant)
	if len(product.Variants) < 2 || len(product.Options) == 0 {
		r.Errorf("%q has %d variants and %d options, want several", product.Title, len(product.Variants), len(product.Options))
	}
	if !variant.Availability.Buyable() {
		r.Errorf("variant %q of %q cannot be bought", variant.SKU, product.Title)
	}
}

func productSoldVariant(r *run) {
	product, variant := r.find(r.f.SoldVariant)
	if a := variant.Availability; a != upstream.OutOfStock && a != upstream.AvailabilityUnknown {
		r.Errorf("variant %q has the availability %d and is sold out", variant.SKU, a)
	}
	if !product.Available() {
		r.Errorf("%q has variants that can be bought, and says it has none", product.Title)
	}
}

func productSoldOut(r *run) {
	product, _ := r.find(r.f.SoldOut)
	for _, variant := range product.Variants {
		if a := variant.Availability; a != upstream.OutOfStock && a != upstream.AvailabilityUnknown {
			r.Errorf("variant %q of %q has the availability %d and is sold out", variant.SKU, product.Title, a)
		}
	}
}

func productExactStock(r *run) {
	_, variant := r.find(r.f.Scarce)
	if variant.Stock == nil || *variant.Stock != r.f.Few {
		r.Errorf("variant %q has a stock of %v, want %d", variant.SKU, variant.Stock, r.f.Few)
	}
}
