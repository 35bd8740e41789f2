package acp

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"testing"
	"time"
)

// A retry gets the first answer, whatever the order of its members; another body
// with the same key is refused.
func TestRetries(t *testing.T) {
	d := newDesk(t)
	send := func(path, key, body string) result {
		r := d.request("scout", "POST", path, body)
		r.Header.Set("Idempotency-Key", key)
		r.Header.Set("Request-Id", "req-1")
		return d.send(r)
	}
	first := send("/carts", "k", `{"line_items":[{"id":"v-FJL-9-TAN","quantity":2}],"buyer":{"email":"a@example.com"},"x":1.50}`)
	again := send("/carts", "k", ` {"x":1.5,"buyer":{"email":"a@example.com"},"line_items":[{"quantity":2,"id":"v-FJL-9-TAN"}]}`)
	if again.StatusCode != http.StatusCreated || again.text != first.text || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("again: %v %s", again.Header, again.text)
	}
	if first.Header.Get("Idempotent-Replayed") != "" || first.Header.Get("Idempotency-Key") != "k" || first.Header.Get("Request-Id") != "req-1" {
		t.Errorf("first: %v", first.Header)
	}
	if event := d.event(); !event.Replayed || event.Outcome != "replayed" || event.RequestID != "req-1" {
		t.Errorf("event %+v", event)
	}
	for _, other := range []string{
		`{"line_items":[{"id":"v-FJL-9-TAN","quantity":3}],"buyer":{"email":"a@example.com"},"x":1.5}`,
		`{"line_items":[{"id":"v-FJL-9-TAN","quantity":2}],"buyer":{"email":"a@example.com"},"x":null}`,
		`{"line_items":[{"id":"v-FJL-9-TAN","quantity":2}],"buyer":{"email":"a@example.com"}}`,
	} {
		if got := send("/carts", "k", other); got.StatusCode != http.StatusUnprocessableEntity || got.Get("code").Str != "idempotency_conflict" {
			t.Errorf("%s: %s", other, got.text)
		}
	}
	// On another path it is another key.
	if got := send("/checkout_sessions", "k", "{"+ordered+"}"); got.StatusCode != http.StatusCreated || got.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("elsewhere: %s", got.text)
	}
	// A refusal that was looked at stands, too, with its headers.
	id := first.Get("id").Str
	d.want(200, "scout", "POST", "/checkout_sessions/"+id+"/cancel", "")
	once := send("/checkout_sessions/"+id+"/cancel", "c", "")
	twice := send("/checkout_sessions/"+id+"/cancel", "c", "")
	if once.StatusCode != 405 || twice.text != once.text || twice.Header.Get("Allow") != once.Header.Get("Allow") || twice.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("once %v %s\ntwice %v %s", once.Header, once.text, twice.Header, twice.text)
	}
}

// signed returns a request that is signed as an agent with a public key does.
func (d *desk) signed(agent, method, path, body string) *http.Request {
	r := d.request(agent, method, path, body)
	stamp := d.clock().Format(time.RFC3339)
	message := []byte(stamp + "\n" + method + "\n" + base + path + "\n" + body)
	var signature []byte
	if agent == "signer256" {
		digest := sha256.Sum256(message)
		x, y, err := ecdsa.Sign(rand.Reader, d.esKey, digest[:])
		if err != nil {
			d.t.Fatal(err)
		}
		signature = y.FillBytes(make([]byte, 64))
		x.FillBytes(signature[:32])
	} else {
		signature = ed25519.Sign(d.edKey, message)
	}
	r.Header.Set("Timestamp", stamp)
	r.Header.Set("Signature", base64.RawURLEncoding.EncodeToString(signature))
	return r
}

// An agent with a public key signs every request, and one without it none.
func TestSignatures(t *testing.T) {
	for _, agent := range []string{"signer", "signer256"} {
		t.Run(agent, func(t *testing.T) {
			d := newDesk(t)
			made := d.send(d.signed(agent, "POST", "/carts", "{"+boots+"}"))
			if made.StatusCode != http.StatusCreated || d.event().Signature != "valid" {
				t.Fatalf("HTTP %d %s", made.StatusCode, made.text)
			}
			path := "/carts/" + made.Get("id").Str
			for range 2 { // reading may be repeated
				r := d.signed(agent, "GET", path, "")
				if got := d.send(r); got.StatusCode != http.StatusOK {
					t.Errorf("HTTP %d %s", got.StatusCode, got.text)
				}
			}
			for _, c := range []struct {
				code   Code
				change func(*http.Request)
			}{
				{SignatureMissing, func(r *http.Request) { r.Header.Del("Signature") }},
				{SignatureMissing, func(r *http.Request) { r.Header.Del("Timestamp") }},
				{TimestampOutside, func(r *http.Request) { r.Header.Set("Timestamp", "yesterday") }},
				{TimestampOutside, func(r *http.Request) { d.advance(301 * time.Second) }},
				{TimestampOutside, func(r *http.Request) { d.advance(-301 * time.Second) }},
				{SignatureInvalid, func(r *http.Request) { r.Header.Set("Signature", "!") }},
				{SignatureInvalid, func(r *http.Request) { r.Header.Set("Signature", r.Header.Get("Signature")[1:]) }},
				{SignatureInvalid, func(r *http.Request) { r.URL.Path += "x" }},
				{SignatureInvalid, func(r *http.Request) {
					r.Header.Set("Timestamp", d.clock().Add(time.Second).Format(time.RFC3339))
				}},
			} {
				r := d.signed(agent, "GET", path, "")
				c.change(r)
				got := d.send(r)
				if got.StatusCode != http.StatusUnauthorized || got.Get("code").Str != string(c.code) || d.event().Signature != string(c.code) {
					t.Errorf("%s: HTTP %d %s", c.code, got.StatusCode, got.text)
				}
			}
			// The window's ends are within.
			r := d.signed(agent, "GET", path, "")
			d.advance(300 * time.Second)
			if got := d.send(r); got.StatusCode != http.StatusOK {
				t.Errorf("after 300 seconds: %s", got.text)
			}
		})
	}
}

// What was signed once is done once: who repeats it, with the same idempotency key
// or with another, gets the first answer.
func TestSignedWriteIsNeverRepeated(t *testing.T) {
	d := newDesk(t)
	r := d.signed("signer", "POST", "/carts", "{"+boots+"}")
	first := d.send(r)
	repeated := d.request("signer", "POST", "/carts", "{"+boots+"}")
	for _, name := range []string{"Timestamp", "Signature"} {
		repeated.Header.Set(name, r.Header.Get(name))
	}
	got := d.send(repeated)
	if got.text != first.text || got.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("repeated with another key: %s\nfirst: %s", got.text, first.text)
	}
	put := d.signed("signer", "PUT", "/carts/"+first.Get("id").Str, `{"line_items":[{"id":"v-FJL-9-TAN","quantity":2}]}`)
	d.send(put)
	d.send(d.signed("signer", "PUT", "/carts/"+first.Get("id").Str, "{"+boots+"}"))
	again := d.request("signer", "PUT", "/carts/"+first.Get("id").Str, `{"line_items":[{"id":"v-FJL-9-TAN","quantity":2}]}`)
	again.Header.Set("Timestamp", put.Header.Get("Timestamp"))
	again.Header.Set("Signature", put.Header.Get("Signature"))
	d.send(again)
	if got := d.send(d.signed("signer", "GET", "/carts/"+first.Get("id").Str, "")); got.Get("line_items.0.quantity").Int() != 1 {
		t.Errorf("a repeated PUT was executed: %s", got.text)
	}
	// A retry of the agent's own has a new signature and the same idempotency key.
	retry := d.request("signer", "POST", "/carts", "{"+boots+"}")
	d.advance(time.Second)
	fresh := d.signed("signer", "POST", "/carts", "{"+boots+"}")
	retry.Header = fresh.Header
	retry.Header.Set("Idempotency-Key", r.Header.Get("Idempotency-Key"))
	if got := d.send(retry); got.text != first.text {
		t.Errorf("a retry: %s", got.text)
	}
}
