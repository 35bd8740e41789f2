package woocommerce

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// customer is who buys and where the goods go, as the shop takes it.
type customer struct {
	Billing  billing `json:"billing_address"`
	Shipping address `json:"shipping_address"`
}

type address struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Company   string `json:"company"`
	Address1  string `json:"address_1"`
	Address2  string `json:"address_2"`
	City      string `json:"city"`
	State     string `json:"state"`
	Postcode  string `json:"postcode"`
	Country   string `json:"country"`
	Phone     string `json:"phone"`
}

type billing struct {
	address
	Email string `json:"email"`
}

// newCustomer says who buys. Without an address it says which country the visit
// is from, so that taxes and delivery are those of that country as far as the
// shop can tell.
func newCustomer(d upstream.Desired, m upstream.Market, home string) customer {
	c := customer{Shipping: placeOf(m, home)}
	if d.Address != nil {
		c.Shipping = newAddress(*d.Address)
	}
	c.Billing.address = c.Shipping
	if d.Billing != nil {
		c.Billing.address = newAddress(*d.Billing)
	}
	c.Billing.Email = strings.TrimSpace(d.Buyer.Email)
	for _, a := range []*address{&c.Shipping, &c.Billing.address} {
		a.FirstName = cmp.Or(a.FirstName, d.Buyer.FirstName)
		a.LastName = cmp.Or(a.LastName, d.Buyer.LastName)
		a.Phone = cmp.Or(a.Phone, d.Buyer.Phone)
	}
	return c
}

func newAddress(a upstream.Address) address {
	return address{
		FirstName: a.FirstName, LastName: a.LastName, Company: a.Company, Address1: a.Street, Address2: a.Extended,
		City: a.City, State: a.Region, Postcode: a.PostalCode, Country: a.Country, Phone: a.Phone,
	}
}

// placeOf is an address of which nothing is known but what a market says.
func placeOf(m upstream.Market, home string) address {
	if !isCountry(m.Country) {
		return address{Country: home}
	}
	return address{Country: m.Country, State: m.Region, Postcode: m.PostalCode}
}

// fingerprint tells whether the shop was told the same before.
func (c customer) fingerprint() (string, error) {
	text, err := json.Marshal(c)
	if err != nil {
		return "", fmt.Errorf("writing the buyer: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:12]), nil
}

// without returns the customer without what is unknown of a buyer: the names and
// numbers stay, and the country of the shop is put for the address.
func (c customer) without(home string) customer {
	for _, a := range []*address{&c.Shipping, &c.Billing.address} {
		*a = address{FirstName: a.FirstName, LastName: a.LastName, Phone: a.Phone, Country: home}
	}
	return c
}

// setCustomer tells the shop who buys, unless it knows. What it does not take is
// left out the next time, and said in a notice.
func (a *apply) setCustomer(ctx context.Context) error {
	c := newCustomer(a.desired, a.visit.Market, a.facts.country)
	print, err := c.fingerprint()
	if err != nil || print == a.handle.Customer {
		return err
	}
	if a.handle.Customer == "" && c == newCustomer(upstream.Desired{}, upstream.Market{}, a.facts.country) {
		return nil // Nothing is known, and nothing was told before.
	}
	a.handle.NoEmail, a.handle.NoAddress = false, false
	for range 4 { // One for each thing to leave out, and one without all of them.
		answer, err := a.shop.ask(ctx, a.visit, a.facts, call{op: changingBasket, path: "cart/update-customer", token: a.cart.token, body: c})
		if err != nil {
			return err
		}
		if !answer.refused() {
			a.take(answer)
			a.handle.Customer = print
			if got := answer.body.Get("billing_address.email").String(); c.Billing.Email != "" && !strings.EqualFold(got, c.Billing.Email) {
				a.handle.NoEmail = true // The shop dropped it without a word.
			}
			return nil
		}
		if answer.status != http.StatusBadRequest {
			return a.gone(answer)
		}
		c = a.leaveOut(c, answer)
	}
	return upstream.Errorf(upstream.CodeUnavailable, changingBasket, "the shop takes no address at all")
}

// leaveOut returns the customer without what the shop refused.
func (a *apply) leaveOut(c customer, refusal answer) customer {
	reasons := make(map[string]bool)
	for _, part := range []string{"billing_address", "shipping_address"} {
		reasons[refusal.body.Get("data.details."+part+".code").String()] = true
	}
	switch {
	case reasons["invalid_email"] && c.Billing.Email != "":
		a.handle.NoEmail = true
		c.Billing.Email = ""
	case reasons["invalid_phone"] && (c.Billing.Phone != "" || c.Shipping.Phone != ""):
		a.notices = append(a.notices, upstream.Notice{Code: upstream.NoticeBuyerRefused, Text: "The shop does not accept this phone number."})
		c.Billing.Phone, c.Shipping.Phone = "", ""
	default:
		// Where it is only the visit's country, nobody gave an address to refuse.
		a.handle.NoAddress = a.desired.Address != nil || a.desired.Billing != nil
		c = c.without(a.facts.country)
	}
	return c
}

// customerNotices are about the buyer and the address.
func (a *apply) customerNotices() []upstream.Notice {
	var notices []upstream.Notice
	if a.handle.NoEmail {
		notices = append(notices, upstream.Notice{Code: upstream.NoticeBuyerRefused, Text: "The shop does not accept this e-mail address."})
	}
	if a.handle.NoAddress {
		notices = append(notices, upstream.Notice{
			Code: upstream.NoticeAddressRefused, Text: "The shop does not accept this address: its country, region or post code is not one that it knows.",
		})
	}
	return notices
}
