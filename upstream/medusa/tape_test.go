package medusa_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/medusa"
)

// A tape holds what an adapter asked of the real shop in one test and what it was
// answered, so that the test runs without a shop too. It is made with
//
//	STOREWARE_MEDUSA_URL=http://127.0.0.1:3102 STOREWARE_MEDUSA_RECORD=1 go test
//
// and played back; a request that is not a recorded one fails the test. Equal
// requests are answered in the order in which they were recorded. Requests that
// are made at the same time may come in any order.
type tape struct {
	t         testing.TB
	file      string
	recording bool

	mu        sync.Mutex
	exchanges []exchange
	played    []bool
}

// exchange is a request and its answer.
type exchange struct {
	Method string          `json:"method"`
	Path   string          `json:"path"`
	Query  url.Values      `json:"query,omitempty"`
	Body   json.RawMessage `json:"body,omitempty"`
	Status int             `json:"status"`
	Answer json.RawMessage `json:"answer"`
}

// asked is the request of an exchange.
func (e exchange) asked() string {
	e.Status, e.Answer = 0, nil
	text, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// stage is where a flow runs.
type stage struct {
	*testing.T
	shop  *medusa.Shop
	count *counter
	staff backOffice // only on the real shop
	live  bool
}

// behind does something behind the shop's counter. On tape it is done already.
func (s *stage) behind(do func(backOffice)) {
	if s.live {
		do(s.staff)
	}
}

// requests fails unless do sends so many requests.
func (s *stage) requests(what string, want int, do func()) {
	s.Helper()
	before := s.count.sent()
	do()
	if got := s.count.sent() - before; got != want {
		s.Errorf("%s: %d requests were sent, want %d", what, got, want)
	}
}

// flow runs a flow from its tape, and against the real shop where there is one.
func flow(t *testing.T, play func(*stage), change ...func(*medusa.Config)) {
	file := filepath.Join("testdata", "tapes", t.Name()+".json")
	record := os.Getenv("STOREWARE_MEDUSA_RECORD") != ""
	if !record {
		t.Run("tape", func(t *testing.T) {
			tape := readTape(t, file)
			s := &stage{T: t, count: &counter{road: tape}}
			s.shop = newShop(t, nowhere, anyKey, s.count, change...)
			play(s)
			if left := tape.left(); left > 0 && !t.Failed() {
				t.Errorf("%d recorded requests were not sent", left)
			}
		})
	}
	t.Run("shop", func(t *testing.T) {
		base := shopURL(t)
		s := &stage{T: t, count: &counter{road: http.DefaultTransport}, staff: login(t, base), live: true}
		s.staff.fill(t)
		if record {
			tape := &tape{t: t, file: file, recording: true}
			t.Cleanup(tape.save)
			s.count.road = tape
		}
		s.shop = newShop(t, base, shopKey(t), s.count, change...)
		play(s)
	})
}

// nowhere is where the shop of a tape is, and anyKey its key.
var (
	nowhere = &url.URL{Scheme: "http", Host: "shop.example"}
	anyKey  = secret.New("pk_of_a_tape")
)

// counter counts the requests that pass.
type counter struct {
	road http.RoundTripper
	mu   sync.Mutex
	n    int
}

func (c *counter) sent() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}

// RoundTrip implements http.RoundTripper.
func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.mu.Lock()
	c.n++
	c.mu.Unlock()
	return c.road.RoundTrip(r)
}

func readTape(t *testing.T, file string) *tape {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tape := &tape{t: t, file: file}
	if err := json.Unmarshal(text, &tape.exchanges); err != nil {
		t.Fatal(err)
	}
	tape.played = make([]bool, len(tape.exchanges))
	return tape
}

func (p *tape) left() (n int) {
	for _, played := range p.played {
		if !played {
			n++
		}
	}
	return n
}

func (p *tape) save() {
	if p.t.Failed() {
		return
	}
	var text bytes.Buffer
	text.WriteString("[\n")
	for i, e := range p.exchanges {
		line, err := json.Marshal(e)
		if err != nil {
			p.t.Fatal(err)
		}
		if i > 0 {
			text.WriteString(",\n")
		}
		text.Write(line)
	}
	text.WriteString("\n]\n")
	if err := os.MkdirAll(filepath.Dir(p.file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.file, text.Bytes(), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// RoundTrip implements http.RoundTripper.
func (p *tape) RoundTrip(request *http.Request) (*http.Response, error) {
	asked, err := read(request)
	if err != nil {
		return nil, err
	}
	if p.recording {
		return p.record(request, asked)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, e := range p.exchanges {
		if !p.played[i] && e.asked() == asked.asked() {
			p.played[i] = true
			return respond(request, e.Status, "application/json", string(e.Answer)), nil
		}
	}
	p.t.Errorf("a request is not on the tape, or not any more; if that is meant, record anew: %s", asked.asked())
	return nil, fmt.Errorf("%s %s is not on the tape", asked.Method, asked.Path)
}

// read returns what a request asks for.
func read(request *http.Request) (exchange, error) {
	e := exchange{Method: request.Method, Path: strings.TrimPrefix(request.URL.Path, "/store"), Query: request.URL.Query()}
	if request.Body == nil {
		return e, nil
	}
	text, err := io.ReadAll(request.Body)
	request.Body = io.NopCloser(bytes.NewReader(text))
	e.Body = text
	return e, err
}

func (p *tape) record(request *http.Request, asked exchange) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	asked.Status, asked.Answer = response.StatusCode, answer
	p.mu.Lock()
	p.exchanges = append(p.exchanges, asked)
	p.mu.Unlock()
	response.Body = io.NopCloser(bytes.NewReader(answer))
	return response, nil
}

func respond(request *http.Request, status int, kind, body string) *http.Response {
	return &http.Response{
		StatusCode: status, Header: http.Header{"Content-Type": {kind}},
		Body: io.NopCloser(strings.NewReader(body)), Request: request,
	}
}
