package shoptest

import "github.com/storeware/caddy-storeware/upstream"

// need is something that a case cannot be run without.
type need int

const (
	// Of the shop's description.
	needSearch need = iota
	needBaskets
	needPlace
	needNoPlace
	needCodes
	needManyCodes
	needOneCode
	needDelivery
	needOrders
	needExactStock
	// needWalk is met by an adapter that is an upstream.Walker.
	needWalk

	// Of the fixture.
	needSoldVariant
	needSoldOut
	needScarce
	needCategory
	needPercent
	needFixed
	needExpired
	needFreeDelivery
	needAbroad
	needMember
	needDeclined
	needKnown
	// needSerial is met unless the case is excused: the contract does not ask for
	// it, but a shop without it should say so.
	needSerial

	// Of the hooks.
	hookPrice
	hookStock
	hookCount
	hookDrop
	hookLoseAnswer
	hookLoseRequest
	hookRestart
	hookAway
	hookAnother
)

// kind is where a need is met.
type kind int

const (
	ofShop kind = iota
	ofFixture
	ofHooks
)

// missing names what the case lacks, or returns the empty string.
func (n need) missing(r *run) (what string, k kind) {
	has := false
	switch {
	case n == needWalk:
		what = "walk through its catalogue"
		_, has = r.shop.(upstream.Walker)
		k = ofShop
	case n < needSoldVariant:
		what, has = n.ofShop(r.d.Capabilities)
		k = ofShop
	case n == needSerial:
		what, has = "order among simultaneous requests for one basket", !r.excused
		k = ofFixture
	case n < needSerial:
		what, has = n.ofFixture(r.f)
		k = ofFixture
	default:
		what, has = n.ofHooks(&r.hooks)
		k = ofHooks
	}
	if has {
		return "", k
	}
	return what, k
}

func (n need) ofShop(c upstream.Capabilities) (what string, has bool) {
	switch n {
	case needSearch:
		return "search", c.Search
	case needBaskets:
		return "baskets", c.Baskets
	case needPlace:
		return "orders through its API", c.Place
	case needNoPlace:
		return "need for a hand-off", c.Baskets && !c.Place
	case needCodes:
		return "discount codes", c.Codes != upstream.CodesNone
	case needManyCodes:
		return "baskets with several codes", c.Codes == upstream.CodesMany
	case needOneCode:
		return "limit of one code", c.Codes == upstream.CodesOne
	case needDelivery:
		return "choice of delivery", c.Delivery
	case needOrders:
		return "orders to read", c.Orders
	}
	return "exact stock", c.ExactStock
}

func (n need) ofFixture(f *Fixture) (what string, has bool) {
	switch n {
	case needSoldVariant:
		return "sold-out variant", f.SoldVariant != Item{}
	case needSoldOut:
		return "sold-out product", f.SoldOut != Item{}
	case needScarce:
		return "scarce variant", f.Scarce != Item{} && f.Few > 0
	case needCategory:
		return "category", f.Category != ""
	case needPercent:
		return "code for a percentage", f.Codes.Percent != ""
	case needFixed:
		return "code with a minimum", f.Codes.Fixed != "" && f.Codes.Minimum > 0
	case needExpired:
		return "expired code", f.Codes.Expired != ""
	case needFreeDelivery:
		return "code for free delivery", f.Codes.FreeDelivery != ""
	case needAbroad:
		return "address that it does not deliver to", f.Abroad != nil
	case needMember:
		return "customer with an account", f.Member != ""
	case needDeclined:
		return "credential that is declined", !f.Declined.IsZero()
	}
	return "basket of known price", f.Known != nil
}

func (n need) ofHooks(h *Hooks) (what string, has bool) {
	switch n {
	case hookPrice:
		return "hook ChangePrice", h.ChangePrice != nil
	case hookStock:
		return "hook SetStock", h.SetStock != nil
	case hookCount:
		return "hook OrderCount", h.OrderCount != nil
	case hookDrop:
		return "hook DropBasket", h.DropBasket != nil
	case hookLoseAnswer:
		return "hook LoseNextAnswer", h.LoseNextAnswer != nil
	case hookLoseRequest:
		return "hook LoseNextRequest", h.LoseNextRequest != nil
	case hookRestart:
		return "hook Restart", h.Restart != nil
	case hookAway:
		return "hook GoAway", h.GoAway != nil
	}
	return "hook Another", h.Another != nil
}
