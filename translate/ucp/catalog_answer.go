package ucp

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	answers "github.com/storeware/caddy-storeware/translate/answer"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/schema"
	"github.com/storeware/caddy-storeware/upstream"
)

// answerSearch answers a search for words: the products that qualify, in words what
// was understood and turned away, and all of it as an object for a platform that
// declared the extension.
func (s *Server) answerSearch(ctx context.Context, c *Call, payload searchPayload, q upstream.Query, messages []Message) (*Reply, error) {
	question := answers.Query{
		Words: q.Words, Intent: gjson.GetBytes(c.Payload, "context.intent").String(),
		MinPrice: q.MinPrice, MaxPrice: q.MaxPrice, Categories: q.Categories,
		Limit: int(min(payload.Pagination.Limit, maxLimit)), Cursor: payload.Pagination.Cursor,
	}
	extended := c.Active.Has(CapabilityAnswer)
	if extended {
		if err := readAnswerRequest(&question, c.Payload); err != nil {
			return nil, err
		}
	}
	found, err := s.Answers.Search(ctx, c.Visit, answers.Asker{Shop: c.Owner.Shop, Agent: c.Owner.Agent}, question)
	switch {
	case errors.Is(err, answers.ErrCursor):
		return nil, invalid("$.pagination.cursor", "%v", errCursor)
	case err != nil:
		return nil, fmt.Errorf("searching: %w", err)
	}
	for _, m := range found.Messages() {
		messages = append(messages, info(m.Code, "", m.Content))
	}
	response := &CatalogResponse{
		UCP:        envelope(c.Active),
		Products:   make([]Product, 0, len(found.Results)),
		Pagination: &Pagination{Cursor: found.Next, HasNextPage: found.Next != "", TotalCount: &found.ResultsCount},
	}
	for _, item := range found.Results {
		p := item.Product
		variants := narrow(p, q)
		if len(variants) == 0 { // the filters are among the constraints, so some are left
			continue
		}
		first := p.Variant(item.Variant)
		product := productOf(p, variants, maxSummary)
		product.Variants = variantsOf(p, withFirst(first, variants, maxListedVariants))
		messages = append(messages, delayed(root.Member("products").At(len(response.Products)), product.Variants)...)
		response.Products = append(response.Products, product)
	}
	response.Messages = messages
	if extended {
		response.Answer = found
	}
	return catalogReply(response)
}

// readAnswerRequest reads the extension's part of a search.
func readAnswerRequest(q *answers.Query, payload []byte) error {
	part := gjson.GetBytes(payload, gjson.Escape(schema.Name))
	attributes := func(name string) (all []reading.Attribute) {
		for _, a := range part.Get(name).Array() {
			all = append(all, reading.Attribute{Key: a.Get("key").String(), Value: a.Get("value").String()})
		}
		return all
	}
	q.Required, q.Excluded = attributes("required_attributes"), attributes("excluded_attributes")
	q.InStock = part.Get("in_stock").Bool()
	q.Conversation = part.Get("conversation.id").String()
	if at := "$." + schema.Name + ".conversation.id"; len(q.Conversation) > answers.MaxConversation {
		return invalid(at, "must have at most %d bytes", answers.MaxConversation)
	} else if part.Get("conversation").Exists() && strings.TrimSpace(q.Conversation) == "" {
		return invalid(at, "must not be empty")
	}
	return nil
}
