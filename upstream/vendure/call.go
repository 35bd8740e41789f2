package vendure

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// Headers of Vendure's default configuration.
const (
	channelHeader  = "vendure-token"
	sessionHeader  = "vendure-auth-token"
	adminKeyHeader = "vendure-api-key"
)

// call is an operation to run.
type call struct {
	// op says what is being done, name is the operation's in document.
	op       string
	name     string
	document string
	variables
	session session
	query   url.Values
	safe    bool
	order   bool
	// landmark: every Vendure answers it.
	landmark bool
}

// variables are those of a GraphQL document.
type variables = map[string]any

// run runs an operation of the Shop API.
func (s *Shop) run(ctx context.Context, v upstream.Visit, c call) (shopclient.Data, error) {
	return perform(ctx, v, s.client, c)
}

// runAdmin runs an operation of the Admin API.
func (s *Shop) runAdmin(ctx context.Context, v upstream.Visit, c call) (shopclient.Data, error) {
	return perform(ctx, v, s.admin, c)
}

func perform(ctx context.Context, v upstream.Visit, client *shopclient.Client, c call) (shopclient.Data, error) {
	request := shopclient.Request{
		Op: c.op, Query: c.query, Secrets: c.session.headers(), Safe: c.safe, Order: c.order,
	}
	if c.landmark {
		request.System = "Vendure"
	}
	return client.GraphQL(ctx, v, request, shopclient.Query{
		Name: c.name, Document: c.document, Variables: c.variables,
	})
}

// inBasket is a call in the session of a basket, and in its currency: Vendure
// may compute prices anew with any change.
func (sc *schema) inBasket(v upstream.Visit, h handle, op, name string) call {
	return call{op: op, name: name, session: h.Session, query: sc.market(v.Market, h.Currency)}
}

// mutate runs fields one after the other in one mutation; mutationAlias names the
// result of each. Document and variables of c are the method's own.
func (s *Shop) mutate(ctx context.Context, v upstream.Visit, c call, fields []field, fragments ...string) (shopclient.Data, error) {
	o := operation{kind: "mutation", name: c.name, fields: fields}
	for i := range o.fields {
		o.fields[i].alias = mutationAlias(i)
	}
	text, values := o.render()
	c.document, c.variables = document(text, fragments...), values
	return s.run(ctx, v, c)
}

func mutationAlias(i int) string { return "m" + strconv.Itoa(i) }

// unlock opens a locked order to changes again. One that is open stays so.
func (s *Shop) unlock(ctx context.Context, sc *schema, v upstream.Visit, op string, h handle) error {
	_, err := s.mutate(ctx, v, sc.inBasket(v, h, op, "Unlock"), []field{transition(stateOpen)})
	return err
}

// session is what ties requests to one basket: a token, or the cookies of a shop
// that does not hand out its token otherwise. The zero session is none yet.
type session struct {
	Token  string `json:"token,omitempty"`
	Cookie string `json:"cookie,omitempty"`
}

// headers are what is sent for the session.
func (s session) headers() map[string]secret.String {
	switch {
	case s.Token != "":
		return map[string]secret.String{"Authorization": secret.New("Bearer " + s.Token)}
	case s.Cookie != "":
		return map[string]secret.String{"Cookie": secret.New(s.Cookie)}
	}
	return nil
}

// follow returns the session to go on with after an answer. A shop that does not
// know the session any more has begun a new one.
func (s session) follow(answer http.Header) session {
	if token := answer.Get(sessionHeader); token != "" {
		return session{Token: token}
	}
	if s.Token != "" {
		return s
	}
	cookies := (&http.Response{Header: answer}).Cookies()
	if len(cookies) == 0 {
		return s
	}
	request := http.Request{Header: make(http.Header)}
	for _, cookie := range cookies {
		request.AddCookie(&http.Cookie{Name: cookie.Name, Value: cookie.Value})
	}
	return session{Cookie: request.Header.Get("Cookie")}
}
