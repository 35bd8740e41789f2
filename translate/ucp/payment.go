package ucp

import (
	"fmt"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Handler is a kind of payment handler: what it declares, and what it makes of an
// instrument that names it.
type Handler interface {
	// Name is the handler's reverse-domain name.
	Name() string
	// Declare returns the handler's instances for a shop that takes these
	// methods; none when it has nothing to offer.
	Declare(methods []upstream.PaymentMethod) []PaymentHandler
	// Payment returns how the basket shall be paid with an instrument whose
	// handler_id is id, and whether id is one of this handler's.
	Payment(id string, i Instrument) (basket.Payment, bool)
}

// Instrument is a payment instrument as the platform sent it
// (schemas/shopping/types/payment_instrument.json).
type Instrument struct {
	ID   string
	Type string
	// Credential is the JSON object of that name; it may be empty.
	Credential secret.String
	Billing    *upstream.Address
}

// Handlers are the payment handlers of a shop.
type Handlers []Handler

// Declared returns what a profile or a checkout declares of them.
func (h Handlers) Declared(methods []upstream.PaymentMethod) map[string][]PaymentHandler {
	out := map[string][]PaymentHandler{}
	for _, handler := range h {
		if instances := handler.Declare(methods); len(instances) > 0 {
			out[handler.Name()] = instances
		}
	}
	return out
}

// payment finds out how a checkout shall be paid. The message says what keeps it
// from being paid, nil for nothing. One instrument alone need not say that it is
// selected, but is not paid with if it says that it is not.
func (h Handlers) payment(r gjson.Result) (basket.Payment, *Message) {
	instruments := r.Get("instruments").Array()
	chosen, at := -1, 0
	for i, instrument := range instruments {
		selected := instrument.Get("selected")
		if selected.Bool() || len(instruments) == 1 && !selected.Exists() {
			chosen, at = i, at+1
		}
	}
	if at != 1 {
		m := errorMessage("payment_failed", "$.payment.instruments", "Send exactly one instrument, or mark exactly one as selected.", Recoverable)
		return basket.Payment{}, &m
	}
	instrument := instruments[chosen]
	for _, handler := range h {
		if p, ok := handler.Payment(instrument.Get("handler_id").String(), readInstrument(instrument)); ok {
			return p, nil
		}
	}
	m := errorMessage("payment_failed", fmt.Sprintf("$.payment.instruments[%d].handler_id", chosen),
		"This checkout has no such payment handler; use the id of one of its ucp.payment_handlers.", Recoverable)
	return basket.Payment{}, &m
}

func readInstrument(r gjson.Result) Instrument {
	i := Instrument{ID: r.Get("id").String(), Type: r.Get("type").String(), Credential: secret.New(r.Get("credential").Raw)}
	if billing := r.Get("billing_address"); billing.IsObject() {
		address := readAddress(billing)
		i.Billing = &address
	}
	return i
}

// UpstreamHandler passes the credential on to the shop's own gateway: each way
// to pay of the shop's API is one instance of it.
type UpstreamHandler struct{}

// upstreamPrefix keeps the instances' ids apart from those of other handlers.
const upstreamPrefix = "upstream:"

// Name implements Handler.
func (UpstreamHandler) Name() string { return "ai.storeware.payments.upstream" }

// Declare implements Handler.
func (UpstreamHandler) Declare(methods []upstream.PaymentMethod) []PaymentHandler {
	var out []PaymentHandler
	for _, m := range methods {
		out = append(out, PaymentHandler{
			ID: upstreamPrefix + m.ID, Version: Release,
			Config: upstreamConfig{Method: m.ID, Title: m.Title},
		})
	}
	return out
}

// upstreamConfig is the config of an instance.
type upstreamConfig struct {
	// Method is the shop's name for the way to pay, Title what a buyer reads.
	Method string `json:"method"`
	Title  string `json:"title"`
}

// Payment implements Handler.
func (UpstreamHandler) Payment(id string, i Instrument) (basket.Payment, bool) {
	if len(id) <= len(upstreamPrefix) || id[:len(upstreamPrefix)] != upstreamPrefix {
		return basket.Payment{}, false
	}
	return basket.Payment{Method: id[len(upstreamPrefix):], Credential: i.Credential, Billing: i.Billing}, true
}
