package shopclient_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// TestForeign: what no shop of a system answers is told as such, and that a shop is
// down or busy is not.
func TestForeign(t *testing.T) {
	for name, test := range map[string]struct {
		shop    http.HandlerFunc
		graphQL bool
		want    string // empty: not foreign
	}{
		"404":                {answer(404, "{}"), false, "(GET /api/regions was answered with 404)"},
		"405":                {answer(405, "no"), false, "with 405)"},
		"a page":             {answer(200, "<!doctype html>"), false, "with 200 with an HTML page)"},
		"GraphQL 404":        {answer(404, "{}"), true, "(POST /api/regions was answered with 404)"},
		"GraphQL, a page":    {answer(404, "<p>no</p>"), true, "with 404)"},
		"GraphQL, no data":   {answer(200, "{}"), true, "JSON that has no data"},
		"down":               {answer(503, "<p>soon</p>"), false, ""},
		"a gateway's":        {answer(502, "<p>bad</p>"), true, ""},
		"busy":               {answer(429, "{}"), false, ""},
		"denied":             {answer(403, "{}"), false, ""},
		"GraphQL, a refusal": {answer(200, `{"errors":[{"message":"no"}]}`), true, ""},
	} {
		client := newClient(t, test.shop, shopclient.Config{})
		request := shopclient.Request{Op: "asking", Path: []string{"regions"}, System: "Medusa", Safe: true}
		var err error
		if test.graphQL {
			_, err = client.GraphQL(t.Context(), upstream.Visit{}, request, shopclient.Query{Document: "{ shop }"})
		} else {
			_, err = client.Do(t.Context(), upstream.Visit{}, request)
		}
		if foreign := errors.Is(err, upstream.ErrForeign); err == nil || foreign != (test.want != "") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
		if test.want == "" {
			continue
		}
		if upstream.CodeOf(err) != upstream.CodeUnavailable || !strings.Contains(err.Error(), "a Medusa shop") || !strings.HasSuffix(err.Error(), "is the address right, and the system?") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
