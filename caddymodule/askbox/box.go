package askbox

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/mcp/view"
)

// Path is where a Box is to be found, with all below it.
const Path = "/ask"

// The most that is asked and answered, in bytes, and how long the shop may take.
const (
	maxQuestion = 800
	maxAnswer   = 1 << 20
	patience    = 15 * time.Second
)

// Box is an http.Handler that asks a site's MCP server.
type Box struct {
	// Endpoint is the address of the MCP server.
	Endpoint string
	// Key is the agent's key that questions are asked with.
	Key secret.String
	// Client calls the server, http.DefaultClient if nil.
	Client *http.Client
}

// ServeHTTP implements http.Handler.
func (b *Box) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-store")
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		header.Set("Allow", "GET, HEAD")
		http.Error(w, "Questions are asked with GET.", http.StatusMethodNotAllowed)
	case r.Header.Get("Sec-Fetch-Site") == "cross-site":
		http.Error(w, "Questions are asked from the shop's own page.", http.StatusForbidden)
	case r.URL.Path == Path:
		b.answer(w, r)
	case r.URL.Path == Path+"/view":
		serveView(w)
	default:
		http.Error(w, "There is nothing here.", http.StatusNotFound)
	}
}

// serveView serves the page that draws results. Wherever it is opened, it has no
// origin, and so nothing of the site's.
func serveView(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "sandbox allow-scripts; frame-ancestors 'self'")
	// Who went away cannot be told.
	_, _ = io.WriteString(w, view.Search().HTML)
}

// answer answers a question.
func (b *Box) answer(w http.ResponseWriter, r *http.Request) {
	question := strings.TrimSpace(r.URL.Query().Get("q"))
	switch {
	case question == "":
		http.Error(w, "Write what you are looking for.", http.StatusBadRequest)
		return
	case len(question) > maxQuestion:
		http.Error(w, "This is too long for a question. Say it in fewer words.", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	message, err := b.search(ctx, question)
	result, problem := message.Get("result"), message.Get("error")
	switch {
	case err != nil:
		http.Error(w, "The shop did not answer. Try again in a moment.", http.StatusBadGateway)
	case problem.Exists():
		http.Error(w, refusal(problem), http.StatusServiceUnavailable)
	case !result.IsObject():
		http.Error(w, "The shop's answer could not be read.", http.StatusBadGateway)
	default:
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, result.Raw)
	}
}

// refusal says a JSON-RPC error.
func refusal(problem gjson.Result) string {
	text := "The shop could not answer: " + strings.TrimSuffix(problem.Get("message").Str, ".") + "."
	if after := problem.Get("data.retry_after").Int(); after > 0 {
		text += fmt.Sprintf(" Try again in %d s.", after)
	}
	return text
}

// search calls search_products and returns the JSON-RPC message that answers it.
func (b *Box) search(ctx context.Context, question string) (gjson.Result, error) {
	var none gjson.Result
	body, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": 1, "method": "tools/call",
		"params": map[string]any{"name": "search_products", "arguments": map[string]string{"query": question}},
	})
	if err != nil {
		return none, fmt.Errorf("writing a question: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.Endpoint, bytes.NewReader(body))
	if err != nil {
		return none, fmt.Errorf("making a request: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Authorization", "Bearer "+b.Key.Reveal())
	client := b.Client
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil {
		return none, fmt.Errorf("asking: %w", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	switch {
	case err != nil:
		return none, fmt.Errorf("reading an answer: %w", err)
	case len(answer) > maxAnswer:
		return none, fmt.Errorf("an answer of more than %d bytes", maxAnswer)
	case !gjson.ValidBytes(answer):
		return none, fmt.Errorf("an answer with status %d that is no JSON", response.StatusCode)
	}
	return gjson.ParseBytes(answer), nil
}
