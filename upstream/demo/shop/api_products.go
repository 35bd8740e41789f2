package shop

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// search is what is looked for. The zero search finds everything.
type search struct {
	words      string
	categories []string
	// min and max bound the price of a variant, in minor units; a negative one
	// bounds nothing.
	min, max  int64
	available bool
	offset    int
	limit     int
}

const defaultLimit = 20

func readSearch(query url.Values) (search, error) {
	q := search{words: query.Get("q"), categories: query["category"], available: query.Get("available") == "1"}
	if len(q.words) > maxQuery {
		return q, invalid("q is longer than %d bytes", maxQuery)
	}
	var err error
	number := func(name string, without, highest int64) int64 {
		text := query.Get(name)
		if text == "" {
			return without
		}
		n, parseErr := strconv.ParseInt(text, 10, 64)
		if (parseErr != nil || n < 0 || n > highest) && err == nil {
			err = invalid("%s is not a whole number from 0 to %d", name, highest)
		}
		return n
	}
	const most = 1<<63 - 1
	q.min, q.max = number("min", -1, most), number("max", -1, most)
	q.offset = int(number("cursor", 0, 1<<31-1))
	q.limit = int(number("limit", defaultLimit, maxLimit))
	if q.limit == 0 && err == nil {
		err = invalid("limit is not a whole number from 1 to %d", maxLimit)
	}
	return q, err
}

// find returns the products that were looked for, and the number of all of which
// they are a page.
func (s *Server) find(q search) (page []*shelved, total int) {
	for _, index := range s.catalogue.Search(q.words) {
		p := s.shelf.at(index)
		if !q.fits(p) {
			continue
		}
		if total >= q.offset && len(page) < q.limit {
			page = append(page, p)
		}
		total++
	}
	return page, total
}

func (q search) fits(p *shelved) bool {
	if q.available && !p.available() || !q.inCategory(p) {
		return false
	}
	if q.min < 0 && q.max < 0 {
		return true
	}
	for _, price := range p.prices {
		if price >= q.min && (q.max < 0 || price <= q.max) {
			return true
		}
	}
	return false
}

// inCategory takes a category by its whole path or its last part, in any case.
func (q search) inCategory(p *shelved) bool {
	if len(q.categories) == 0 {
		return true
	}
	for _, path := range p.Categories {
		last := path[strings.LastIndexByte(path, '/')+1:]
		for _, want := range q.categories {
			if strings.EqualFold(path, want) || strings.EqualFold(last, want) {
				return true
			}
		}
	}
	return false
}

// apiSearch answers {"currency", "tax_added", "revision", "total", "next", "products"}.
// The products are written once and kept until one of them changes. The revision is
// another one when the shop was opened with another catalogue.
func (s *Server) apiSearch(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	q, err := readSearch(query)
	if err != nil {
		s.refuse(w, err)
		return
	}
	page, total := s.find(q)
	b := s.openProducts(query)
	b.WriteString(`,"revision":"`)
	b.WriteString(s.catalogue.Revision)
	b.WriteString(`","total":`)
	b.WriteString(strconv.Itoa(total))
	if next := q.offset + len(page); len(page) > 0 && next < total {
		b.WriteString(`,"next":"`)
		b.WriteString(strconv.Itoa(next))
		b.WriteByte('"')
	}
	writeProducts(w, b, page)
}

// openProducts begins an answer with products, for the country in the query.
func (s *Server) openProducts(query url.Values) *bytes.Buffer {
	b := bytes.NewBuffer(make([]byte, 0, 16<<10))
	b.WriteString(`{"currency":"`)
	b.WriteString(string(s.catalogue.Currency))
	b.WriteString(`","tax_added":`)
	b.WriteString(strconv.FormatBool(till.TaxAdded(query.Get("country"))))
	return b
}

func writeProducts(w http.ResponseWriter, b *bytes.Buffer, products []*shelved) {
	b.WriteString(`,"products":[`)
	for i, p := range products {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(p.body())
	}
	b.WriteString("]}\n")
	writeBody(w, http.StatusOK, b.Bytes())
}

// apiLookup answers like apiSearch, with "matches" that lead from each ref that
// names something to the product (its place in the list) and, when it names one,
// the variant.
func (s *Server) apiLookup(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	refs := query["ref"]
	if len(refs) > maxRefs {
		s.refuse(w, invalid("more than %d refs", maxRefs))
		return
	}
	var found []*shelved
	matches := []matchAnswer{}
	places := map[int]int{}
	for i, reference := range refs {
		p, ref, ok := s.shelf.find(reference)
		if !ok {
			continue
		}
		place, seen := places[ref.Product]
		if !seen {
			place = len(found)
			places[ref.Product] = place
			found = append(found, p)
		}
		match := matchAnswer{Ref: i, Product: place}
		if ref.Variant != goods.Whole {
			match.Variant = p.Variants[ref.Variant].ID
		}
		matches = append(matches, match)
	}
	b := s.openProducts(query)
	b.WriteString(`,"matches":`)
	if err := json.NewEncoder(b).Encode(matches); err != nil {
		s.refuse(w, err)
		return
	}
	writeProducts(w, b, found)
}

// matchAnswer says what a ref named: the place of the ref in the query, the place
// of the product in the answer, and the id of the variant.
type matchAnswer struct {
	Ref     int    `json:"ref"`
	Product int    `json:"product"`
	Variant string `json:"variant,omitempty"`
}

// apiProduct answers with one product.
func (s *Server) apiProduct(w http.ResponseWriter, r *http.Request) {
	p, _, ok := s.shelf.find(r.PathValue("reference"))
	if !ok {
		s.refuse(w, refusal{code: codeNotFound, text: "There is no such product."})
		return
	}
	writeProducts(w, s.openProducts(r.URL.Query()), []*shelved{p})
}

// categoryAnswer is a category as the API writes it.
type categoryAnswer struct {
	Path     string `json:"path"`
	Products int    `json:"products"`
}

func (s *Server) apiCategories(w http.ResponseWriter, _ *http.Request) {
	categories := make([]categoryAnswer, len(s.catalogue.Categories))
	for i, c := range s.catalogue.Categories {
		categories[i] = categoryAnswer(c)
	}
	writeJSON(w, http.StatusOK, map[string][]categoryAnswer{"categories": categories})
}
