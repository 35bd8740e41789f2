package ucp

import "slices"

// Active are capabilities in force, in the order they are declared in.
type Active []Selected

// Selected is a capability that was negotiated, at the version both sides speak.
type Selected struct {
	Name    Capability
	Version string
}

// Has reports whether a capability is in force.
func (a Active) Has(name Capability) bool {
	return slices.ContainsFunc(a, func(s Selected) bool { return s.Name == name })
}

// without returns the others.
func (a Active) without(name Capability) Active {
	return slices.DeleteFunc(slices.Clone(a), func(s Selected) bool { return s.Name == name })
}

// Envelope is the ucp member of a response (schemas/ucp.json).
type Envelope struct {
	Version string `json:"version"`
	// Status is "success" or "error".
	Status       string                     `json:"status"`
	Capabilities map[Capability][]Versioned `json:"capabilities"`
	// PaymentHandlers stands on checkouts alone, where it must.
	PaymentHandlers *map[string][]PaymentHandler `json:"payment_handlers,omitempty"`
}

// Versioned is a capability entry of a response.
type Versioned struct {
	Version string `json:"version"`
}

// PaymentHandler is a way to pay as a checkout or profile declares it
// (schemas/payment_handler.json).
type PaymentHandler struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	// Spec and Schema say how to use the handler, where they are published.
	Spec   string `json:"spec,omitempty"`
	Schema string `json:"schema,omitempty"`
	// AvailableInstruments is left out rather than empty.
	AvailableInstruments []AvailableInstrument `json:"available_instruments,omitempty"`
	Config               any                   `json:"config,omitempty"`
}

// AvailableInstrument is a kind of instrument that a handler takes.
type AvailableInstrument struct {
	Type string `json:"type"`
}

// envelope returns the ucp member of a successful response.
func envelope(active Active) Envelope {
	capabilities := make(map[Capability][]Versioned, len(active))
	for _, s := range active {
		capabilities[s.Name] = []Versioned{{s.Version}}
	}
	return Envelope{Version: Release, Status: "success", Capabilities: capabilities}
}

// ErrorResponse is a business outcome without a resource
// (schemas/common/types/error_response.json).
type ErrorResponse struct {
	UCP         Envelope  `json:"ucp"`
	Messages    []Message `json:"messages"`
	ContinueURL string    `json:"continue_url,omitempty"`
}

// errorResponse returns the answer to an operation that has no resource to show
// for it.
func errorResponse(active Active, continueURL string, messages ...Message) ErrorResponse {
	e := envelope(active)
	e.Status = "error"
	return ErrorResponse{UCP: e, Messages: messages, ContinueURL: continueURL}
}
