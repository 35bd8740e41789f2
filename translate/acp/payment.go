package acp

import (
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// PaymentHandler is a way to pay, as a session advertises it.
type PaymentHandler struct {
	ID                      string        `json:"id"`
	Name                    string        `json:"name"`
	DisplayName             string        `json:"display_name,omitempty"`
	Version                 string        `json:"version"`
	Spec                    string        `json:"spec"`
	RequiresDelegatePayment bool          `json:"requires_delegate_payment"`
	RequiresPCICompliance   bool          `json:"requires_pci_compliance"`
	PSP                     string        `json:"psp"`
	ConfigSchema            string        `json:"config_schema"`
	InstrumentSchemas       []string      `json:"instrument_schemas"`
	Config                  HandlerConfig `json:"config"`
}

// HandlerConfig is the config of an instance of [UpstreamHandler].
type HandlerConfig struct {
	// Method is the shop's name for the way to pay, Title what a buyer reads.
	Method string `json:"method"`
	Title  string `json:"title"`
}

// UpstreamHandler passes the credential on to the shop's own gateway: each way to
// pay of the shop's API is one instance of it, by the same ids as in every
// protocol here.
type UpstreamHandler struct {
	// Endpoint is the absolute URL of [REST]'s base, below which the handler's
	// schemas are.
	Endpoint string
}

// The handler's names. The version is that of its config and instrument.
const (
	upstreamName    = "ai.storeware.payments.upstream"
	upstreamVersion = "2026-04-17"
	upstreamPrefix  = "upstream:"
	upstreamSpec    = "https://storeware.ai/docs/agents/ucp-acp"
)

// declare returns the handler's instances for a shop that takes these methods.
func (h UpstreamHandler) declare(methods []upstream.PaymentMethod) []PaymentHandler {
	out := make([]PaymentHandler, len(methods))
	for i, m := range methods {
		out[i] = PaymentHandler{
			ID: upstreamPrefix + m.ID, Name: upstreamName, DisplayName: m.Title, Version: upstreamVersion, Spec: upstreamSpec,
			PSP: "upstream", Config: HandlerConfig{m.ID, m.Title},
			ConfigSchema: h.Endpoint + "/" + configSchemaPath, InstrumentSchemas: []string{h.Endpoint + "/" + instrumentSchemaPath},
		}
	}
	return out
}

// payment finds out how a session shall be paid.
func (h UpstreamHandler) payment(data gjson.Result) (basket.Payment, *Refusal) {
	if data.Get("purchase_order_number").Exists() {
		return basket.Payment{}, refuse(http.StatusBadRequest, "unsupported", paymentParam+".purchase_order_number",
			"This shop takes no purchase orders here; pay with one of the session's handlers")
	}
	method, ok := strings.CutPrefix(data.Get("handler_id").Str, upstreamPrefix)
	if !ok {
		return basket.Payment{}, refuse(http.StatusBadRequest, HandlerUnknown, paymentParam+".handler_id",
			"This session has no such payment handler; use the id of one of its capabilities.payment.handlers")
	}
	p := basket.Payment{Method: method, Credential: secret.New(data.Get("instrument.credential").Raw)}
	if billing := data.Get("billing_address"); billing.IsObject() {
		address := addressIn(billing)
		p.Billing = &address
	}
	return p, nil
}

// Where the schemas of the handler are, below the base.
const (
	configSchemaPath     = "schemas/payments/upstream/config.json"
	instrumentSchemaPath = "schemas/payments/upstream/instrument.json"
)

// The schemas, which say what [UpstreamHandler] declares and takes.
const (
	configSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Config of ai.storeware.payments.upstream","type":"object",` +
		`"required":["method","title"],"properties":{"method":{"type":"string","description":"The shop's name for the way to pay."},` +
		`"title":{"type":"string","description":"What a buyer reads."}}}`
	instrumentSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","title":"Instrument of ai.storeware.payments.upstream","type":"object",` +
		`"required":["type","credential"],"properties":{"type":{"type":"string"},"credential":{"type":"object","required":["type","token"],` +
		`"description":"Passed on to the shop's own gateway as it is. Never a card number.",` +
		`"properties":{"type":{"type":"string"},"token":{"type":"string"}}}}}`
)

// schemaMaxAge is for how long a schema may be kept.
const schemaMaxAge = 24 * time.Hour

// handlerSchemas returns the schema at a path below the base.
func handlerSchemas(path string) (document httpdoor.Document, ok bool) {
	var text string
	switch path {
	case configSchemaPath:
		text = configSchema
	case instrumentSchemaPath:
		text = instrumentSchema
	default:
		return document, false
	}
	return public([]byte(text), schemaMaxAge), true
}

// public is JSON that is for everybody, with refusals in the form of this protocol.
func public(body []byte, maxAge time.Duration) httpdoor.Document {
	return httpdoor.Document{Body: body, ETag: httpdoor.ETagOf(body), MaxAge: maxAge, Refuse: func(f *httpdoor.Failure) *httpdoor.Answer {
		return (&Refusal{Failure: *f}).answer()
	}}
}
