package fakeshop

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
)

// cart is a basket of the shop.
type cart struct {
	token, key string
	lines      []*line
	codes      []string
	attributes []any
	buyer      map[string]any
	addresses  []*address
	chosen     string
	// fresh: its address was set by the mutation that is being answered.
	fresh bool
}

type line struct {
	id       string
	product  *product
	variant  *variant
	quantity int64
}

type address struct {
	id     string
	fields map[string]any
}

// newCart begins a cart.
func (s *Shop) newCart() *cart {
	c := &cart{token: "hWN" + rand.Text(), key: strings.ToLower(rand.Text()), buyer: map[string]any{}}
	s.carts[c.id()] = c
	return c
}

func (c *cart) id() string { return "gid://shopify/Cart/" + c.token + "?key=" + c.key }

// land is the country that the cart has its prices for.
func (c *cart) land() land { return landOf(text(c.buyer["countryCode"])) }

// put gives a line a quantity, or as much of it as there is. A line of nothing
// stays for an item that is sold out.
func (l *line) put(n int64) (warnings []object) {
	l.quantity = l.variant.sellable(n)
	switch {
	case l.quantity == n:
		return nil
	case l.quantity == 0:
		return []object{{"code": "MERCHANDISE_OUT_OF_STOCK", "target": l.id, "message": "The product '" + l.product.title + "' is already sold out."}}
	}
	return []object{{
		"code": "MERCHANDISE_NOT_ENOUGH_STOCK", "target": l.id,
		"message": fmt.Sprintf("Only %d items were added to your cart due to availability.", l.quantity),
	}}
}

// line returns the line of an id.
func (c *cart) line(id string) *line {
	for _, l := range c.lines {
		if l.id == id {
			return l
		}
	}
	return nil
}

// renderCart renders a cart, nil where there is none.
func (s *Shop) renderCart(c *cart, l locale) object {
	if c == nil {
		return nil
	}
	l.land = c.land()
	bill := s.bill(c)
	var lines []object
	for _, line := range c.lines {
		own, all := bill.allocations(line, true), bill.allocations(line, false)
		unit := l.land.amount(line.variant.price)
		lines = append(lines, object{
			"__typename": "CartLine", "id": line.id, "quantity": line.quantity,
			"cost": object{"amountPerQuantity": moneyOf(unit), "subtotalAmount": moneyOf(times(unit, line.quantity))},
			"discountAllocations": resolver(func(a map[string]any) any {
				if a["lineLevelOnly"] == false {
					return all
				}
				return own
			}),
			"merchandise": s.variant(line.product, line.variant, l),
		})
	}
	var codes []object
	for _, code := range c.codes {
		codes = append(codes, object{"code": code, "applicable": bill.refused[code] == ""})
	}
	addresses := []object{}
	for _, a := range c.addresses {
		addresses = append(addresses, object{"id": a.id})
	}
	return object{
		"id": c.id(), "checkoutUrl": "https://checkout.fell.example/cart/c/" + c.token + "?key=" + c.key,
		"discountCodes": append([]object{}, codes...), "cost": object{"totalAmount": moneyOf(bill.total)},
		"delivery":       object{"addresses": addresses},
		"deliveryGroups": connection(s.groups(c, bill)),
		"lines":          connection(lines),
	}
}

// ways are the ways of delivery, in pence.
func ways() []struct {
	handle, title, description string
	pence                      int64
} {
	return []struct {
		handle, title, description string
		pence                      int64
	}{
		{"3f1c-standard", "Standard delivery", "3 to 5 working days", 495},
		{"9b07-express", "Next-day delivery", "", 995},
	}
}

// travels reports whether the cart has goods, and somewhere to send them.
func (c *cart) travels() bool {
	goods := slices.ContainsFunc(c.lines, func(l *line) bool { return l.quantity > 0 && l.product.kind != "Gift cards" })
	return goods && len(c.addresses) > 0 && landOf(text(c.addresses[0].fields["countryCode"])).ships
}

// groups render the delivery groups.
func (s *Shop) groups(c *cart, b bill) []object {
	if !c.travels() || s.options.Hesitates && c.fresh {
		return nil
	}
	var groups []object
	for parcel := range s.parcels() {
		var options []object
		for _, w := range ways() {
			options = append(options, object{
				"handle": w.handle, "title": w.title, "code": w.title, "description": w.description, "estimatedCost": c.land().price(w.pence),
			})
		}
		group := object{
			"id":              fmt.Sprintf("gid://shopify/CartDeliveryGroup/%d?cart=%s", parcel, c.token),
			"deliveryOptions": options, "selectedDeliveryOption": object{"handle": c.way()},
			"discountAllocations": []object{},
		}
		if b.offDelivery.Minor > 0 && parcel == 0 {
			group["discountAllocations"] = []object{allocation("CartCodeDiscountAllocation", "FREESHIP", b.offDelivery)}
		}
		groups = append(groups, group)
	}
	return groups
}

func (s *Shop) parcels() int {
	if s.options.Parcels {
		return 2
	}
	return 1
}

// way is the handle of the way in force: the first one, unless another was chosen.
func (c *cart) way() string {
	if c.chosen == "" {
		return ways()[0].handle
	}
	return c.chosen
}

func times(a money.Amount, n int64) money.Amount {
	product, err := a.Mul(n)
	if err != nil {
		return money.Amount{Currency: a.Currency}
	}
	return product
}
