package shopclient_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

func TestGraphQL(t *testing.T) {
	var got string
	client := newClient(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = r.Method + " " + r.RequestURI + " " + r.Header.Get("Content-Type") + " " + string(body)
		w.Header().Set("Session-Token", "next")
		io.WriteString(w, `{"data":{"search":{"totalItems":3}}}`)
	}, shopclient.Config{})
	data, err := client.GraphQL(t.Context(), upstream.Visit{}, shopclient.Request{Op: "searching", Path: []string{"graphql"}, Safe: true},
		shopclient.Query{Name: "Search", Document: "query Search($term: String) {…}", Variables: map[string]any{"term": "red \"<"}})
	if err != nil {
		t.Fatal(err)
	}
	if data.Get("search.totalItems").Int() != 3 || data.Header.Get("Session-Token") != "next" {
		t.Errorf("got %s, %v", data.Raw, data.Header)
	}
	want := `POST /api/graphql application/json {"query":"query Search($term: String) {…}","operationName":"Search","variables":{"term":"red \"\u003c"}}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("sent (-want +got):\n%s", diff)
	}
}

func TestGraphQLErrors(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		code   upstream.Code
		// unclear: the operation may have been run.
		unclear bool
	}{
		"forbidden":            {200, `{"errors":[{"message":"MARKER","extensions":{"code":"FORBIDDEN"}}]}`, upstream.CodeDenied, false},
		"forbidden after data": {200, `{"errors":[{"message":"MARKER","extensions":{"code":"FORBIDDEN"}}],"data":null}`, upstream.CodeDenied, true},
		"signed out":           {401, `{"errors":[{"message":"MARKER","extensions":{"code":"UNAUTHENTICATED"}}]}`, upstream.CodeDenied, false},
		"401 without a code":   {401, `{"errors":[{"message":"MARKER"}]}`, upstream.CodeDenied, false},
		"401 without errors":   {401, `{"message":"MARKER"}`, upstream.CodeDenied, false},
		"bad input":            {400, `{"errors":[{"message":"MARKER","extensions":{"code":"BAD_USER_INPUT"}}]}`, upstream.CodeInvalid, false},
		"not found":            {200, `{"errors":[{"message":"MARKER","extensions":{"code":"ENTITY_NOT_FOUND"}}]}`, upstream.CodeNotFound, false},
		"throttled":            {200, `{"errors":[{"message":"MARKER","extensions":{"code":"THROTTLED"}}]}`, upstream.CodeBusy, false},
		"throttled halfway":    {200, `{"errors":[{"message":"MARKER","extensions":{"code":"THROTTLED"}}],"data":{"a":1}}`, upstream.CodeBusy, true},
		"unknown field":        {400, `{"errors":[{"message":"MARKER","extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`, upstream.CodeUnavailable, true},
		"broken":               {500, `{"errors":[{"message":"MARKER"}],"data":{"a":1}}`, upstream.CodeUnavailable, true},
		"500":                  {500, `{"message":"MARKER"}`, upstream.CodeUnavailable, true},
		"no data":              {200, `{"date":"MARKER"}`, upstream.CodeUnavailable, true},
		"null":                 {200, `{"data":null}`, upstream.CodeUnavailable, true},
		"a list":               {200, `["MARKER"]`, upstream.CodeUnavailable, true},
		"HTML":                 {200, `<p>MARKER`, upstream.CodeUnavailable, true},
	} {
		t.Run(name, func(t *testing.T) {
			client := newClient(t, answer(test.status, test.body), shopclient.Config{})
			for _, kind := range kinds {
				_, err := client.GraphQL(t.Context(), upstream.Visit{}, kind.request, shopclient.Query{Document: "{a}"})
				code := test.code
				if kind.request.Order && test.unclear {
					code = upstream.CodeUnknownOutcome
				}
				checkError(t, err, code)
				if got, want := errors.Is(err, shopclient.ErrLost), test.unclear && kind.name != "read"; got != want {
					t.Errorf("%s: ErrLost %v, want %v", kind.name, got, want)
				}
			}
		})
	}
}

// TestGraphQLErrorsAreReadable: an adapter learns what its shop said, and the
// text of the error does not tell.
func TestGraphQLErrorsAreReadable(t *testing.T) {
	var list []map[string]any
	for range 50 {
		list = append(list, map[string]any{"message": marker, "extensions": map[string]any{"code": "X_" + marker}})
	}
	body, err := json.Marshal(map[string]any{"errors": list})
	if err != nil {
		t.Fatal(err)
	}
	client := newClient(t, answer(200, string(body)), shopclient.Config{})
	_, err = client.GraphQL(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading"}, shopclient.Query{Document: "{a}"})
	checkError(t, err, upstream.CodeUnavailable)
	var errs shopclient.GraphQLErrors
	if !errors.As(err, &errs) || len(errs) != 20 || errs[0] != (shopclient.GraphQLError{Code: "X_" + marker, Message: marker}) {
		t.Errorf("got %d errors", len(errs))
	}
}

func TestGraphQLVariablesThatAreNoJSON(t *testing.T) {
	client := newClient(t, answer(200, "{}"), shopclient.Config{})
	_, err := client.GraphQL(t.Context(), upstream.Visit{}, shopclient.Request{Op: "reading"},
		shopclient.Query{Document: "{a}", Variables: map[string]any{"f": func() {}}})
	if err == nil {
		t.Error("no error")
	}
}
