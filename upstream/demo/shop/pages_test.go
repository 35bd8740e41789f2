package shop_test

import (
	"fmt"
	"image/png"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// site is a shop that a browser visits: over a network, with cookies.
type site struct {
	*house
	url    string
	client *http.Client
}

func visit(t *testing.T, options shop.Options) *site {
	t.Helper()
	h := open(t, options)
	server := httptest.NewServer(h.shop)
	t.Cleanup(server.Close)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := server.Client()
	client.Jar = jar
	return &site{h, server.URL, client}
}

func (s *site) get(path string) (*http.Response, string) {
	s.t.Helper()
	response, err := s.client.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, bodyOf(s.t, response)
}

func (s *site) post(path string, form url.Values) (*http.Response, string) {
	s.t.Helper()
	response, err := s.client.PostForm(s.url+path, form)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, bodyOf(s.t, response)
}

// document is what the tests look at of a page.
type document struct {
	problems []string
	links    []string
	headings int
}

// void elements have no end.
var void = map[string]bool{"meta": true, "link": true, "input": true, "img": true, "br": true}

// readPage checks that elements are closed in order, ids are unique, pictures have a
// text, fields a label, and that there is one main heading; and collects the links.
func readPage(page string) document {
	var d document
	var stack []string
	ids, labels, fields := map[string]bool{}, map[string]bool{}, map[string]bool{}
	add := func(format string, args ...any) { d.problems = append(d.problems, fmt.Sprintf(format, args...)) }
	tokens := html.NewTokenizer(strings.NewReader(page))
	for {
		kind := tokens.Next()
		token := tokens.Token()
		attributes := map[string]string{}
		for _, a := range token.Attr {
			attributes[a.Key] = a.Val
		}
		switch kind {
		case html.ErrorToken:
			if len(stack) > 0 {
				add("not closed: %v", stack)
			}
			for id := range fields {
				if !labels[id] {
					add("field %q has no label", id)
				}
			}
			return d
		case html.EndTagToken:
			if len(stack) == 0 || stack[len(stack)-1] != token.Data {
				add("</%s> closes %v", token.Data, stack)
				return d
			}
			stack = stack[:len(stack)-1]
		case html.StartTagToken:
			if !void[token.Data] {
				stack = append(stack, token.Data)
			}
			if id, ok := attributes["id"]; ok {
				if ids[id] {
					add("id %q twice", id)
				}
				ids[id] = true
			}
			switch token.Data {
			case "h1":
				d.headings++
			case "script", "iframe", "object", "embed":
				add("<%s>", token.Data)
			case "img":
				if _, ok := attributes["alt"]; !ok {
					add("a picture without a text")
				}
				d.links = append(d.links, attributes["src"])
			case "a", "link":
				d.links = append(d.links, attributes["href"])
			case "label":
				labels[attributes["for"]] = true
			case "input", "select":
				if attributes["type"] != "hidden" {
					fields[attributes["id"]] = true
				}
			}
			for name := range attributes {
				if strings.HasPrefix(name, "on") || name == "style" {
					add("attribute %s", name)
				}
			}
		}
	}
}

// TestEveryLinkLands walks through the whole shop, and an agent's basket and order.
func TestEveryLinkLands(t *testing.T) {
	s := visit(t, shop.Options{})
	order := s.order()
	s.advance(3 * time.Minute)
	todo := []string{"/", s.basket(complete).Path, order.Path, "/basket", "/account", "/search?q=waterproof", "/search?q=zeppelin"}
	seen := map[string]bool{}
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if path, _, _ = strings.Cut(path, "#"); path == "" || seen[path] {
			continue
		}
		seen[path] = true
		if !strings.HasPrefix(path, "/") {
			t.Errorf("a link leads elsewhere: %q", path)
			continue
		}
		response, page := s.get(path)
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
		switch kind := response.Header.Get("Content-Type"); {
		case strings.HasPrefix(kind, "text/html"):
			d := readPage(page)
			for _, problem := range d.problems {
				t.Errorf("%s: %s", path, problem)
			}
			if d.headings != 1 {
				t.Errorf("%s: %d main headings", path, d.headings)
			}
			todo = append(todo, d.links...)
		case kind == "image/png":
			if _, err := png.DecodeConfig(strings.NewReader(page)); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		case !strings.HasPrefix(kind, "text/css"):
			t.Errorf("%s: %s", path, kind)
		}
	}
	// 65 products, their categories, pictures and policies.
	if len(seen) < 150 {
		t.Errorf("only %d pages were found", len(seen))
	}
	for _, path := range []string{"/pages/delivery", "/pages/returns", "/pages/privacy", "/pages/terms", "/pages/faq", "/products/tarn-wellington-boot"} {
		if !seen[path] {
			t.Errorf("nothing leads to %s", path)
		}
	}
	tracked := false
	for path := range seen {
		tracked = tracked || strings.HasPrefix(path, "/track/KC10001/")
	}
	if !tracked {
		t.Error("no link follows the parcel")
	}
}

func TestNoSuchPage(t *testing.T) {
	s := visit(t, shop.Options{})
	order := s.order()
	for _, path := range []string{
		"/none", "/products/none", "/categories/none", "/pages/none", "/pages/../layout", "/basket/none", "/orders/none",
		"/orders/" + order.Number, "/orders/" + order.Number + "?key=none", "/orders/" + order.Number + "?key=", "/track/" + order.Number + "/none",
		"/pictures/none.png", "/pictures/boot-rust.gif", "/pictures/boot-none.png", "/style.css/x",
	} {
		response, page := s.get(path)
		if response.StatusCode != http.StatusNotFound || strings.Contains(page, "Thwaite") {
			t.Errorf("%s: %d", path, response.StatusCode)
		}
	}
	if response, _ := s.get("/search?from=x"); response.StatusCode != http.StatusBadRequest {
		t.Errorf("a page that is none: %d", response.StatusCode)
	}
}

// TestHostileCatalogue: a catalogue's text is text, wherever it stands.
func TestHostileCatalogue(t *testing.T) {
	const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(1)>`
	row := strings.NewReplacer("EVIL", strings.ReplaceAll(evil, `"`, `\"`)).Replace(
		`{"id":"1","handle":"evil","title":"EVIL","description":"EVIL and 3 < 4","brand":"EVIL","category":"EVIL","price_minor":100,"currency":"GBP",` +
			`"attributes":{"EVIL":["EVIL"]},"tags":["EVIL"],"variants":[{"sku":"EVIL1","EVIL":"EVIL","price_minor":100},{"sku":"EVIL2","EVIL":"other"}]}`)
	s := visit(t, shop.Options{Catalogue: strings.NewReader(row)})
	b := s.basket(`{"lines":[{"key":"` + strings.ReplaceAll(evil, `"`, `\"`) + `","item":"evil","quantity":1},{"key":"2","item":"` + strings.ReplaceAll(evil+"1", `"`, `\"`) + `","quantity":1}],
		"agent":"` + strings.ReplaceAll(evil, `"`, `\"`) + `","buyer":{"first_name":"<b>A","last_name":"B"},"address":{"street":"<i>","country":"GB"}}`)
	_, front := s.get("/")
	paths := []string{"/", "/products/evil", "/products/evil?variant=" + url.QueryEscape(evil), "/search?q=" + url.QueryEscape(evil), b.Path}
	for _, link := range readPage(front).links {
		if strings.HasPrefix(link, "/categories/") {
			paths = append(paths, link)
		}
	}
	if len(paths) < 6 {
		t.Error("the category has no page")
	}
	for _, path := range paths {
		response, page := s.get(path)
		d := readPage(page)
		if response.StatusCode != http.StatusOK || len(d.problems) > 0 || strings.Contains(page, "<script") || strings.Contains(page, "onerror=alert(1)>") && strings.Contains(page, "<img src=x") {
			t.Errorf("%s: %d %v", path, response.StatusCode, d.problems)
		}
	}
	if _, page := s.get("/products/evil"); !strings.Contains(page, "&lt;script&gt;") || !strings.Contains(page, "3 &lt; 4") {
		t.Error("the product's page does not show its text")
	}
}

func TestHeaders(t *testing.T) {
	s := visit(t, shop.Options{})
	for path, cache := range map[string]string{"/": "no-cache", s.basket(complete).Path: "no-store", s.order().Path: "no-store", "/account": "no-store"} {
		response, _ := s.get(path)
		h := response.Header
		if got := h.Get("Cache-Control"); got != cache {
			t.Errorf("%s: Cache-Control is %q, want %q", path, got, cache)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: headers are %v", path, h)
		}
	}
}

// TestForeignForms: a form on another site changes nothing here.
func TestForeignForms(t *testing.T) {
	s := visit(t, shop.Options{})
	b := s.basket(complete)
	for _, header := range [][]string{{"Sec-Fetch-Site", "cross-site"}, {"Origin", "https://evil.example"}, {"Origin", "null"}} {
		for _, path := range []string{"/basket", b.Path, "/account", "/account/leave"} {
			w := s.ask(http.MethodPost, path, "item=SOK-M&quantity=1", "Content-Type", "application/x-www-form-urlencoded", header[0], header[1])
			if w.Code != http.StatusForbidden {
				t.Errorf("%s with %v: %d", path, header, w.Code)
			}
		}
	}
	large := "quantity=1&item=" + strings.Repeat("x", 70<<10)
	if w := s.ask(http.MethodPost, "/basket", large, "Content-Type", "application/x-www-form-urlencoded"); w.Code != http.StatusBadRequest {
		t.Errorf("70 kB of a form: %d", w.Code)
	}
}

// TestTrackingIsPublic: whoever follows a parcel does not learn whose it is.
func TestTrackingIsPublic(t *testing.T) {
	s := visit(t, shop.Options{})
	order := s.order()
	s.advance(3 * time.Minute)
	_, page := s.get(order.Path)
	for _, link := range readPage(page).links {
		if !strings.HasPrefix(link, "/track/") {
			continue
		}
		_, page := s.get(link)
		for _, private := range []string{"Thwaite", "Stricklandgate", "ada@example.com", order.Key, "Tester", "Socks"} {
			if strings.Contains(page, private) {
				t.Errorf("the parcel's page shows %q", private)
			}
		}
		if !strings.Contains(page, "shipped") {
			t.Error("the parcel's page does not say how far it is")
		}
		return
	}
	t.Error("the order's page does not lead to the parcel's")
}

func TestBackOfficePage(t *testing.T) {
	s := visit(t, shop.Options{})
	order := s.order()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.url+"/backoffice", nil)
	if err != nil {
		t.Fatal(err)
	}
	for token, status := range map[string]int{"": 401, "wrong": 401, office: 200} {
		request.SetBasicAuth("merchant", token)
		response, err := s.client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		page := bodyOf(t, response)
		if response.StatusCode != status || strings.Contains(page, order.Number) != (status == 200) {
			t.Errorf("with %q: %d", token, response.StatusCode)
		}
		if status == 200 && (!strings.Contains(page, "Tester") || !strings.Contains(page, "a1")) {
			t.Error("the back office does not show who placed the order")
		}
	}
}

func TestYen(t *testing.T) {
	s := visit(t, shop.Options{Currency: "JPY"})
	if _, page := s.get("/products/fjell-trail-gtx"); !strings.Contains(page, "¥22,800") {
		t.Error("the price is not in yen")
	}
	if _, page := s.get("/pages/delivery"); !strings.Contains(page, "¥941") || strings.Contains(page, "£") {
		t.Error("the delivery is not in yen")
	}
}
