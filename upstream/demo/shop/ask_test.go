package shop_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// A shop with somebody in front of it who answers has a box to ask in.
func TestAskBox(t *testing.T) {
	for currency, budget := range map[money.Currency]string{"": "£150<", "JPY": "¥28,500<", "EUR": "€175.50<"} {
		s := visit(t, shop.Options{AskPath: "/answers", Currency: currency})
		response, page := s.get("/")
		for _, part := range []string{`<form id="ask" action="/answers">`, "boots under " + budget, `<a id="ask-raw" href="/answers">`, `src="/ask.js"`} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: the front page has no %s", currency, part)
			}
		}
		for _, problem := range readPage(page).problems {
			if problem != "<script>" { // which no other page has
				t.Error(problem)
			}
		}
		policy := response.Header.Get("Content-Security-Policy")
		if !strings.HasSuffix(policy, "; script-src 'self'; connect-src 'self'; frame-src 'self'") {
			t.Errorf("the policy is %q", policy)
		}
		response, script := s.get("/ask.js")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || !strings.Contains(script, "ui/initialize") {
			t.Errorf("the script is %d %v", response.StatusCode, response.Header)
		}
		// Other pages run nothing.
		if response, _ := s.get("/basket"); strings.Contains(response.Header.Get("Content-Security-Policy"), "script-src") {
			t.Error("the basket runs scripts")
		}
	}
}

func TestNobodyToAsk(t *testing.T) {
	s := visit(t, shop.Options{})
	response, page := s.get("/")
	if strings.Contains(page, `id="ask"`) || strings.Contains(page, "<script") || strings.Contains(response.Header.Get("Content-Security-Policy"), "script-src") {
		t.Error("there is a box without anybody to ask")
	}
	if response, _ := s.get("/ask.js"); response.StatusCode != http.StatusNotFound {
		t.Errorf("there is a script: %d", response.StatusCode)
	}
}

// Nobody here knows what is in another catalogue, and so gives no examples.
func TestAskBoxOfAnotherCatalogue(t *testing.T) {
	const row = `{"id":"1","handle":"lamp","title":"Lamp","brand":"B","category":"Lamps","price_minor":100,"currency":"EUR"}`
	s := visit(t, shop.Options{AskPath: "/ask", Catalogue: strings.NewReader(row)})
	if _, page := s.get("/"); !strings.Contains(page, `id="ask"`) || strings.Contains(page, "ask-examples") || strings.Contains(page, `value="w`) {
		t.Errorf("the front page is %s", page)
	}
}
