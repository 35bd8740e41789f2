package shopclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// FuzzAnswer: whatever a shop answers becomes valid JSON or an error that says
// nothing of it.
func FuzzAnswer(f *testing.F) {
	f.Add(200, "", `{"data":{"a":[1,2]}}`)
	f.Add(200, "", "\ufeff{\"data\":{}}")
	f.Add(200, "", "{\"data\":{\"a\":\"caf\xe9\"}}")
	f.Add(400, "", `{"errors":[{"message":"m","extensions":{"code":"FORBIDDEN"}}],"data":null}`)
	f.Add(200, "", `{"errors":{"message":7},"data":{}}`)
	f.Add(200, "", "<html>")
	f.Add(429, "Fri, 31 Dec 1999 23:59:59 GMT", "")
	f.Add(503, "-1", "[[[[")
	f.Add(204, "", "no content has none")
	f.Add(302, "18446744073709551616", "{")
	f.Fuzz(func(t *testing.T, status int, header, body string) {
		if status < 100 || status > 999 {
			t.Skip("the transport takes three digits")
		}
		client := inProcess(t, func(*http.Request) (*http.Response, error) {
			response := respond(status, body)
			response.Header["Retry-After"] = []string{header}
			response.Header["Location"] = []string{header}
			return response, nil
		}, shopclient.Config{MaxBody: 1 << 16})
		request := shopclient.Request{Op: "reading", Refusals: true}

		response, err := client.Do(context.Background(), upstream.Visit{}, request)
		if err != nil {
			checkQuiet(t, err, body)
		} else if response.Body != "" && (!json.Valid([]byte(response.Body)) || !utf8.ValidString(response.Body)) {
			t.Errorf("%q is not JSON in UTF-8", response.Body)
		}
		data, err := client.GraphQL(context.Background(), upstream.Visit{}, request, shopclient.Query{Document: "{a}"})
		if err != nil {
			checkQuiet(t, err, body)
		} else if !data.IsObject() {
			t.Errorf("%q is not an object", data.Raw)
		}
	})
}

func checkQuiet(t *testing.T, err error, body string) {
	t.Helper()
	var e *upstream.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T %v is no *upstream.Error", err, err)
	}
	if e.RetryAfter < 0 || e.RetryAfter > time.Hour {
		t.Errorf("retry after %s", e.RetryAfter)
	}
	if len(body) > 20 && strings.Contains(err.Error(), body) {
		t.Errorf("%v quotes the body", err)
	}
}
