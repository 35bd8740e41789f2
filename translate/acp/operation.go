package acp

import (
	"net/http"
	"net/url"
	"strings"
)

// Version is the version of the protocol that this package speaks.
const Version = "2026-04-17"

// Operation is something that can be asked for.
type Operation string

// The operations. Sessions have the names of the protocol's MCP tools.
const (
	CreateSession   Operation = "create_checkout_session"
	GetSession      Operation = "get_checkout_session"
	UpdateSession   Operation = "update_checkout_session"
	CompleteSession Operation = "complete_checkout_session"
	CancelSession   Operation = "cancel_checkout_session"
	CreateCart      Operation = "create_cart"
	GetCart         Operation = "get_cart"
	ReplaceCart     Operation = "update_cart"
	CancelCart      Operation = "cancel_cart"
)

// ofCart reports whether the operation is about a cart.
func (op Operation) ofCart() bool {
	switch op {
	case CreateCart, GetCart, ReplaceCart, CancelCart:
		return true
	}
	return false
}

// writes reports whether the operation changes anything.
func (op Operation) writes() bool { return op != GetSession && op != GetCart }

// methods are the operations of a path, by HTTP method.
type methods map[string]Operation

// allowed lists the methods, for Allow.
func (m methods) allowed() string {
	var names []string
	for _, name := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		if m[name] != "" {
			names = append(names, name)
		}
	}
	return strings.Join(append(names, http.MethodOptions), ", ")
}

// match returns what can be done at an escaped path below the base, nil for
// nothing, and the id in it.
func match(path string) (found methods, id string) {
	collection, rest, single := strings.Cut(path, "/")
	escaped, verb, called := strings.Cut(rest, "/")
	id, err := url.PathUnescape(escaped)
	if err != nil || single && id == "" {
		return nil, ""
	}
	kind := ""
	switch {
	case called:
		kind = "/{id}/" + verb
	case single:
		kind = "/{id}"
	}
	switch collection + kind {
	case "checkout_sessions":
		found = methods{http.MethodPost: CreateSession}
	case "checkout_sessions/{id}":
		found = methods{http.MethodGet: GetSession, http.MethodPost: UpdateSession}
	case "checkout_sessions/{id}/complete":
		found = methods{http.MethodPost: CompleteSession}
	case "checkout_sessions/{id}/cancel":
		found = methods{http.MethodPost: CancelSession}
	case "carts":
		found = methods{http.MethodPost: CreateCart}
	case "carts/{id}":
		found = methods{http.MethodGet: GetCart, http.MethodPut: ReplaceCart}
	case "carts/{id}/cancel":
		found = methods{http.MethodPost: CancelCart}
	}
	return found, id
}
