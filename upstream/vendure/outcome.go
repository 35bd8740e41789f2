package vendure

import (
	"context"
	"errors"
	"slices"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// outcome is what the shop says of an order by its code.
type outcome struct {
	// placed: the shop has taken the order.
	placed bool
	// certain: the shop said that it was not placed. Otherwise it only did not
	// show us such an order.
	certain bool
	total   money.Amount
}

// outcome asks by its code whether an order was placed. The Shop API refuses to
// show an order that is still open, one that was placed more than two hours ago,
// and one that is none, all in the same words. The Admin API tells them apart.
func (s *Shop) outcome(ctx context.Context, v upstream.Visit, op, code string) (outcome, error) {
	values := variables{"code": code}
	if s.admin != nil {
		data, err := s.runAdmin(ctx, v, call{op: op, name: "AdminOutcome", document: adminOutcomeDocument, variables: values, safe: true})
		if err != nil {
			return outcome{}, err
		}
		return s.readOutcome(op, data.Get("orders.items.0"))
	}
	data, err := s.run(ctx, v, call{op: op, name: "Outcome", document: outcomeDocument, variables: values, safe: true})
	if isForbidden(err) {
		return outcome{}, nil
	}
	if err != nil {
		return outcome{}, err
	}
	return s.readOutcome(op, data.Get("orderByCode"))
}

// readOutcome reads an order that the shop showed, or said not to have.
func (s *Shop) readOutcome(op string, order gjson.Result) (outcome, error) {
	if order.Get("orderPlacedAt").String() == "" {
		return outcome{certain: true}, nil
	}
	purse := s.newPurse(order.Get("currencyCode"))
	total := purse.read(order.Get("totalWithTax"))
	return outcome{placed: true, total: total}, purse.failed(op)
}

// isForbidden reports whether the shop ran an operation and refused to show what
// was asked for.
func isForbidden(err error) bool { return isRefused(err, "FORBIDDEN") }

// isUnknownChannel reports whether a shop with several channels did not know the one
// that was asked for.
func isUnknownChannel(err error) bool { return isRefused(err, "CHANNEL_NOT_FOUND") }

func isRefused(err error, code string) bool {
	var all shopclient.GraphQLErrors
	return errors.As(err, &all) && slices.ContainsFunc(all, func(e shopclient.GraphQLError) bool { return e.Code == code })
}

// placed is an order as the caller keeps it.
func placed(code string, total money.Amount) upstream.Placed {
	return upstream.Placed{Ref: upstream.OrderRef{ID: code}, Total: total}
}
