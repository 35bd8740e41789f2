package ucp

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// route is a path of the REST description with what can be done there.
type route struct {
	// path is split at the slashes; "{id}" stands for the id of something.
	path       []string
	operations []method
}

// method is an operation by its HTTP method.
type method struct {
	name      string
	operation Operation
}

// routes are the paths of services/shopping/rest.openapi.json.
var routes = []route{
	{[]string{"catalog", "search"}, []method{{http.MethodPost, SearchCatalog}}},
	{[]string{"catalog", "lookup"}, []method{{http.MethodPost, LookupCatalog}}},
	{[]string{"catalog", "product"}, []method{{http.MethodPost, GetProduct}}},
	{[]string{"carts"}, []method{{http.MethodPost, CreateCart}}},
	{[]string{"carts", "{id}"}, []method{{http.MethodGet, GetCart}, {http.MethodPut, UpdateCart}}},
	{[]string{"carts", "{id}", "cancel"}, []method{{http.MethodPost, CancelCart}}},
	{[]string{"checkout-sessions"}, []method{{http.MethodPost, CreateCheckout}}},
	{[]string{"checkout-sessions", "{id}"}, []method{{http.MethodGet, GetCheckout}, {http.MethodPut, UpdateCheckout}}},
	{[]string{"checkout-sessions", "{id}", "complete"}, []method{{http.MethodPost, CompleteCheckout}}},
	{[]string{"checkout-sessions", "{id}", "cancel"}, []method{{http.MethodPost, CancelCheckout}}},
	{[]string{"orders", "{id}"}, []method{{http.MethodGet, GetOrder}}},
}

// match returns the route of a request, nil if there is none, and the id in its
// path.
func match(base string, r *http.Request) (*route, string) {
	rest, ok := strings.CutPrefix(r.URL.EscapedPath(), base+"/")
	if !ok {
		return nil, ""
	}
	segments := strings.Split(rest, "/")
	for i := range routes {
		if id, ok := routes[i].match(segments); ok {
			return &routes[i], id
		}
	}
	return nil, ""
}

func (r *route) match(segments []string) (id string, ok bool) {
	if len(segments) != len(r.path) {
		return "", false
	}
	for i, segment := range segments {
		if r.path[i] != "{id}" {
			if segment != r.path[i] {
				return "", false
			}
			continue
		}
		unescaped, err := url.PathUnescape(segment)
		if err != nil || unescaped == "" {
			return "", false
		}
		id = unescaped
	}
	return id, true
}

// operation returns what an HTTP method does at the route. HEAD does nothing: a
// basket's answer is what its buyer has seen, and HEAD shows nobody anything.
func (r *route) operation(name string) (Operation, bool) {
	i := slices.IndexFunc(r.operations, func(m method) bool { return m.name == name })
	if i < 0 {
		return "", false
	}
	return r.operations[i].operation, true
}

// allowed lists the route's methods, for Allow.
func (r *route) allowed() string {
	var names []string
	for _, m := range r.operations {
		names = append(names, m.name)
	}
	return strings.Join(append(names, http.MethodOptions), ", ")
}
