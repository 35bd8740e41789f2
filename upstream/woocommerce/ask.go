package woocommerce

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// The two APIs of a shop, by the path WordPress gives them.
const (
	storeAPI = "wc/store/v1"
	adminAPI = "wc/v3"
)

// Headers of the Store API.
const (
	tokenHeader = "Cart-Token"
	totalHeader = "X-WP-Total"
	pagesHeader = "X-WP-TotalPages"
)

// call is a request to one of the shop's APIs.
type call struct {
	op string
	// method is GET by default, POST where there is a body.
	method string
	// path follows the API's own, such as cart/add-item.
	path  string
	query url.Values
	// token opens a basket.
	token string
	body  any
	safe  bool
	order bool
	// landmark: every WooCommerce answers it.
	landmark bool
}

// ask sends a request to the Store API. An error is one of the client's, or says
// that the shop wants to be left alone. Any other refusal is an answer.
func (s *Shop) ask(ctx context.Context, v upstream.Visit, f *facts, c call) (answer, error) {
	request, err := c.request(f.plain, storeAPI)
	if err != nil {
		return answer{}, err
	}
	if c.token != "" {
		request.Secrets = map[string]secret.String{tokenHeader: secret.New(c.token)}
	}
	return s.send(ctx, v, request)
}

// manage sends a request to the REST API, with the key.
func (s *Shop) manage(ctx context.Context, v upstream.Visit, f *facts, c call) (answer, error) {
	request, err := c.request(f.plain, adminAPI)
	if err != nil {
		return answer{}, err
	}
	s.key.sign(&request, f, s.now())
	return s.send(ctx, v, request)
}

// request is what the client sends for a call. A shop whose permalinks are plain
// knows its API under the front page alone.
func (c call) request(plain bool, api string) (shopclient.Request, error) {
	r := shopclient.Request{
		Op: c.op, Method: c.method, Query: c.query, Safe: c.safe, Order: c.order, Refusals: true,
	}
	if c.landmark {
		r.System = "WooCommerce"
	}
	route := strings.Trim(api+"/"+c.path, "/")
	switch {
	case plain:
		r.Query = with(c.query, "rest_route", "/"+route)
	case route == "":
		r.Path = []string{"wp-json"}
	default:
		r.Path = append([]string{"wp-json"}, strings.Split(route, "/")...)
	}
	if c.body == nil {
		return r, nil
	}
	body, err := json.Marshal(c.body)
	if err != nil {
		return shopclient.Request{}, fmt.Errorf("%s: encoding the request: %w", c.op, err)
	}
	r.Body = body
	return r, nil
}

// with returns the query with one more value.
func with(query url.Values, name, value string) url.Values {
	out := make(url.Values, len(query)+1)
	for key, values := range query {
		out[key] = values
	}
	out.Set(name, value)
	return out
}

// send sends a request.
func (s *Shop) send(ctx context.Context, v upstream.Visit, r shopclient.Request) (answer, error) {
	response, err := s.client.Do(ctx, v, r)
	if err != nil {
		return answer{}, err
	}
	a := answer{op: r.Op, status: response.Status, header: response.Header, body: response.JSON()}
	if a.code() == "rate_limit_exceeded" {
		return answer{}, a.busy()
	}
	return a, nil
}

// optional is ask for something that the adapter can do without: whatever the
// shop makes of it, only the end of the context is an error.
func (s *Shop) optional(ctx context.Context, v upstream.Visit, f *facts, c call) (answer, error) {
	a, err := s.ask(ctx, v, f, c)
	if err != nil {
		if ctx.Err() != nil {
			return answer{}, err
		}
		return answer{status: http.StatusServiceUnavailable}, nil
	}
	return a, nil
}
