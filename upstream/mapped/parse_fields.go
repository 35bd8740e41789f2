package mapped

import "maps"

// product reads the block that says where things stand in a product.
func (p *parser) product(m *Product) func(directive) {
	return func(d directive) {
		if !d.braced || len(d.args) > 0 {
			p.fault(d.at, "write: product { id <path> ... }")
			return
		}
		p.block("product", d.block, words{
			"id": p.value(&m.ID), "handle": p.value(&m.Handle), "title": p.value(&m.Title), "description": p.value(&m.Description),
			"url": p.value(&m.URL), "brand": p.value(&m.Brand), "categories": p.value(&m.Categories), "tags": p.value(&m.Tags),
			"images": p.value(&m.Images), "updated": p.value(&m.Updated),
			"rating": p.value(&m.Rating), "rating_scale": p.value(&m.RatingScale), "rating_count": p.value(&m.RatingCount),
			"attributes": p.pairs(&m.Attributes), "attribute": p.fact(&m.Attributes), "variants": p.variants(&m.Variants),
		})
	}
}

func (p *parser) variants(m *Variants) func(directive) {
	return func(d directive) {
		if !p.in(&m.At, d, "<path> { id <path> ... }") {
			return
		}
		p.block("variants", d.block, words{
			"id": p.value(&m.ID), "sku": p.value(&m.SKU), "barcode": p.value(&m.Barcode), "title": p.value(&m.Title),
			"url": p.value(&m.URL), "currency": p.value(&m.Currency), "price": p.value(&m.Price), "list_price": p.value(&m.ListPrice),
			"availability": p.value(&m.Availability), "stock": p.value(&m.Stock), "images": p.value(&m.Images),
			"choices": p.pairs(&m.Choices), "choice": p.fact(&m.Choices),
			"attributes": p.pairs(&m.Attributes), "attribute": p.fact(&m.Attributes),
		})
	}
}

// pairs reads a list of names with values.
func (p *parser) pairs(into *[]Pairs) func(directive) {
	return func(d directive) {
		var m Pairs
		if p.in(&m.In, d, "<path> { name <path> and value <path> }") {
			p.block(d.name, d.block, words{"name": p.value(&m.Name), "value": p.value(&m.Value)})
			*into = append(*into, m)
		}
	}
}

// fact reads one name with a value: a word is the name itself, or the name stands
// at a path in a block without one.
func (p *parser) fact(into *[]Pairs) func(directive) {
	return func(d directive) {
		var m Pairs
		switch {
		case d.braced && len(d.args) == 0:
			p.block(d.name, d.block, words{"name": p.value(&m.Name), "value": p.value(&m.Value)})
		case !d.braced && len(d.args) > 1:
			m.Name = Value{At: d.at, From: []Source{{Text: d.args[0].Text}}}
			var ok bool
			if m.Value, ok = p.readValue(d.at, d.name, d.args[1:]); !ok {
				return
			}
		default:
			p.fault(d.at, "write: %s <name> <path>, or %s { name <path> and value <path> }", d.name, d.name)
			return
		}
		*into = append(*into, m)
	}
}

// basketWords are the lines of a mapping that are about baskets and orders.
func (p *parser) basketWords(m *Mapping) words {
	return words{
		"create_basket": requestBlock(p, &m.CreateBasket, func(c *Creation) *Request { return &c.Request },
			func(c *Creation) words { return words{"basket": p.value(&c.Basket)} }),
		"basket":          requestBlock(p, &m.Basket, func(b *Basket) *Request { return &b.Request }, p.basket),
		"add_line":        p.oneRequest(&m.AddLine),
		"change_line":     p.oneRequest(&m.ChangeLine),
		"remove_line":     p.oneRequest(&m.RemoveLine),
		"set_lines":       p.oneRequest(&m.SetLines),
		"set_buyer":       p.requestList(&m.SetBuyer),
		"set_address":     p.requestList(&m.SetAddress),
		"set_billing":     p.requestList(&m.SetBilling),
		"delivery":        requestBlock(p, &m.Delivery, func(l *Delivery) *Request { return &l.Request }, p.delivery),
		"choose_delivery": p.requestList(&m.ChooseDelivery),
		"add_code":        p.oneRequest(&m.AddCode),
		"remove_code":     p.oneRequest(&m.RemoveCode),
		"pay":             p.requestList(&m.Pay),
		"place": requestBlock(p, &m.Place, func(l *Placing) *Request { return &l.Request },
			func(l *Placing) words { return p.placed(&l.Placed) }),
		"recover": requestBlock(p, &m.Recover, func(r *Recovery) *Request { return &r.Request }, func(r *Recovery) words {
			known := p.placed(&r.Placed)
			known["attempt"], known["basket"] = p.value(&r.Attempt), p.value(&r.Basket)
			return known
		}),
		"order": requestBlock(p, &m.Order, func(o *Order) *Request { return &o.Request }, p.order),
	}
}

func (p *parser) basket(b *Basket) words {
	return words{
		"in": p.value(&b.In), "currency": p.value(&b.Currency), "total": p.value(&b.Total), "tax_total": p.value(&b.TaxTotal),
		"delivery_fee": p.value(&b.DeliveryFee), "discount": p.value(&b.Discount), "codes": p.value(&b.Codes),
		"chosen": p.value(&b.Chosen), "no_delivery": p.value(&b.NoDelivery), "lines": p.lines(&b.Lines), "fees": p.pairs(&b.Fees), "fee": p.fact(&b.Fees),
		"discounts": func(d directive) {
			m := &b.Discounts
			if p.in(&m.In, d, "<path> { code <path> and amount <path> }") {
				p.block("discounts", d.block, words{
					"code": p.value(&m.Code), "title": p.value(&m.Title), "amount": p.value(&m.Amount), "on_delivery": p.value(&m.OnDelivery),
				})
			}
		},
		"ordered": func(d directive) {
			if p.in(&b.Ordered.In, d, "<path> { id <path> ... }") {
				known := p.placed(&b.Ordered)
				delete(known, "in")
				p.block("ordered", d.block, known)
			}
		},
	}
}

func (p *parser) lines(m *Lines) func(directive) {
	return func(d directive) {
		if !p.in(&m.In, d, "<path> { item <path> ... }") {
			return
		}
		p.block("lines", d.block, words{
			"id": p.value(&m.ID), "item": p.value(&m.Item), "product": p.value(&m.Product), "title": p.value(&m.Title),
			"quantity": p.value(&m.Quantity), "fulfilled": p.value(&m.Fulfilled), "returned": p.value(&m.Returned),
			"unit": p.value(&m.Unit), "subtotal": p.value(&m.Subtotal), "total": p.value(&m.Total),
			"image": p.value(&m.Image), "url": p.value(&m.URL), "choices": p.pairs(&m.Choices), "choice": p.fact(&m.Choices),
		})
	}
}

func (p *parser) delivery(m *Delivery) words {
	return words{
		"in": p.value(&m.In), "id": p.value(&m.ID), "title": p.value(&m.Title), "description": p.value(&m.Description),
		"carrier": p.value(&m.Carrier), "price": p.value(&m.Price), "earliest": p.value(&m.Earliest), "latest": p.value(&m.Latest),
	}
}

func (p *parser) placed(m *Placed) words {
	return words{
		"in": p.value(&m.In), "id": p.value(&m.ID), "key": p.value(&m.Key), "total": p.value(&m.Total),
		"currency": p.value(&m.Currency), "url": p.value(&m.URL),
	}
}

func (p *parser) order(o *Order) words {
	known := p.placed(&o.Placed)
	maps.Copy(known, words{
		"placed_at": p.value(&o.PlacedAt), "status": p.value(&o.Status), "canceled": p.value(&o.Canceled),
		"delivery_title": p.value(&o.DeliveryTitle), "delivery_fee": p.value(&o.DeliveryFee), "tax_total": p.value(&o.TaxTotal),
		"discount": p.value(&o.Discount), "fees": p.pairs(&o.Fees), "fee": p.fact(&o.Fees), "lines": p.lines(&o.Lines),
		"address": func(d directive) {
			m := &o.Address
			if p.in(&m.In, d, "<path> { street <path> ... }") {
				p.block("address", d.block, words{
					"first_name": p.value(&m.FirstName), "last_name": p.value(&m.LastName), "company": p.value(&m.Company),
					"street": p.value(&m.Street), "extended": p.value(&m.Extended), "city": p.value(&m.City), "region": p.value(&m.Region),
					"postal_code": p.value(&m.PostalCode), "country": p.value(&m.Country), "phone": p.value(&m.Phone),
				})
			}
		},
		"events": p.happening(&o.Events), "adjustments": p.happening(&o.Adjustments),
	})
	return known
}

func (p *parser) happening(into *[]Happening) func(directive) {
	return func(d directive) {
		var m Happening
		if !p.in(&m.In, d, "<path> { type <path> ... }") {
			return
		}
		p.block(d.name, d.block, words{
			"id": p.value(&m.ID), "type": p.value(&m.Type), "when": p.value(&m.When), "text": p.value(&m.Text),
			"carrier": p.value(&m.Carrier), "tracking": p.value(&m.Tracking), "tracking_url": p.value(&m.TrackingURL),
			"amount": p.value(&m.Amount), "status": p.value(&m.Status),
			"lines": func(d directive) {
				if p.in(&m.Lines.In, d, "<path> { line <path> and quantity <path> }") {
					p.block("lines", d.block, words{"line": p.value(&m.Lines.Name), "quantity": p.value(&m.Lines.Value)})
				}
			},
		})
		*into = append(*into, m)
	}
}
