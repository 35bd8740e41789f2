package wootest

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

// addItem puts something into the basket.
func (c *exchange) addItem() {
	p := c.shop.byID(c.integer("id"))
	quantity := c.integer("quantity")
	switch {
	case p == nil:
		c.refuse("218-add-item-unknown")
		return
	case quantity <= 0 && !(c.shop.config.Old && quantity == 0):
		c.refuse("223-add-item-quantity-zero")
		return
	case p["is_purchasable"] == false:
		c.refuse("219-add-item-grouped")
		return
	}
	chosen, refusal := c.shop.choose(p, c.args["variation"])
	if refusal != "" {
		c.refuse(refusal)
		return
	}
	variation, p := chosen.variation, chosen.product
	key := c.shop.keyOf(p, variation)
	there := c.session.find(key)
	had := int64(0)
	if there != nil {
		had = there.quantity
	}
	switch {
	case stockOf(p) == 0 && p["is_on_backorder"] != true:
		c.refuse("215-add-item-out-of-stock")
		return
	case p["sold_individually"] == true && had+quantity > 1:
		c.refuse("222-add-item-sold-individually-again")
		return
	case had+quantity > c.shop.free(p, c.session.draft):
		c.refuse("217-add-item-too-many")
		return
	}
	if there == nil {
		c.session.items = append(c.session.items, &line{key: key, product: p, quantity: quantity, variation: variation})
	} else {
		there.quantity += quantity
	}
	c.changed(http.StatusCreated)
}

// choice is a variation, or a product without any, with what was chosen.
type choice struct {
	product   object
	variation []any
}

// choose finds the variation that is meant: by its id, or by its product's and
// the choices, whose names may be slugs or words. It returns the recorded refusal
// if there is none.
func (s *Shop) choose(p object, given any) (chosen choice, refusal string) {
	choices := make(map[string]string)
	list, _ := given.([]any)
	for _, one := range list {
		pair := one.(object)
		attribute, _ := pair["attribute"].(string)
		value, _ := pair["value"].(string)
		choices[strings.ToLower(attribute)] = strings.ToLower(value)
	}
	parent := s.parent(p)
	if len(parent["variations"].([]any)) == 0 {
		return choice{p, []any{}}, ""
	}
	if p["type"] != "variation" && len(list) == 0 {
		if s.config.Old {
			return choice{}, "210-add-item-nonexistent-combination"
		}
		return choice{}, "209-add-item-parent-without-variation"
	}
	for _, one := range parent["variations"].([]any) {
		listed := one.(object)
		variation := s.byID(int64(listed["id"].(float64)))
		if variation == nil || p["type"] == "variation" && idOf(variation) != idOf(p) {
			continue
		}
		full, missing, matches := fill(parent, listed["attributes"].([]any), choices)
		switch {
		case missing && p["type"] == "variation":
			return choice{}, "211-add-item-any-attribute-missing"
		case matches && !missing:
			return choice{variation, full}, ""
		}
	}
	return choice{}, "210-add-item-nonexistent-combination"
}

// fill completes the attributes of a variation with choices.
func fill(parent object, fixed []any, choices map[string]string) (full []any, missing, matches bool) {
	matches = true
	for _, one := range fixed {
		label, slug := one.(object)["name"].(string), one.(object)["value"]
		attribute := attributeOf(parent, label)
		taxonomy, isTaxonomy := attribute["taxonomy"].(string)
		raw := "attribute_" + taxonomy
		if !isTaxonomy {
			raw = "attribute_" + strings.ToLower(label)
		}
		chosen := choices[strings.ToLower(taxonomy)]
		if chosen == "" {
			chosen = choices[strings.ToLower(label)]
		}
		found := false
		for _, t := range attribute["terms"].([]any) {
			term := t.(object)
			is := strings.EqualFold(term["slug"].(string), chosen) || strings.EqualFold(term["name"].(string), chosen)
			if slug == term["slug"] && (chosen == "" || is) || slug == nil && is {
				full = append(full, object{"raw_attribute": raw, "attribute": label, "value": term["name"], "slug": term["slug"], "any": slug == nil})
				found = true
				break
			}
		}
		missing = missing || !found && slug == nil
		matches = matches && found
	}
	return full, missing, matches
}

func attributeOf(parent object, label string) object {
	for _, one := range parent["attributes"].([]any) {
		if one.(object)["name"] == label {
			return one.(object)
		}
	}
	return object{"terms": []any{}}
}

// updateItem changes a quantity.
func (c *exchange) updateItem() {
	there := c.session.find(c.text("key"))
	quantity := c.integer("quantity")
	switch {
	case there == nil:
		c.refuseWith("232-update-item-unknown-key", object{"cart": c.shop.cart(c.session)})
		return
	case quantity < 1:
		c.refuse("231-update-item-zero")
		return
	case there.product["sold_individually"] == true && quantity > 1:
		c.refuse("222-add-item-sold-individually-again")
		return
	case quantity > c.shop.free(there.product, c.session.draft) && there.product["is_on_backorder"] != true:
		c.refuse("230-update-item-too-many")
		return
	}
	there.quantity = quantity
	c.changed(http.StatusOK)
}

func (c *exchange) removeItem() {
	there := c.session.find(c.text("key"))
	if there == nil {
		c.refuseWith("234-remove-item-again", object{"cart": c.shop.cart(c.session)})
		return
	}
	c.session.items = slices.DeleteFunc(c.session.items, func(l *line) bool { return l == there })
	c.changed(http.StatusOK)
}

// changed answers with the basket, as it is read anew.
func (c *exchange) changed(status int) {
	c.shop.load(c.session)
	if o := c.shop.draftOf(c.session); o != nil {
		o.copy(c.shop, c.session)
	}
	c.showCart(status)
}

// updateCustomer takes over the parts of the addresses that are given.
func (c *exchange) updateCustomer() {
	billing, _ := c.args["billing_address"].(object)
	shipping, _ := c.args["shipping_address"].(object)
	for name, address := range map[string]object{"billing_address": merged(c.session.billing, billing), "shipping_address": merged(c.session.shipping, shipping)} {
		if refusal := badAddress(address); refusal != "" && c.args[name] != nil {
			c.refuseParam(refusal, name)
			return
		}
	}
	if email, _ := billing["email"].(string); email != "" && !strings.Contains(email, "@") {
		billing["email"] = "" // Dropped without a word.
	}
	c.session.billing = merged(c.session.billing, billing)
	c.session.shipping = merged(c.session.shipping, shipping)
	c.changed(http.StatusOK)
}

// refuseParam answers with a refusal that was recorded of a shipping address, for
// whichever address it is about.
func (c *exchange) refuseParam(name, param string) {
	recorded := c.shop.errors[name]
	text := strings.ReplaceAll(string(recorded.Body), "shipping_address", param)
	c.shop.errors["param"] = refusal{recorded.Status, []byte(text)}
	c.refuse("param")
}

func merged(a, b object) object {
	out := make(object)
	for name, value := range a {
		out[name] = value
	}
	for name, value := range b {
		out[name] = value
	}
	return out
}

// british is the form of a British postcode.
var british = regexp.MustCompile(`^[A-Z]{1,2}[0-9][0-9A-Z]? ?[0-9][A-Z]{2}$`)

// badAddress names the recorded refusal of an address. The shop knows three
// countries.
func badAddress(a object) string {
	country, _ := a["country"].(string)
	postcode, _ := a["postcode"].(string)
	state, _ := a["state"].(string)
	switch {
	case !slices.Contains([]string{"GB", "US", "DE"}, country):
		return "253-update-customer-bad-country"
	case country == "US" && state != "" && !slices.Contains([]string{"CA", "NY", "TX"}, state):
		return "254-update-customer-bad-state"
	case country == "GB" && postcode != "" && !british.MatchString(postcode),
		country == "US" && postcode != "" && len(postcode) != 5:
		return "252-update-customer-bad-postcode"
	}
	return ""
}

// selectRate chooses a way of delivery. One that is not there is answered like
// any other; the first one is in force then.
func (c *exchange) selectRate() {
	c.session.rate = c.text("rate_id")
	c.changed(http.StatusOK)
}

// batch carries out several changes, each of which needs the token.
func (c *exchange) batch() {
	c.w.Header().Set("Nonce", nonce)
	var responses []any
	for _, one := range c.args["requests"].([]any) {
		request := one.(object)
		method, _ := request["method"].(string)
		path, _ := request["path"].(string)
		body, _ := request["body"].(object)
		headers, _ := request["headers"].(object)
		responses = append(responses, c.shop.innerExchange(method, path, body, headers))
	}
	c.shop.answer(c.w, http.StatusMultiStatus, object{"responses": responses}, nil)
}
