package askbox_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/caddymodule/askbox"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/mcp/view"
)

const key = "swa_of-the-box"

// box asks a server that answers every question with a status and a body, and
// returns what the server was sent.
func box(t *testing.T, status int, body string) (b *askbox.Box, asked func() (http.Header, string)) {
	t.Helper()
	var header http.Header
	var question string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		header, question = r.Header, string(sent)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	return &askbox.Box{Endpoint: server.URL + "/mcp", Key: secret.New(key), Client: server.Client()}, func() (http.Header, string) { return header, question }
}

func get(t *testing.T, b *askbox.Box, method, target string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), key) {
		t.Errorf("%s tells the key: %s", target, w.Body)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%s: headers are %v", target, w.Header())
	}
	return w
}

func ask(question string) string { return askbox.Path + "?" + url.Values{"q": {question}}.Encode() }

func TestAQuestionIsAskedAsItWasPut(t *testing.T) {
	const result = `{"content":[{"type":"text","text":"<b>1</b>"}],"structuredContent":{"passes":1}}`
	b, asked := box(t, http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":`+result+`}`)
	const question = `boots "under" £150, ` + "\n" + `not <leather>`
	w := get(t, b, http.MethodGet, ask("  "+question+" "))
	if w.Code != http.StatusOK || w.Body.String() != result || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("answered %d %v %s", w.Code, w.Header(), w.Body)
	}
	header, body := asked()
	if got := header.Get("Authorization"); got != "Bearer "+key {
		t.Errorf("the key is %q", got)
	}
	call := gjson.Parse(body)
	if call.Get("method").Str != "tools/call" || call.Get("params.name").Str != "search_products" ||
		call.Get("params.arguments").Get("query").Str != question || len(call.Get("params.arguments").Map()) != 1 {
		t.Errorf("asked %s", body)
	}
}

// A tool's own error is a result, which the view draws.
func TestAMistakeIsAResult(t *testing.T) {
	b, _ := box(t, http.StatusOK, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"No."}],"isError":true}}`)
	if w := get(t, b, http.MethodGet, ask("boots")); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"isError":true`) {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

func TestWhatIsNoResultIsSaid(t *testing.T) {
	for name, test := range map[string]struct {
		target string
		status int
		body   string
		want   int
		said   string
	}{
		"nothing asked": {askbox.Path, 0, "", 400, "Write what you are looking for.\n"},
		"blanks":        {ask(" \t\n"), 0, "", 400, "Write what you are looking for.\n"},
		"too much":      {ask(strings.Repeat("é", 401)), 0, "", 400, "This is too long for a question. Say it in fewer words.\n"},
		"another path":  {askbox.Path + "/key", 0, "", 404, "There is nothing here.\n"},
		"the shop sleeps": {
			ask("boots"), 503, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"The shop is away.","data":{"retry_after":5}}}`,
			503, "The shop could not answer: The shop is away. Try again in 5 s.\n",
		},
		"refused":           {ask("boots"), 401, `{"error":{"message":"The key is unknown"}}`, 503, "The shop could not answer: The key is unknown.\n"},
		"a page":            {ask("boots"), 502, "<html>", 502, "The shop did not answer. Try again in a moment.\n"},
		"nothing":           {ask("boots"), 200, "", 502, "The shop did not answer. Try again in a moment.\n"},
		"another shape":     {ask("boots"), 200, `{"result":7}`, 502, "The shop's answer could not be read.\n"},
		"more than is read": {ask("boots"), 200, `{"result":{"x":"` + strings.Repeat("x", 1<<20) + `"}}`, 502, "The shop did not answer. Try again in a moment.\n"},
	} {
		t.Run(name, func(t *testing.T) {
			b, asked := box(t, max(test.status, 200), test.body)
			w := get(t, b, http.MethodGet, test.target)
			if w.Code != test.want || w.Body.String() != test.said || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
				t.Errorf("answered %d %v %q, want %d %q", w.Code, w.Header(), w.Body, test.want, test.said)
			}
			if _, body := asked(); test.status == 0 && body != "" {
				t.Errorf("the shop was asked %s", body)
			}
		})
	}
}

func TestTheShopIsDown(t *testing.T) {
	b, _ := box(t, http.StatusOK, "")
	b.Endpoint = "http://127.0.0.1:0/mcp"
	if w := get(t, b, http.MethodGet, ask("boots")); w.Code != http.StatusBadGateway || !strings.Contains(w.Body.String(), "did not answer") {
		t.Errorf("answered %d %s", w.Code, w.Body)
	}
}

func TestOthersDoNotAsk(t *testing.T) {
	b, asked := box(t, http.StatusOK, `{"result":{}}`)
	if w := get(t, b, http.MethodPost, ask("boots")); w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") == "" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
	if w := get(t, b, http.MethodGet, ask("boots"), "Sec-Fetch-Site", "cross-site"); w.Code != http.StatusForbidden {
		t.Errorf("from another site: %d", w.Code)
	}
	if _, body := asked(); body != "" {
		t.Errorf("the shop was asked %s", body)
	}
	if w := get(t, b, http.MethodGet, ask("boots"), "Sec-Fetch-Site", "same-origin"); w.Code != http.StatusOK {
		t.Errorf("from the shop's page: %d", w.Code)
	}
}

func TestTheViewIsTheTools(t *testing.T) {
	b, _ := box(t, http.StatusOK, "")
	w := get(t, b, http.MethodGet, askbox.Path+"/view")
	if w.Code != http.StatusOK || w.Body.String() != view.Search().HTML || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("answered %d %v", w.Code, w.Header())
	}
	if got := w.Header().Get("Content-Security-Policy"); got != "sandbox allow-scripts; frame-ancestors 'self'" {
		t.Errorf("the policy is %q", got)
	}
}
