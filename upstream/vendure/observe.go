package vendure

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
)

// observe turns what the shop says of a basket into the model.
func (s *Shop) observe(sc *schema, v upstream.Visit, held contents, h handle) (upstream.Observed, error) {
	if held.none() {
		return s.observeNone(sc, v), nil
	}
	order := held.order
	purse := s.newPurse(order.Get("currencyCode"))
	sums := readSums(purse, order, held.included)
	o := upstream.Observed{
		Currency:  purse.currency,
		Lines:     s.readLines(purse, order, held.included, h.Lines),
		Tax:       tax(held.included),
		Totals:    sums.totals,
		Total:     sums.total,
		TaxTotal:  &sums.tax,
		Estimated: order.Get("shippingAddress.countryCode").String() == "" || held.chosen() == "",
		Discounts: readDiscounts(purse, order, held.included, h.Lines),
		Chosen:    held.chosen(),
		Missing:   missing(order, h.OtherBuyer),
		HandOff:   s.checkoutURL(h),
	}
	if !h.NoRoute {
		o.Delivery = readDelivery(purse, held)
	}
	return o, purse.failed(readingBasket)
}

// observeNone is a basket that the shop has not begun: it begins one with the
// first change.
func (s *Shop) observeNone(sc *schema, v upstream.Visit) upstream.Observed {
	currency := sc.currency
	if slices.Contains(sc.currencies, v.Market.Currency) {
		currency = v.Market.Currency
	}
	nothing := money.Amount{Currency: currency}
	return upstream.Observed{
		Currency:  currency,
		Tax:       tax(sc.included),
		Totals:    []upstream.Total{{Kind: upstream.TotalSubtotal, Amount: nothing}},
		Total:     nothing,
		Estimated: true,
		Missing:   missing(gjson.Result{}, false),
	}
}

// readLines returns the lines in the caller's order, and after them what the
// caller does not know of. A line of the shop is several of the caller's where
// these named the same variant.
func (s *Shop) readLines(purse *purse, order gjson.Result, included bool, kept []keptLine) []upstream.Line {
	var lines []upstream.Line
	for _, item := range order.Get("lines").Array() {
		shares := share(item, kept)
		subtotals := purse.split(purse.either(item, included, "linePrice", "linePriceWithTax"), shares)
		totals := purse.split(purse.either(item, included, "proratedLinePrice", "proratedLinePriceWithTax"), shares)
		for i, part := range shares {
			line := s.readLine(purse, item, included)
			line.Key, line.Quantity = part.Key, part.Quantity
			line.Subtotal, line.Total = subtotals[i], totals[i]
			lines = append(lines, line)
		}
	}
	slices.SortStableFunc(lines, func(a, b upstream.Line) int { return position(a.Key, kept) - position(b.Key, kept) })
	return lines
}

// position is where a line stands among the caller's, behind all if it is none.
func position(key string, kept []keptLine) int {
	at := slices.IndexFunc(kept, func(k keptLine) bool { return k.Key == key })
	if at < 0 {
		return len(kept)
	}
	return at
}

// readLine reads what a line says of its item.
func (s *Shop) readLine(purse *purse, item gjson.Result, included bool) upstream.Line {
	variant := item.Get("productVariant")
	product := variant.Get("product.id").String()
	return upstream.Line{
		Item:    variantID(product, variant.Get("id").String()),
		Product: productID(product),
		Title:   plaintext.FromHTML(variant.Get("name").String()),
		Choices: readChoices(variant.Get("options")),
		Unit:    purse.either(item, included, "unitPrice", "unitPriceWithTax"),
		Image:   item.Get("featuredAsset.preview").String(),
		URL:     s.product.Fill("handle", variant.Get("product.slug").String(), "id", product),
	}
}

// share divides a line of the shop among the caller's lines of the same variant,
// the first ones first. A line of which the caller knows nothing is one share.
func share(item gjson.Result, kept []keptLine) []keptLine {
	variant, left := item.Get("productVariant.id").String(), item.Get("quantity").Int()
	var shares []keptLine
	for _, line := range kept {
		if line.Variant != variant || left == 0 {
			continue
		}
		line.Quantity = min(line.Quantity, left)
		left -= line.Quantity
		shares = append(shares, line)
	}
	switch {
	case len(shares) == 0:
		return []keptLine{{Key: "shop-" + item.Get("id").String(), Variant: variant, Quantity: left}}
	case left > 0:
		// More than was wanted: somebody else has the session too.
		shares[len(shares)-1].Quantity += left
	}
	return shares
}

// split divides an amount among shares by their quantities.
func (p *purse) split(amount money.Amount, shares []keptLine) []money.Amount {
	weights := make([]int64, len(shares))
	for i, share := range shares {
		weights[i] = share.Quantity
	}
	parts := make([]money.Amount, len(shares))
	for i, minor := range money.Allocate(amount.Minor, weights) {
		parts[i] = money.Amount{Minor: minor, Currency: amount.Currency}
	}
	return parts
}

// readDelivery returns the ways of delivery on offer.
func readDelivery(purse *purse, held contents) []upstream.DeliveryOption {
	var options []upstream.DeliveryOption
	for _, method := range held.methods.Array() {
		options = append(options, upstream.DeliveryOption{
			ID:          method.Get("id").String(),
			Title:       plaintext.FromHTML(method.Get("name").String()),
			Description: plaintext.FromHTML(method.Get("description").String()),
			Price:       purse.either(method, held.included, "price", "priceWithTax"),
		})
	}
	return options
}

// missing says what the shop still wants. Vendure itself would take an order
// without an address or with nameless buyers; nobody could deliver it.
func missing(order gjson.Result, otherBuyer bool) []upstream.Missing {
	var list []upstream.Missing
	lacks := func(m upstream.Missing, path string) bool {
		if order.Get(path).String() != "" {
			return false
		}
		list = append(list, m)
		return true
	}
	lacks(upstream.MissingLines, "lines.0.id")
	if otherBuyer {
		list = append(list, upstream.MissingEmail)
	} else {
		lacks(upstream.MissingEmail, "customer.emailAddress")
	}
	lacks(upstream.MissingFirstName, "customer.firstName")
	lacks(upstream.MissingLastName, "customer.lastName")
	if !lacks(upstream.MissingAddress, "shippingAddress.countryCode") {
		lacks(upstream.MissingStreet, "shippingAddress.streetLine1")
	}
	lacks(upstream.MissingDelivery, "shippingLines.0.shippingMethod.id")
	return list
}
