package mapped_test

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// homeShop is a shop such as somebody writes for themselves: REST, prices in
// pence, text in HTML, numbers for ids, errors with codes of its own. A basket is
// known by its id, or by a cookie where cookie is set.
type homeShop struct {
	*httptest.Server
	cookie bool
	// dropEmpty: a basket in which nothing is left is dropped.
	dropEmpty bool
	// tells: a basket that was ordered is shown, with its order.
	tells bool

	mu       sync.Mutex
	products []*homeProduct
	baskets  map[string]*homeBasket
	orders   []*homeOrder
	// tokens are those that were given out, newest last; only that one is taken.
	tokens []string
	// busy is how many requests to order are answered "again".
	busy  int
	calls map[string]int
}

type homeProduct struct {
	id, cents, was          int64
	slug, name, html, group string
	kinds                   []*homeKind
}

// homeKind is what can be bought of a product.
type homeKind struct {
	id, stock   int64
	code        string
	size, shade string
}

type homeBasket struct {
	lines    []*homeLine
	codes    []string
	mail     string
	address  map[string]string
	billing  map[string]string
	way      string
	ordered  bool
	created  time.Time
	position int64
}

type homeLine struct {
	id    int64
	kind  *homeKind
	of    *homeProduct
	count int64
}

type homeOrder struct {
	number, key, attempt, basket string
	body                         map[string]any
	at                           time.Time
}

// object is a JSON object.
type object = map[string]any

func newHomeShop(t testing.TB) *homeShop {
	t.Helper()
	s := &homeShop{baskets: make(map[string]*homeBasket), calls: make(map[string]int)}
	s.add("merino-scarf", "Merino scarf &amp; ring", "Wool", 2500, 0, 400, "")
	s.add("fell-jacket", "Fell jacket", "Jackets", 18900, 21900, 60, "S/Red", "M/Red", "M/Blue", "L/Red")
	s.add("tarn-boots", "Tarn boots", "Boots", 12500, 0, 0, "7/Brown", "8/Brown")
	for i := range 10 {
		s.add(fmt.Sprintf("merino-sock-%d", i), fmt.Sprintf("Merino sock no. %d", i), "Wool", int64(900+100*i), 0, 90, "")
	}
	s.kind("FELL-JACKET-L-RED").stock = 0
	s.kind("FELL-JACKET-S-RED").stock = 3
	s.Server = httptest.NewServer(s.routes())
	t.Cleanup(s.Close)
	return s
}

func (s *homeShop) add(slug, name, group string, cents, was, stock int64, kinds ...string) {
	p := &homeProduct{
		id: int64(100 + len(s.products)), slug: slug, name: name, group: group, cents: cents, was: was,
		html: "<p>" + name + ".</p><p>Warm &amp;amp; light: <b>900</b> g.</p><script>track()</script>",
	}
	for i, kind := range kinds {
		size, shade, _ := strings.Cut(kind, "/")
		code := strings.ToUpper(slug)
		if kind != "" {
			code += "-" + strings.ToUpper(size+"-"+shade)
		}
		p.kinds = append(p.kinds, &homeKind{id: 1000*p.id + int64(i), stock: stock, code: code, size: size, shade: shade})
	}
	s.products = append(s.products, p)
}

// kind returns what has that code.
func (s *homeShop) kind(code string) *homeKind {
	for _, p := range s.products {
		for _, k := range p.kinds {
			if k.code == code {
				return k
			}
		}
	}
	return nil
}

func (s *homeShop) routes() http.Handler {
	mux := http.NewServeMux()
	handle := func(pattern string, answer func(*http.Request, object) (int, any)) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			var body object
			_ = json.NewDecoder(r.Body).Decode(&body) // A GET has none.
			s.mu.Lock()
			defer s.mu.Unlock()
			s.calls[pattern]++
			status, out := answer(r, body)
			if token, ok := out.(session); ok {
				http.SetCookie(w, &http.Cookie{Name: "sid", Value: token.id, Path: "/"})
				out = token.body
			}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(status)
			if out == nil {
				fmt.Fprint(w, "done") // It writes what comes to its mind.
				return
			}
			_ = json.NewEncoder(w).Encode(out)
		})
	}
	handle("GET /v1/products", s.list)
	handle("GET /v1/products/{id}", s.one)
	handle("POST /v1/login", s.login)
	handle("POST /v1/baskets", s.begin)
	handle("GET /v1/baskets/{basket}", s.show)
	handle("POST /v1/baskets/{basket}/lines", s.addLine)
	handle("PUT /v1/baskets/{basket}/lines", s.setLines)
	handle("PUT /v1/baskets/{basket}/lines/{line}", s.changeLine)
	handle("DELETE /v1/baskets/{basket}/lines/{line}", s.removeLine)
	handle("PUT /v1/baskets/{basket}/person", s.person)
	handle("PUT /v1/baskets/{basket}/address", s.setAddress)
	handle("POST /v1/baskets/{basket}/codes", s.addCode)
	handle("DELETE /v1/baskets/{basket}/codes/{code}", s.removeCode)
	handle("PUT /v1/baskets/{basket}/way", s.choose)
	handle("POST /v1/baskets/{basket}/payment", s.pay)
	handle("POST /v1/baskets/{basket}/order", s.order)
	handle("GET /v1/orders", s.findOrders)
	handle("GET /v1/orders/{number}", s.showOrder)
	return mux
}

// session is an answer that sets the cookie of a basket.
type session struct {
	id   string
	body any
}

// no is how the shop refuses.
func no(status int, code string) (int, any) {
	return status, object{"error": object{"code": code, "text": "<b>No.</b>"}}
}

func (p *homeProduct) show() object {
	kinds := []object{}
	for _, k := range p.kinds {
		kind := object{"id": k.id, "code": k.code, "left": k.stock, "ean": fmt.Sprintf("50%011d", k.id)}
		if k.size != "" {
			kind["size"], kind["shade"] = k.size, k.shade
		}
		kinds = append(kinds, kind)
	}
	return object{
		"id": p.id, "slug": p.slug, "name": p.name, "text": p.html, "cents": p.cents, "was": p.was, "group": []string{"Outdoor", p.group},
		"maker_id": 7, "pictures": []string{"/img/" + p.slug + ".png"}, "kinds": kinds, "labels": "new, wool ,",
		"facts": []object{{"k": "Weight", "v": []string{"900 g"}}, {"k": "Made &amp; sewn in", "v": "Kendal"}},
		"stars": "4.5", "votes": 12, "changed": "2026-11-01 10:00:00",
		"makers": []object{{"id": 6, "name": "Else"}, {"id": 7, "name": "Stanning"}},
	}
}

func (s *homeShop) list(r *http.Request, _ object) (int, any) {
	q := r.URL.Query()
	page, _ := strconv.Atoi(q.Get("page"))
	size, _ := strconv.Atoi(q.Get("per_page"))
	least, _ := strconv.ParseInt(cmp.Or(q.Get("min"), "0"), 10, 64)
	most, err := strconv.ParseInt(q.Get("max"), 10, 64)
	if err != nil {
		most = 1 << 40
	}
	found := []object{}
	for _, p := range s.products {
		text := strings.ToLower(p.name + " " + p.html)
		missing := slices.ContainsFunc(strings.Fields(strings.ToLower(q.Get("q"))), func(w string) bool { return !strings.Contains(text, w) })
		if codes := q["code"]; len(codes) > 0 {
			missing = !slices.ContainsFunc(p.kinds, func(k *homeKind) bool { return slices.Contains(codes, k.code) })
		}
		if !missing && p.cents >= least && p.cents <= most {
			found = append(found, p.show())
		}
	}
	total := len(found)
	if size > 0 {
		start := min(page*size, total)
		found = found[start:min(start+size, total)]
	}
	return http.StatusOK, object{"things": found, "count": total}
}

func (s *homeShop) one(r *http.Request, _ object) (int, any) {
	for _, p := range s.products {
		if strconv.FormatInt(p.id, 10) == r.PathValue("id") {
			return http.StatusOK, object{"thing": p.show()}
		}
	}
	return no(http.StatusNotFound, "gone")
}

func (s *homeShop) login(_ *http.Request, body object) (int, any) {
	if body["key"] != "s3cret" {
		return no(http.StatusForbidden, "key")
	}
	s.tokens = append(s.tokens, rand.Text())
	return http.StatusOK, object{"bearer": s.tokens[len(s.tokens)-1]}
}
