package spectest

import (
	"net/http"
	"strconv"
	"strings"
)

// An operation is one entry of the REST description.
type operation struct {
	id       string // "create_checkout"
	method   string
	path     []string // "/carts/{id}" split at the slashes
	request  string   // reference to the body's schema; "" without a body
	response string   // reference to the resource's schema
	failure  string   // reference to the error response; "" when the operation has none
	success  int      // status of an answer that carries the resource
}

// operations lists what a REST description declares.
func operations(doc any) []operation {
	root := tree{value: doc}
	var list []operation
	for _, path := range root.get("paths").members() {
		for _, method := range path.members() {
			id := method.get("operationId").text()
			if id == "" {
				continue // "parameters", which all methods of the path share
			}
			op := operation{
				id:      id,
				method:  strings.ToUpper(method.key()),
				path:    strings.Split(path.key(), "/"),
				request: reference(method.get("requestBody", "content", "application/json", "schema")),
			}
			for _, answer := range method.get("responses").members() {
				op.success, _ = strconv.Atoi(answer.key())
				op.response, op.failure = branches(root, answer.get("content", "application/json", "schema"))
			}
			list = append(list, op)
		}
	}
	return list
}

// reference returns the reference that a schema consists of, or one to the
// schema itself where it is more: 2026-01-23 adds risk signals to completing.
func reference(schema tree) string {
	if !schema.exists() {
		return ""
	}
	if ref := schema.get("$ref").text(); ref != "" {
		return ref
	}
	return "#" + schema.at
}

// branches splits a response schema, one of a resource and the error response,
// into the two. A resource without that choice has no failure branch.
func branches(root, schema tree) (resource, failure string) {
	ref := reference(schema)
	if pointer, local := strings.CutPrefix(ref, "#"); local {
		for _, branch := range root.follow(pointer).get("oneOf").items() {
			if to := branch.get("$ref").text(); strings.HasSuffix(to, "/error_response.json") {
				failure = to
			} else {
				resource = to
			}
		}
	}
	if resource == "" {
		resource = ref
	}
	return resource, failure
}

// find returns the operation with an id.
func (s *Spec) find(id string) (operation, bool) {
	for _, op := range s.operations {
		if op.id == id {
			return op, true
		}
	}
	return operation{}, false
}

// match returns the operation that a method and a path below the endpoint name.
func (s *Spec) match(method, path string) (operation, bool) {
	segments := strings.Split(path, "/")
	for _, op := range s.operations {
		if op.method == method && op.matches(segments) {
			return op, true
		}
	}
	return operation{}, false
}

func (op operation) matches(segments []string) bool {
	if len(segments) != len(op.path) {
		return false
	}
	for i, want := range op.path {
		if strings.HasPrefix(want, "{") {
			if segments[i] == "" {
				return false
			}
		} else if segments[i] != want {
			return false
		}
	}
	return true
}

// root is the capability whose payloads the operation carries (overview,
// "Response Capability Selection").
func (op operation) root() string {
	switch {
	case op.id == "search_catalog":
		return "dev.ucp.shopping.catalog.search"
	case op.id == "lookup_catalog", op.id == "get_product":
		return "dev.ucp.shopping.catalog.lookup"
	case strings.HasSuffix(op.id, "_cart"):
		return "dev.ucp.shopping.cart"
	case strings.HasSuffix(op.id, "_order"):
		return "dev.ucp.shopping.order"
	default:
		return "dev.ucp.shopping.checkout"
	}
}

// verb is the operation's name in annotations ("create") and in the names of
// catalogue shapes ("search", "lookup", "get_product").
func (op operation) verb() string {
	if op.id == "get_product" {
		return op.id
	}
	verb, _, _ := strings.Cut(op.id, "_")
	if verb == "get" {
		return "read"
	}
	return verb
}

// accepts reports whether an answer with the resource may have this status.
func (op operation) accepts(status int) bool {
	if op.success == 0 {
		return status == http.StatusOK
	}
	return status == op.success
}
