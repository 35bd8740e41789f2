package shopclient_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// page is an answer of 10 kB.
var page = func() string {
	var products []string
	for i := range 47 {
		products = append(products, fmt.Sprintf(
			`{"id":"%d","title":"Ridgeline Jacket %d","description":%q,"price":{"minor":18900,"currency":"GBP"}}`, i, i, strings.Repeat("dry ", 30)))
	}
	return `{"data":[` + strings.Join(products, ",") + `]}`
}()

// BenchmarkDo is what the client itself costs for an answer of 10 kB.
func BenchmarkDo(b *testing.B) {
	client := inProcess(b, func(*http.Request) (*http.Response, error) { return respond(200, page), nil }, shopclient.Config{})
	request := shopclient.Request{Op: "searching", Path: []string{"search"}, Safe: true}
	b.SetBytes(int64(len(page)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := client.Do(b.Context(), upstream.Visit{}, request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRoundTrip compares a call over loopback with the same by net/http.
func BenchmarkRoundTrip(b *testing.B) {
	client := newClient(b, answer(200, page), shopclient.Config{})
	var address string
	plain := newClient(b, func(w http.ResponseWriter, r *http.Request) {
		address = "http://" + r.Host
		io.WriteString(w, page)
	}, shopclient.Config{})
	request := shopclient.Request{Op: "searching", Safe: true}
	if _, err := plain.Do(b.Context(), upstream.Visit{}, request); err != nil {
		b.Fatal(err)
	}
	b.Run("shopclient", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := client.Do(b.Context(), upstream.Visit{}, request); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("net/http", func(b *testing.B) {
		transport := &http.Transport{}
		defer transport.CloseIdleConnections()
		b.ReportAllocs()
		for b.Loop() {
			response, err := (&http.Client{Transport: transport}).Get(address)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, response.Body); err != nil {
				b.Fatal(err)
			}
			response.Body.Close()
		}
	})
}
