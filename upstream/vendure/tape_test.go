package vendure_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// A tape holds what an adapter asked of the real shop in one test and what it was
// answered, so that the test runs without a shop too. It is made with
//
//	STOREWARE_VENDURE_URL=http://127.0.0.1:3101 STOREWARE_VENDURE_RECORD=1 go test
//
// and played back in the same order; a request that is not the recorded one fails
// the test.
type tape struct {
	t         testing.TB
	file      string
	recording bool
	sessions  []string
	exchanges []exchange
	played    int
}

// exchange is a request and its answer. Sessions are called by number.
type exchange struct {
	API       string          `json:"api"`
	Operation string          `json:"operation"`
	Document  string          `json:"document"` // the head of its hash
	Query     string          `json:"query,omitempty"`
	Variables json.RawMessage `json:"variables,omitempty"`
	Session   int             `json:"session,omitempty"`
	Key       bool            `json:"key,omitempty"`
	Began     int             `json:"began,omitempty"` // the session that the answer began
	Status    int             `json:"status"`
	Answer    json.RawMessage `json:"answer"`
}

// stage is where a flow runs.
type stage struct {
	*testing.T
	shop  *vendure.Shop
	tape  *tape      // nil on the real shop
	count *int       // how many requests were sent
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
func (s *stage) requests(want int, do func()) {
	s.Helper()
	before := *s.count
	do()
	if got := *s.count - before; got != want {
		s.Errorf("%d requests were sent, want %d", got, want)
	}
}

// flow runs a flow from its tape, and against the real shop where there is one.
func flow(t *testing.T, play func(*stage), change ...func(*vendure.Config)) {
	file := filepath.Join("testdata", "tapes", t.Name()+".json")
	record := os.Getenv("STOREWARE_VENDURE_RECORD") != ""
	if !record {
		t.Run("tape", func(t *testing.T) {
			tape := readTape(t, file)
			base := &url.URL{Scheme: "http", Host: "shop.example"}
			s := &stage{T: t, tape: tape, count: new(int)}
			s.shop = newShop(t, base, counter{tape, s.count}, change...)
			play(s)
			if left := len(tape.exchanges) - tape.played; left > 0 {
				t.Errorf("%d recorded requests were not sent", left)
			}
		})
	}
	t.Run("shop", func(t *testing.T) {
		base := shopURL(t)
		s := &stage{T: t, count: new(int), staff: login(t, base), live: true}
		var transport http.RoundTripper = http.DefaultTransport
		if record {
			tape := &tape{t: t, file: file, recording: true}
			t.Cleanup(tape.save)
			transport = tape
		}
		s.shop = newShop(t, base, counter{transport, s.count}, change...)
		play(s)
	})
}

// counter counts the requests that pass.
type counter struct {
	http.RoundTripper
	n *int
}

func (c counter) RoundTrip(r *http.Request) (*http.Response, error) {
	*c.n++
	return c.RoundTripper.RoundTrip(r)
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
	return tape
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
	asked, err := p.read(request)
	if err != nil {
		return nil, err
	}
	if p.recording {
		return p.record(request, asked)
	}
	if p.played == len(p.exchanges) {
		return nil, fmt.Errorf("the tape is at its end; it was asked for %s", asked.Operation)
	}
	recorded := p.exchanges[p.played]
	p.played++
	expected := recorded
	expected.Began, expected.Status, expected.Answer = 0, 0, nil
	if got, want := asString(asked), asString(expected); got != want {
		p.t.Errorf("request %d is not the recorded one; if that is meant, record anew.\ngot  %s\nwant %s", p.played, got, want)
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if recorded.Began > 0 {
		header.Set("vendure-auth-token", fmt.Sprintf("session-%d", recorded.Began))
	}
	return &http.Response{
		StatusCode: recorded.Status, Header: header, Body: io.NopCloser(bytes.NewReader(recorded.Answer)), Request: request,
	}, nil
}

// skip passes over the next exchange if it is the answer to operation.
func (p *tape) skip(operation string) {
	if p.played < len(p.exchanges) && p.exchanges[p.played].Operation == operation {
		p.played++
	}
}

// read returns what a request asks for.
func (p *tape) read(request *http.Request) (exchange, error) {
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return exchange{}, err
	}
	request.Body = io.NopCloser(bytes.NewReader(text))
	var body struct {
		Query         string
		OperationName string
		Variables     json.RawMessage
	}
	if err := json.Unmarshal(text, &body); err != nil {
		return exchange{}, err
	}
	hash := sha256.Sum256([]byte(body.Query))
	return exchange{
		API: path.Base(request.URL.Path), Operation: body.OperationName, Document: hex.EncodeToString(hash[:4]),
		Query: request.URL.RawQuery, Variables: body.Variables,
		Session: p.session(strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")),
		Key:     request.Header.Get("vendure-api-key") != "",
	}, nil
}

// session numbers the sessions of a recording; a played one has its number in it.
func (p *tape) session(token string) int {
	if token == "" {
		return 0
	}
	var n int
	if _, err := fmt.Sscanf(token, "session-%d", &n); err == nil {
		return n
	}
	if !slices.Contains(p.sessions, token) {
		p.sessions = append(p.sessions, token)
	}
	return slices.Index(p.sessions, token) + 1
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
	asked.Began = p.session(response.Header.Get("vendure-auth-token"))
	p.exchanges = append(p.exchanges, asked)
	response.Body = io.NopCloser(bytes.NewReader(answer))
	return response, nil
}

func asString(e exchange) string {
	text, err := json.Marshal(e)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
