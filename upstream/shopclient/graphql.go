package shopclient

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream"
)

// maxGraphQLErrors is how many errors of one answer are kept.
const maxGraphQLErrors = 20

// Query is a GraphQL operation to run.
type Query struct {
	// Name is the operation's name in Document; it may be empty.
	Name string
	// Document is the GraphQL text.
	Document string
	// Variables are encoded as JSON.
	Variables map[string]any
}

// Data is what a GraphQL operation returned.
type Data struct {
	// Result is the object "data" of the answer.
	gjson.Result
	// Header is the answer's, for shops that hand out a token there.
	Header http.Header
}

// GraphQLErrors are the top-level errors of an answer, wrapped by the
// [*upstream.Error] that [Client.GraphQL] returns. Their text stays out of
// Error; whoever reads it must not print it.
type GraphQLErrors []GraphQLError

// GraphQLError is one error, in the shop's words.
type GraphQLError struct {
	// Code is extensions.code, such as FORBIDDEN.
	Code    string
	Message string
}

// Error implements error.
func (e GraphQLErrors) Error() string { return fmt.Sprintf("%d GraphQL errors", len(e)) }

// GraphQL runs an operation. Body, Method, ContentType and Refusals of r are the
// method's own. An answer with errors is an error, even when it holds data too:
// what is missing from it cannot be told.
func (c *Client) GraphQL(ctx context.Context, v upstream.Visit, r Request, q Query) (Data, error) {
	body, err := json.Marshal(struct {
		Query         string         `json:"query"`
		OperationName string         `json:"operationName,omitempty"`
		Variables     map[string]any `json:"variables,omitempty"`
	}{q.Document, q.Name, q.Variables})
	if err != nil {
		return Data{}, fmt.Errorf("%s: encoding the variables: %w", r.Op, err)
	}
	r.Method, r.Body, r.ContentType, r.Accept = http.MethodPost, body, "", ""
	// By its media type application/graphql-response+json an answer with errors
	// may have a status of 4xx.
	r.Refusals = true
	response, err := c.Do(ctx, v, r)
	if err != nil {
		return Data{}, err
	}
	answer := response.JSON()
	data := answer.Get("data")
	if all := graphQLErrors(answer.Get("errors")); len(all) > 0 {
		return Data{}, refusedOperation(r, response.Status, all, data.Exists())
	}
	switch {
	case response.Status/100 != 2:
		return Data{}, c.told(r, c.rejected(r, response.Status, response.Header))
	case !data.IsObject():
		return Data{}, c.told(r, unusable(r, response.Status, "JSON that has no data"))
	}
	return Data{data, response.Header}, nil
}

// graphQLErrors reads the top-level errors of an answer.
func graphQLErrors(list gjson.Result) GraphQLErrors {
	var all GraphQLErrors
	list.ForEach(func(_, one gjson.Result) bool {
		all = append(all, GraphQLError{
			Code:    one.Get("extensions.code").String(),
			Message: one.Get("message").String(),
		})
		return len(all) < maxGraphQLErrors
	})
	return all
}

// refusedOperation turns top-level errors into one. The operation was run if the
// answer has an entry for data, even a null one; it was not if there is none and
// the error is the caller's (GraphQL specification §7.1).
func refusedOperation(r Request, status int, all GraphQLErrors, ran bool) error {
	e := upstream.Errorf(graphQLCode(all[0].Code, status), r.Op, "the shop refused the operation")
	e.Err = all
	if ran || e.Code == upstream.CodeUnavailable {
		markLost(r, e)
	}
	return e
}

// graphQLCode says what a code means that Apollo's servers, and those written in
// their manner, agree on.
func graphQLCode(code string, status int) upstream.Code {
	switch code {
	case "UNAUTHENTICATED", "FORBIDDEN":
		return upstream.CodeDenied
	case "BAD_USER_INPUT", "USER_INPUT_ERROR":
		return upstream.CodeInvalid
	case "NOT_FOUND", "ENTITY_NOT_FOUND":
		return upstream.CodeNotFound
	case "THROTTLED", "RATE_LIMITED", "TOO_MANY_REQUESTS":
		return upstream.CodeBusy
	}
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return upstream.CodeDenied
	}
	return upstream.CodeUnavailable
}
