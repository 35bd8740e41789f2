package woocommerce

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// outcome says what came of a request to order.
func (o *ordering) outcome(ctx context.Context, a answer) (upstream.Placed, error) {
	switch payment := a.body.Get("payment_result.payment_status").String(); {
	case a.status == http.StatusOK, a.status == http.StatusAccepted:
		return o.taken(ctx, a.body)
	case a.status == http.StatusBadRequest && payment == "failure",
		a.code() == "woocommerce_rest_checkout_process_payment_error":
		return o.declined(ctx, a.body)
	case a.status/100 == 4 && a.code() != "":
		return upstream.Placed{}, o.refusal(a)
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodeUnknownOutcome, placing, "the shop answered %d", a.status)
}

// taken is an order that the shop has written down. It was placed unless it waits
// for a payment that has to be made somewhere else.
func (o *ordering) taken(ctx context.Context, body gjson.Result) (upstream.Placed, error) {
	d := readDraft(body)
	status := body.Get("status").String()
	to := link(body.Get("payment_result.redirect_url").String())
	if d.ID == 0 || d.Key == "" || status == "" {
		return upstream.Placed{}, upstream.Errorf(upstream.CodeUnknownOutcome, placing, "the shop's answer names no order")
	}
	if !isPlaced(status) && !o.received(to, d) {
		if to == "" {
			to = o.shop.payPage(o.facts, d)
		}
		return upstream.Placed{}, o.escalate(to, "The payment has to be made on the page of the shop or its payment provider.")
	}
	placed, err := d.placed(o.total(ctx, d))
	if err != nil {
		return upstream.Placed{}, err
	}
	if o.received(to, d) {
		placed.URL = to
	}
	return *placed, nil
}

// received reports whether an address is the shop's own page that thanks for the
// order: gateways that hear of the payment later send buyers there at once.
func (o *ordering) received(address string, d draft) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host != o.facts.home.Host && u.Host != o.facts.public.Host {
		return false
	}
	query := u.Query()
	return query.Get("key") == d.Key && query.Get("pay_for_order") == "" &&
		(strings.Contains(u.Path+"/", "/"+number(d.ID)+"/") || query.Get("order-received") == number(d.ID))
}

// total reads what the order charges. If that cannot be read now, it is what the
// basket cost right before.
func (o *ordering) total(ctx context.Context, d draft) money.Amount {
	if _, placed, err := o.shop.draftStatus(ctx, o.visit, o.facts, placing, d); err == nil && placed != nil {
		return placed.Total
	}
	purse := newPurse(o.cart.Get("totals"))
	return purse.read(o.cart.Get("totals.total_price"))
}

// declined is a payment that the gateway refused, or that broke off in it. The
// order itself knows which: it is looked at before anybody is told to pay again.
func (o *ordering) declined(ctx context.Context, body gjson.Result) (upstream.Placed, error) {
	drafts := o.handle.Drafts
	if d := readDraft(body); d.ID != 0 {
		drafts = append(drafts[:len(drafts):len(drafts)], d)
	}
	for _, d := range drafts {
		_, placed, err := o.shop.draftStatus(ctx, o.visit, o.facts, placing, d)
		if err != nil {
			e := upstream.Errorf(upstream.CodeUnknownOutcome, placing, "the payment failed, and the shop does not show the order")
			e.Err = err
			return upstream.Placed{}, e
		}
		if placed != nil {
			return *placed, nil
		}
	}
	return upstream.Placed{}, upstream.Errorf(upstream.CodePaymentDeclined, placing, "the payment was declined")
}

// refusal is what the shop says before it takes an order. Nothing was ordered.
func (o *ordering) refusal(a answer) error {
	refused := func(code upstream.Code, text string) error { return upstream.Errorf(code, placing, "%s", text) }
	switch code := a.code(); code {
	case "woocommerce_rest_cart_empty", "woocommerce_rest_missing_nonce", "woocommerce_rest_invalid_nonce":
		return refused(upstream.CodeBasketGone, "the shop does not know the basket any more")
	case notEnoughStock, "woocommerce_rest_product_out_of_stock", "woocommerce_rest_product_partially_out_of_stock":
		return refused(upstream.CodeOutOfStock, "something in the basket is sold out")
	case "woocommerce_rest_cart_item_error", "woocommerce_rest_cart_coupon_errors", "woocommerce_rest_cart_coupon_error",
		"woocommerce_rest_cart_error":
		return refused(upstream.CodePriceChanged, "the shop changed the basket")
	case "woocommerce_rest_invalid_address", "woocommerce_rest_invalid_address_country", "woocommerce_rest_missing_email_address",
		"woocommerce_rest_invalid_email_address":
		return refused(upstream.CodeIncomplete, "the shop wants more of the buyer or the address, or does not take them as they are")
	case "woocommerce_rest_invalid_shipping_option":
		return refused(upstream.CodeIncomplete, "the shop wants a way of delivery")
	case "rest_invalid_param":
		if a.body.Get("data.params.payment_method").Exists() || a.body.Get("data.params.payment_data").Exists() {
			return refused(upstream.CodeInvalid, "the shop does not take this way of payment")
		}
		return refused(upstream.CodeIncomplete, "the shop does not take the buyer or the address as they are")
	case "woocommerce_rest_checkout_missing_payment_method":
		return refused(upstream.CodeInvalid, "the shop wants a way of payment")
	}
	// An account is wanted, a field of a plug-in, a way of payment that is off for
	// this basket: a person has to go on.
	return o.escalate("", "The shop wants something that only its own page can ask for.")
}

// escalate says where a person goes on.
func (o *ordering) escalate(page, text string) error {
	if page == "" {
		page = o.shop.handOff(o.facts, o.cart, o.handle)
	}
	e := upstream.Errorf(upstream.CodeEscalate, placing, "%s", text)
	e.URL = page
	return e
}
