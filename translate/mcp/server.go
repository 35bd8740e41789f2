package mcp

import (
	"time"

	"github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Server answers the calls of one shop's tools.
type Server struct {
	// Describe returns what the shop is, nil as long as it has never said so. The
	// same pointer means that nothing changed.
	Describe func() *upstream.Description
	// Catalogue reads products.
	Catalogue upstream.Catalogue
	// Answers answers searches. It may be nil as long as Describe returns nil.
	Answers *answer.Service
	// Baskets keeps baskets and orders.
	Baskets basket.Operations
	// Links are the shop's pages of well-known types, shown on baskets.
	Links []upstream.Link
	// Now is the clock.
	Now func() time.Time
}

// Message is something that an answer says in words.
type Message struct {
	Code    string `json:"code" doc:"What it is about, for programs."`
	Content string `json:"content" doc:"The same for people."`
}
