package shopify

import (
	"context"
	"errors"
	"net/http"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Headers besides the tokens.
const (
	// buyerHeader tells Shopify who asks through us; it wants the private token.
	buyerHeader = "Shopify-Storefront-Buyer-IP"
	// versionHeader of an answer is the version that Shopify answered in.
	versionHeader = "X-Shopify-API-Version"
)

// variables are those of a GraphQL document.
type variables = map[string]any

// call is an operation to run.
type call struct {
	// op says what is being done, name is the operation's in document.
	op       string
	name     string
	document string
	variables
	// safe: it changes nothing.
	safe bool
}

// run runs an operation of the Storefront API.
func (s *Shop) run(ctx context.Context, v upstream.Visit, c call) (shopclient.Data, error) {
	request := shopclient.Request{Op: c.op, Safe: c.safe}
	if s.private && v.Addr.IsValid() {
		request.Header = http.Header{}
		request.Header.Set(buyerHeader, v.Addr.Unmap().WithZone("").String())
	}
	data, err := perform(ctx, v, s.client, request, c)
	if upstream.CodeOf(err) == upstream.CodeDenied {
		// The token may have lost a right: what it may read is found out anew.
		s.facts.Store(nil)
	}
	return data, err
}

// runAdmin runs an operation of the Admin API. All of them only read.
func (s *Shop) runAdmin(ctx context.Context, v upstream.Visit, c call) (shopclient.Data, error) {
	return perform(ctx, v, s.admin, shopclient.Request{Op: c.op, Safe: true}, c)
}

func perform(ctx context.Context, v upstream.Visit, client *shopclient.Client, r shopclient.Request, c call) (shopclient.Data, error) {
	data, err := client.GraphQL(ctx, v, r, shopclient.Query{Name: c.name, Document: c.document, Variables: c.variables})
	return data, translated(err)
}

// translated returns an error with the code that Shopify's own codes stand for.
func translated(err error) error {
	var all shopclient.GraphQLErrors
	var e *upstream.Error
	if !errors.As(err, &all) || !errors.As(err, &e) {
		return err
	}
	for _, one := range all {
		if code := codeOf(one.Code); code != "" {
			with := *e
			with.Code = code
			return &with
		}
	}
	return err
}

// codeOf says what a code of Shopify's means, where it is not one that everybody
// uses.
func codeOf(code string) upstream.Code {
	switch code {
	case "ACCESS_DENIED", "UNAUTHORIZED":
		return upstream.CodeDenied
	case "THROTTLED":
		return upstream.CodeBusy
	case "INVALID_VARIABLE", "BAD_REQUEST":
		return upstream.CodeInvalid
	}
	return ""
}
