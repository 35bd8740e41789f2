package shop

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
)

// card is a product in a list of products.
type card struct {
	Path  string
	Title string
	Brand string
	Image string
	Price priceTag
	// Note is why it stands out: sold out, reduced, few left.
	Note string
}

// priceTag is a price as a page shows it, in minor units.
type priceTag struct {
	// From: other variants cost more.
	From  bool
	Price int64
	// Was is the price before a sale, zero without one.
	Was int64
}

func (p *shelved) tag() priceTag {
	cheapest := 0
	from := false
	for i, price := range p.prices {
		if price < p.prices[cheapest] {
			cheapest = i
		}
		from = from || price != p.prices[0]
	}
	return priceTag{From: from, Price: p.prices[cheapest], Was: p.listPrice(cheapest)}
}

func (p *shelved) card() card {
	c := card{Path: productPath(p.Handle), Title: p.Title, Brand: p.Brand, Image: p.image(0), Price: p.tag()}
	switch {
	case p.Discontinued:
		c.Note = "No longer sold"
	case !p.available():
		c.Note = "Sold out"
	case c.Price.Was > 0:
		c.Note = "Reduced"
	}
	return c
}

func cards(products []*shelved) []card {
	out := make([]card, len(products))
	for i, p := range products {
		out[i] = p.card()
	}
	return out
}

// frontBody is what the front page shows.
type frontBody struct {
	Favourites []card
	Reduced    []card
	Sections   []section
	// Ask is nil where there is nobody to ask.
	Ask *askBox
}

// frontCards is how many products each part of the front page shows.
const frontCards = 4

func (s *Server) pageFront(w http.ResponseWriter, r *http.Request) {
	body := frontBody{Ask: s.ask}
	for i := range s.shelf.products {
		p := s.shelf.at(i)
		c := p.card()
		switch {
		case len(body.Favourites) < frontCards && slices.Contains(p.Tags, "bestseller"):
			body.Favourites = append(body.Favourites, c)
		case len(body.Reduced) < frontCards && c.Note == "Reduced":
			body.Reduced = append(body.Reduced, c)
		}
	}
	for i := 0; i < len(s.shelf.products) && len(body.Favourites) < frontCards; i++ {
		if c := s.shelf.at(i).card(); !slices.Contains(body.Favourites, c) {
			body.Favourites = append(body.Favourites, c)
		}
	}
	for _, c := range s.catalogue.Categories {
		if strings.Count(c.Path, "/") == 1 {
			body.Sections = append(body.Sections, section{lastPart(c.Path), categoryPath(c.Path), c.Products})
		}
	}
	s.render(w, r, http.StatusOK, "front", view{Title: "Outdoor clothing and things for the home", Scripted: s.ask != nil, Body: body})
}

// categoryPath is the path of a category's page.
func categoryPath(category string) string {
	parts := strings.Split(category, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return "/categories/" + strings.Join(parts, "/")
}

func lastPart(category string) string { return category[strings.LastIndexByte(category, '/')+1:] }

// listBody is a list of products.
type listBody struct {
	Trail    []section
	Sections []section
	Cards    []card
	Total    int
	// Next is the address of the page after this one, empty on the last.
	Next string
}

// pageSize is how many products a list shows at once.
const pageSize = 24

func (s *Server) pageCategory(w http.ResponseWriter, r *http.Request) {
	category := r.PathValue("path")
	at := slices.IndexFunc(s.catalogue.Categories, func(c goods.Category) bool { return c.Path == category })
	if at < 0 {
		s.sorry(w, r, http.StatusNotFound)
		return
	}
	body := listBody{Trail: trail(category)}
	for _, c := range s.catalogue.Categories {
		if below, ok := strings.CutPrefix(c.Path, category+"/"); ok && !strings.Contains(below, "/") {
			body.Sections = append(body.Sections, section{below, categoryPath(c.Path), c.Products})
		}
	}
	s.list(w, r, "list", view{Title: lastPart(category), Body: body}, search{categories: []string{category}, min: -1, max: -1})
}

// trail leads from the widest category to this one.
func trail(category string) []section {
	var out []section
	for i := range len(category) + 1 {
		if i == len(category) || category[i] == '/' {
			out = append(out, section{Name: lastPart(category[:i]), Path: categoryPath(category[:i])})
		}
	}
	return out
}

func (s *Server) pageSearch(w http.ResponseWriter, r *http.Request) {
	words := r.URL.Query().Get("q")
	if len(words) > maxQuery {
		s.sorry(w, r, http.StatusBadRequest)
		return
	}
	s.list(w, r, "list", view{Title: "Search", Words: words, Body: listBody{}}, search{words: words, min: -1, max: -1})
}

// list answers with a page of what was looked for. The view's body is a listBody.
func (s *Server) list(w http.ResponseWriter, r *http.Request, template string, v view, q search) {
	query := r.URL.Query()
	page, err := readSearch(url.Values{"cursor": query["from"]})
	if err != nil {
		s.sorry(w, r, http.StatusBadRequest)
		return
	}
	q.offset, q.limit = page.offset, pageSize
	found, total := s.find(q)
	body := v.Body.(listBody)
	body.Cards, body.Total = cards(found), total
	if next := q.offset + len(found); len(found) > 0 && next < total {
		query.Set("from", itoa(next))
		body.Next = (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()
	}
	v.Body = body
	s.render(w, r, http.StatusOK, template, v)
}

// productBody is what a product's page shows.
type productBody struct {
	Trail       []section
	Brand       string
	Description string
	Image       string
	Price       priceTag
	Rating      string
	Facts       []list
	Variants    []variantChoice
	// Buyable: something of it can be put into a basket.
	Buyable bool
	Note    string
	Related []card
}

// variantChoice is a variant to choose.
type variantChoice struct {
	ID       string
	Title    string
	Price    int64
	Note     string
	Gone     bool
	Selected bool
}

func (s *Server) pageProduct(w http.ResponseWriter, r *http.Request) {
	p, ref, ok := s.shelf.find(r.PathValue("handle"))
	if !ok {
		s.sorry(w, r, http.StatusNotFound)
		return
	}
	if r.PathValue("handle") != p.Handle {
		http.Redirect(w, r, productPath(p.Handle), http.StatusMovedPermanently)
		return
	}
	body := productBody{
		Brand: p.Brand, Description: p.Description, Price: p.tag(), Buyable: p.available(), Note: p.card().Note, Image: p.image(0),
	}
	if n := len(p.Categories); n > 0 {
		body.Trail = trail(p.Categories[n-1])
	}
	if p.Rating != nil {
		body.Rating = ratingText(p.Rating)
	}
	for _, f := range p.Facts {
		body.Facts = append(body.Facts, spoken(f))
	}
	selected := r.URL.Query().Get("variant")
	for i := range p.Variants {
		choice := p.choice(i)
		if choice.ID == selected {
			choice.Selected = true
			body.Image = p.image(i)
		}
		body.Variants = append(body.Variants, choice)
	}
	body.Related = s.related(ref.Product)
	s.render(w, r, http.StatusOK, "product", view{Title: p.Title, Body: body})
}

// spoken is a fact as a page says it.
func spoken(f goods.Fact) list {
	out := list{Name: strings.ReplaceAll(f.Key, "_", " ")}
	for _, value := range f.Values {
		switch value {
		case "true":
			value = "yes"
		case "false":
			value = "no"
		}
		out.Values = append(out.Values, value)
	}
	return out
}

func (p *shelved) choice(i int) variantChoice {
	c := variantChoice{ID: p.Variants[i].ID, Title: p.Variants[i].Title, Price: p.prices[i]}
	switch p.availability(i) {
	case outOfStock, discontinued:
		c.Gone, c.Note = true, "sold out"
	case lowStock:
		c.Note = "only " + itoa(int(p.stocks[i])) + " left"
	}
	return c
}

// ratingText writes 460 and 12 as "4.6 of 5, from 12 ratings".
func ratingText(r *goods.Rating) string {
	tenths := (r.Hundredths + 5) / 10
	return itoa(tenths/10) + "." + itoa(tenths%10) + " of 5, from " + itoa(r.Count) + " ratings"
}

// related are other products of the same narrowest category.
func (s *Server) related(product int) []card {
	own := s.catalogue.Products[product].Categories
	if len(own) == 0 {
		return nil
	}
	found, _ := s.find(search{categories: own[len(own)-1:], min: -1, max: -1, limit: frontCards + 1})
	var out []card
	for _, p := range found {
		if p.ID != s.catalogue.Products[product].ID && len(out) < frontCards {
			out = append(out, p.card())
		}
	}
	return out
}
