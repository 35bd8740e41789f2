package shopify

import (
	"context"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// Attributes of the cart, which Shopify copies to the order where the merchant
// reads them among its additional details.
const (
	agentAttribute = "Agent"
	markAttribute  = "Storeware basket"
)

// attributes are what the cart tells of where it came from.
func attributes(v upstream.Visit, mark string) []variables {
	all := []variables{{"key": markAttribute, "value": mark}}
	if agent := cleanWords(v.Agent); agent != "" {
		all = append(all, variables{"key": agentAttribute, "value": agent})
	}
	return all
}

// ordered returns the order that a basket has become by a person's hand, nil as
// far as anybody knows of none. Only the Admin API can tell. An order is taken for
// the basket's if it bears the basket's mark, whatever it was found by.
func (s *Shop) ordered(ctx context.Context, v upstream.Visit, op string, h handle) (*upstream.Placed, error) {
	tokens := h.tokens()
	if s.admin == nil || len(tokens) == 0 {
		return nil, nil
	}
	terms := make([]string, len(tokens))
	for i, token := range tokens {
		terms[i] = "cart_token:" + token
	}
	data, err := s.runAdmin(ctx, v, call{
		op: op, name: "AdminOrdered", document: adminOrderedDocument,
		variables: variables{"query": strings.Join(terms, " OR ")},
	})
	if err != nil {
		return nil, unlessDenied(err)
	}
	for _, order := range data.Get("orders.nodes").Array() {
		if bears(order, h.Mark) {
			return readPlaced(op, order)
		}
	}
	return nil, nil
}

// bears reports whether an order has a basket's mark.
func bears(order gjson.Result, mark string) bool {
	for _, attribute := range order.Get("customAttributes").Array() {
		if attribute.Get("key").String() == markAttribute {
			return attribute.Get("value").String() == mark
		}
	}
	return false
}

func readPlaced(op string, order gjson.Result) (*upstream.Placed, error) {
	var purse purse
	placed := &upstream.Placed{
		Ref:   refOf(order),
		URL:   webAddress(order.Get("statusPageUrl")),
		Total: purse.read(order.Get("totalPriceSet.presentmentMoney")),
	}
	return placed, purse.failed(op)
}

// refOf is how an order is read again: the buyer knows its name, such as #1001;
// without its id nobody is shown one.
func refOf(order gjson.Result) upstream.OrderRef {
	return upstream.OrderRef{ID: order.Get("name").String(), Key: secret.New(order.Get("id").String())}
}
