package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/openai"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/upstream"
)

// right is what a model answers to "black boots not leather under £150 for hiking".
const right = `{"language":"en","context":["for hiking"],"passes":[{"noun":"boots","query":"black boots","price":{"kind":"max","amounts":["150"],"currency":"GBP"},"required":[{"key":"color","value":"black"}],"excluded":[{"key":"material","value":"leather"}],"in_stock":false}]}`

var question = reading.Question{Words: "black boots not leather under £150 for hiking", Currency: "GBP"}

// endpoint answers like a chat-completions endpoint, with what it is told to.
type endpoint struct {
	status  int
	content string
	body    string // in place of a well-formed answer
	calls   int
	asked   []byte
	header  http.Header
	path    string
	hang    bool
	mu      sync.Mutex
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls++
	e.asked, _ = io.ReadAll(r.Body)
	e.header, e.path = r.Header, r.URL.Path
	if e.hang {
		<-r.Context().Done()
		return
	}
	if e.status != 0 {
		w.WriteHeader(e.status)
		return
	}
	if e.body != "" {
		_, _ = io.WriteString(w, e.body)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{
		"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": e.content}}},
	})
}

type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newReader(t *testing.T, e *endpoint, change func(*openai.Config)) *openai.Reader {
	t.Helper()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	config := openai.Config{Endpoint: server.URL + "/v1", Model: "small", Key: secret.New("key"), HTTP: server.Client()}
	if change != nil {
		change(&config)
	}
	r, err := openai.New(config)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRead(t *testing.T) {
	e := &endpoint{content: right}
	got, err := newReader(t, e, nil).Read(t.Context(), question)
	if err != nil {
		t.Fatal(err)
	}
	most := int64(15000)
	want := reading.Pass{
		Query: "black boots", Noun: "boots", Price: reading.Bounds{Max: &most, Currency: "GBP"},
		Required: []reading.Attribute{{Key: "color", Value: "black"}}, Excluded: []reading.Attribute{{Key: "material", Value: "leather"}},
	}
	if diff := cmp.Diff([]reading.Pass{want}, got.Passes); diff != "" {
		t.Error(diff)
	}
	if len(got.Context) != 1 || got.Language != "en" || got.Degraded || got.Noun != "boots" {
		t.Errorf("read %+v", got)
	}
	if e.path != "/v1/chat/completions" || e.header.Get("Authorization") != "Bearer key" {
		t.Errorf("called %s with %q", e.path, e.header.Get("Authorization"))
	}
	var asked struct {
		Model          string
		Messages       []struct{ Role, Content string }
		ResponseFormat struct {
			Type       string
			JSONSchema struct {
				Strict bool
				Schema map[string]any
			} `json:"json_schema"`
		} `json:"response_format"`
	}
	if err := json.Unmarshal(e.asked, &asked); err != nil {
		t.Fatal(err)
	}
	if asked.Model != "small" || asked.ResponseFormat.Type != "json_schema" || !asked.ResponseFormat.JSONSchema.Strict || asked.ResponseFormat.JSONSchema.Schema["type"] != "object" {
		t.Errorf("asked %s", e.asked)
	}
	if len(asked.Messages) != 2 || asked.Messages[1].Content != question.Words {
		t.Errorf("messages %+v", asked.Messages)
	}
}

// answer replaces a part of the right answer.
func answer(t *testing.T, old, replacement string) string {
	t.Helper()
	if !strings.Contains(right, old) {
		t.Fatalf("%q is not in the right answer", old)
	}
	return strings.Replace(right, old, replacement, 1)
}

func TestAnswersThatAreNotTrusted(t *testing.T) {
	for _, test := range []struct {
		name     string
		endpoint *endpoint
		want     error
	}{
		{"no JSON", &endpoint{content: "Sure! Here is"}, openai.ErrAnswer},
		{"JSON and more", &endpoint{content: right + "{}"}, openai.ErrAnswer},
		{"another property", &endpoint{content: answer(t, `"context"`, `"score":1,"context"`)}, openai.ErrAnswer},
		{"no passes", &endpoint{content: `{"language":"en","context":[],"passes":[]}`}, openai.ErrAnswer},
		{"two amounts for one bound", &endpoint{content: answer(t, `["150"]`, `["150","160"]`)}, openai.ErrAnswer},
		{"a kind of its own", &endpoint{content: answer(t, `"max"`, `"cheap"`)}, openai.ErrAnswer},
		{"an amount in words", &endpoint{content: answer(t, `["150"]`, `["much"]`)}, openai.ErrAnswer},
		{"no choices", &endpoint{body: `{"choices":[]}`}, openai.ErrAnswer},
		{"cut off", &endpoint{body: `{"choices":[{"finish_reason":"length","message":{"content":"{}"}}]}`}, openai.ErrAnswer},
		{"refused", &endpoint{body: `{"choices":[{"finish_reason":"stop","message":{"refusal":"no"}}]}`}, openai.ErrAnswer},
		{"not JSON around it", &endpoint{body: `<html>`}, openai.ErrAnswer},
		{"too long", &endpoint{content: right + strings.Repeat(" ", 70_000)}, openai.ErrAnswer},
		{"status 500", &endpoint{status: 500}, openai.ErrUnavailable},
		{"status 429", &endpoint{status: 429}, openai.ErrUnavailable},
		{"invented amount", &endpoint{content: answer(t, `["150"]`, `["120"]`)}, openai.ErrInvented},
		{"a part of an amount", &endpoint{content: answer(t, `["150"]`, `["15"]`)}, openai.ErrInvented},
		{"invented value", &endpoint{content: answer(t, `"value":"black"`, `"value":"red"`)}, openai.ErrInvented},
		{"a part of a word", &endpoint{content: answer(t, `"value":"black"`, `"value":"boo"`)}, openai.ErrInvented},
		{"invented property", &endpoint{content: answer(t, `{"key":"color","value":"black"}`, `{"key":"waterproof","value":"true"}`)}, openai.ErrInvented},
		{"invented denial", &endpoint{content: answer(t, `"value":"leather"`, `"value":"suede"`)}, openai.ErrInvented},
		{"invented noun", &endpoint{content: answer(t, `"noun":"boots"`, `"noun":"sandals"`)}, openai.ErrInvented},
		{"invented search", &endpoint{content: answer(t, `"query":"black boots"`, `"query":"gore-tex boots"`)}, openai.ErrInvented},
		{"invented context", &endpoint{content: answer(t, `"for hiking"`, `"for a wedding"`)}, openai.ErrInvented},
		{"invented size", &endpoint{content: answer(t, `{"key":"color","value":"black"}`, `{"key":"size","value":"9"}`)}, openai.ErrInvented},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := newReader(t, test.endpoint, nil).Read(t.Context(), question)
			if !errors.Is(err, test.want) {
				t.Errorf("error %v, want %v", err, test.want)
			}
		})
	}
}

func TestValuesOfTheShop(t *testing.T) {
	var b vocabulary.Builder
	b.Add(&upstream.Product{Title: "Stiefel", Options: []upstream.Option{{Name: "Farbe", Values: []string{"Black", "Night 15"}}}})
	e := &endpoint{content: `{"language":"de","context":[],"passes":[{"noun":"Stiefel","query":"Stiefel","price":{"kind":"around","amounts":["1299"],"currency":"EUR"},"required":[{"key":"Farbe","value":"Black"}],"excluded":[],"in_stock":true}]}`}
	q := reading.Question{Words: "schwarze Stiefel um die 1.299,00 €", Currency: "EUR", Language: "de", Vocabulary: b.Snapshot()}
	got, err := newReader(t, e, nil).Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if want := (reading.Attribute{Key: "Farbe", Value: "Black"}); len(got.Required) != 1 || got.Required[0] != want {
		t.Errorf("required %v, want %v", got.Required, want)
	}
	if *got.Price.Min != 103920 || *got.Price.Max != 155880 || !got.InStock {
		t.Errorf("price %d to %d, in stock %v", *got.Price.Min, *got.Price.Max, got.InStock)
	}

	// What was said leads to the shop's own value; a number that was not said
	// stays out even where the shop has it.
	e.content = strings.Replace(e.content, `"value":"Black"`, `"value":"schwarze"`, 1)
	if got, err = newReader(t, e, nil).Read(t.Context(), q); err != nil || got.Required[0].Value != "Black" {
		t.Errorf("required %v, %v", got.Required, err)
	}
	e.content = strings.Replace(e.content, `"value":"schwarze"`, `"value":"Night 15"`, 1)
	if _, err = newReader(t, e, nil).Read(t.Context(), q); !errors.Is(err, openai.ErrInvented) {
		t.Errorf("error %v", err)
	}
}

func TestStructuredArgumentsStay(t *testing.T) {
	least, q := int64(100), question
	q.Min, q.Intent = &least, "a gift"
	got, err := newReader(t, &endpoint{content: right}, nil).Read(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if got.Price.Min == nil || got.Price.Max != nil || got.Context[1] != "a gift" {
		t.Errorf("read %+v", got)
	}
}

func TestNothingIsAskedWithoutWords(t *testing.T) {
	e := &endpoint{status: 500}
	got, err := newReader(t, e, nil).Read(t.Context(), reading.Question{InStock: true})
	if err != nil || e.calls != 0 || !got.InStock {
		t.Errorf("read %+v, %v, after %d calls", got, err, e.calls)
	}
}

func TestSlowEndpoint(t *testing.T) {
	r := newReader(t, &endpoint{hang: true}, func(c *openai.Config) { c.Timeout = time.Millisecond })
	if _, err := r.Read(t.Context(), question); !errors.Is(err, openai.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestBreaker(t *testing.T) {
	now := &clock{time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	e := &endpoint{status: 500}
	r := newReader(t, e, func(c *openai.Config) { c.Clock, c.Failures, c.Pause = now.Now, 2, time.Minute })
	expect := func(want error, calls int) {
		t.Helper()
		if _, err := r.Read(t.Context(), question); !errors.Is(err, want) || e.calls != calls {
			t.Fatalf("error %v after %d calls, want %v after %d", err, e.calls, want, calls)
		}
	}
	expect(openai.ErrUnavailable, 1)
	e.status, e.content = 0, right
	expect(nil, 2) // a success begins the count anew
	e.status = 503
	expect(openai.ErrUnavailable, 3)
	expect(openai.ErrUnavailable, 4)
	expect(openai.ErrPaused, 4) // open
	now.now = now.now.Add(time.Minute - 1)
	expect(openai.ErrPaused, 4)
	now.now = now.now.Add(1)
	expect(openai.ErrUnavailable, 5) // half open, and it fails
	expect(openai.ErrPaused, 5)
	now.now = now.now.Add(time.Minute)
	e.status = 0
	expect(nil, 6) // closed
	e.status = 500
	expect(openai.ErrUnavailable, 7)
	expect(openai.ErrUnavailable, 8)
	expect(openai.ErrPaused, 8)
}

// A caller who gives up says nothing about the endpoint.
func TestGivingUpDoesNotOpenTheBreaker(t *testing.T) {
	e := &endpoint{hang: true}
	r := newReader(t, e, func(c *openai.Config) { c.Failures = 1 })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := r.Read(ctx, question); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, openai.ErrUnavailable) {
		t.Errorf("error %v", err)
	}
	e.mu.Lock() // as soon as the endpoint has noticed
	e.hang, e.content = false, right
	e.mu.Unlock()
	if _, err := r.Read(t.Context(), question); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestNew(t *testing.T) {
	good := openai.Config{Endpoint: "https://api.example.com/v1", Model: "m", HTTP: http.DefaultClient}
	for name, change := range map[string]func(*openai.Config){
		"no model":   func(c *openai.Config) { c.Model = "" },
		"no client":  func(c *openai.Config) { c.HTTP = nil },
		"no scheme":  func(c *openai.Config) { c.Endpoint = "api.example.com" },
		"other URL":  func(c *openai.Config) { c.Endpoint = "ftp://api.example.com" },
		"broken URL": func(c *openai.Config) { c.Endpoint = "https://%zz" },
	} {
		c := good
		change(&c)
		if _, err := openai.New(c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := openai.New(good); err != nil {
		t.Error(err)
	}
}
