package demo

import (
	"net/http"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Headers of the shop's API for what must not stand in an address.
const (
	headerBasket = "Basket-Token"
	headerOrder  = "Order-Key"
)

// isToken reports whether s can be a token, key or number of the shop: letters and
// digits. Anything else is not sent, since no shop has made it.
func isToken(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// basketRequest is a request about a basket.
func basketRequest(op, method string, h upstream.Handle, path ...string) shopclient.Request {
	return shopclient.Request{
		Op: op, Method: method, Path: append([]string{"api", "basket"}, path...), Refusals: true,
		Secrets: map[string]secret.String{headerBasket: h},
	}
}

// refusal returns the error of an answer that is a refusal, nil for any other.
func (s *Shop) refusal(op string, response shopclient.Response) *upstream.Error {
	if response.Status/100 == 2 {
		return nil
	}
	e := upstream.Errorf(upstream.CodeUnavailable, op, "the shop answered %d", response.Status)
	switch response.JSON().Get("error.code").String() {
	case "invalid":
		e.Code, e.Text = upstream.CodeInvalid, "the shop does not take the input as it stands"
	case "not_found":
		e.Code, e.Text = upstream.CodeNotFound, ""
	case "withdrawn":
		e.Code, e.Text = upstream.CodeNotPlaced, "this attempt was withdrawn"
	case "price_changed":
		e.Code, e.Text = upstream.CodePriceChanged, "the basket costs something else now"
	case "out_of_stock":
		e.Code, e.Text = upstream.CodeOutOfStock, "something in the basket was sold"
	case "incomplete":
		e.Code, e.Text = upstream.CodeIncomplete, "something is missing from the basket"
	case "payment_declined":
		e.Code, e.Text = upstream.CodePaymentDeclined, "the bank declined the payment"
	case "payment_challenge":
		e.Code, e.Text = upstream.CodeEscalate, "the bank wants to see the buyer on the shop's own page"
		e.URL = s.page(response.JSON().Get("error.path").String())
	}
	return e
}

// ordered returns the order that an answer says the basket has become, if it does.
func (s *Shop) ordered(response shopclient.Response) (upstream.Placed, bool) {
	refused := response.JSON().Get("error")
	if response.Status != http.StatusConflict || refused.Get("code").String() != "ordered" {
		return upstream.Placed{}, false
	}
	return s.placed(refused.Get("order"))
}

// placed reads an order that was taken. It is not ok for what is none.
func (s *Shop) placed(r gjson.Result) (upstream.Placed, bool) {
	number := r.Get("number").String()
	currency, err := money.ParseCurrency(r.Get("currency").String())
	if number == "" || err != nil {
		return upstream.Placed{}, false
	}
	return upstream.Placed{
		Ref:   upstream.OrderRef{ID: number, Key: secret.New(r.Get("key").String())},
		URL:   s.page(r.Get("path").String()),
		Total: money.Amount{Minor: r.Get("total").Int(), Currency: currency},
	}, true
}

// unreadable is the error of an answer that is JSON and yet not an answer.
func unreadable(op, what string) *upstream.Error {
	return upstream.Errorf(upstream.CodeUnavailable, op, "the shop's answer has no %s", what)
}

// frame is what every figure of an answer needs to be understood.
type frame struct {
	currency money.Currency
	tax      upstream.Tax
}

// frameOf reads the currency of an answer, and how tax stands to its prices.
func frameOf(op string, r gjson.Result) (frame, error) {
	return newFrame(op, r.Get("currency").String(), r.Get("tax_added").Bool())
}

func newFrame(op, currency string, taxAdded bool) (frame, error) {
	c, err := money.ParseCurrency(currency)
	if err != nil {
		return frame{}, unreadable(op, "currency")
	}
	f := frame{c, upstream.TaxIncluded}
	if taxAdded {
		f.tax = upstream.TaxExcluded
	}
	return f, nil
}

// amount reads a figure in minor units.
func (f frame) amount(r gjson.Result) money.Amount {
	return money.Amount{Minor: r.Int(), Currency: f.currency}
}

// optional reads a figure that need not be there.
func (f frame) optional(r gjson.Result) *money.Amount {
	if !r.Exists() {
		return nil
	}
	amount := f.amount(r)
	return &amount
}
