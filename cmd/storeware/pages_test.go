package main_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// page is what a browser was answered.
type page struct {
	status int
	header http.Header
	body   []byte
}

// everShopPages are requests of a browser for the shop's own pages, and for what
// they are made of.
func everShopPages(t *testing.T, shop string) map[string]*http.Request {
	t.Helper()
	pages := map[string]*http.Request{}
	add := func(name, method, path string, header ...string) {
		request, err := http.NewRequestWithContext(t.Context(), method, shop+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(header); i += 2 {
			request.Header.Set(header[i], header[i+1])
		}
		pages[name] = request
	}
	const product = "/accessories/merino-neck-gaiter"
	add("front", "GET", "/")
	add("front, its head", "HEAD", "/")
	add("front, compressed", "GET", "/", "Accept-Encoding", "gzip")
	add("category", "GET", "/accessories")
	add("product", "GET", product)
	add("cart", "GET", "/cart")
	add("checkout", "GET", "/checkout")
	add("login", "GET", "/account/login")
	add("search", "GET", "/search?keyword=jacket")
	add("nothing", "GET", "/no-such-page")
	add("robots.txt", "GET", "/robots.txt")
	add("sitemap", "GET", "/sitemap.xml")
	add("API", "GET", "/api/graphql?query={products{total}}")
	add("image", "GET", "/assets/catalog/merino-neck-gaiter.png")
	add("image, scaled", "GET", "/images?src=%2Fassets%2Fcatalog%2Fmerino-neck-gaiter.png&w=640&q=75")

	script := regexp.MustCompile(`src="(/assets/[^"]+\.js)"`).FindSubmatch(fetch(t, pages["product"]).body)
	if script == nil {
		t.Fatal("the page of a product has no script")
	}
	add("asset", "GET", string(script[1]))
	asset := fetch(t, pages["asset"])
	add("asset that is known", "GET", string(script[1]), "If-None-Match", asset.header.Get("ETag"))
	add("asset, a part", "GET", string(script[1]), "Range", "bytes=100-199")
	return pages
}

// fetch sends a request as it is and reads the answer as it is.
func fetch(t *testing.T, request *http.Request) page {
	t.Helper()
	transport := &http.Transport{DisableCompression: true}
	defer transport.CloseIdleConnections()
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []string{"Connection", "Keep-Alive", "Date", "Server", "Via"} {
		response.Header.Del(own)
	}
	return page{response.StatusCode, response.Header, body}
}

// masked is the header without what the shop says differently each time: a session,
// and how many pages a minute an address may still ask for.
func (p page) masked() http.Header {
	masked := maps.Clone(p.header)
	for _, name := range []string{"Set-Cookie", "Ratelimit-Remaining", "Ratelimit-Reset"} {
		if values := masked[name]; values != nil {
			masked[name] = slices.Repeat([]string{"…"}, len(values))
		}
	}
	return masked
}

// TestPagesPassUntouched: a shop's own pages come through Caddy as the shop made
// them, byte for byte, its headers too.
func TestPagesPassUntouched(t *testing.T) {
	upstream := shopRows()["mapped (EverShop)"].upstream(t)
	shop := realShop(t, "EVERSHOP_URL", "upstream/mapped/testdata/evershop")
	dir, address := t.TempDir(), freeAddress(t)
	serve(t, dir, address, "run", "--config", write(t, dir, "Caddyfile", fmt.Sprintf(`{
	admin off
	persist_config off
	auto_https off
}

http://%s {
	storeware {
		name shop
		upstream %s
	}
	reverse_proxy %s
}
`, address, upstream, shop)))
	profile, err := http.NewRequestWithContext(t.Context(), "GET", "http://"+address+"/.well-known/ucp", nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := fetch(t, profile); got.status != http.StatusOK || got.header.Get("Signature") == "" {
		t.Fatalf("the module is not in front of the shop: %d %v", got.status, got.header)
	}

	statuses := map[int]int{}
	for name, request := range everShopPages(t, shop) {
		t.Run(name, func(t *testing.T) {
			want, again := fetch(t, request), fetch(t, request)
			if !bytes.Equal(want.body, again.body) {
				t.Fatalf("the shop itself answers with %d bytes, and then with %d others", len(want.body), len(again.body))
			}
			statuses[want.status]++
			request.URL.Host = address // The request still says that it is for the shop's own host.
			got := fetch(t, request)
			if got.status != want.status {
				t.Errorf("status %d, and the shop says %d", got.status, want.status)
			}
			if diff := cmp.Diff(want.masked(), got.masked()); diff != "" {
				t.Errorf("headers (-the shop +through Caddy):\n%s", diff)
			}
			if !bytes.Equal(got.body, want.body) {
				t.Errorf("%d bytes came through, and the shop says %d others", len(got.body), len(want.body))
			}
		})
	}
	for _, status := range []int{200, 206, 302, 304, 404} {
		if statuses[status] == 0 {
			t.Errorf("no page was a %d: %v", status, statuses)
		}
	}
}
