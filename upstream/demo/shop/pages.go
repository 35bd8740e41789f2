package shop

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"path"
	"strings"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/picture"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

//go:embed site
var site embed.FS

// pages are the shop's templates, one for each kind of page.
type pages struct {
	templates map[string]*template.Template
	style     []byte
}

// newPages reads the templates.
func newPages(s *Server) (*pages, error) {
	style, err := site.ReadFile("site/style.css")
	if err != nil {
		return nil, fmt.Errorf("reading the style sheet: %w", err)
	}
	p := &pages{templates: map[string]*template.Template{}, style: style}
	layout, err := template.New("layout.html").Funcs(template.FuncMap{
		"money": func(minor int64) string { return money.Amount{Minor: minor, Currency: s.catalogue.Currency}.Display() },
	}).ParseFS(site, "site/layout.html", "site/parts.html")
	if err != nil {
		return nil, fmt.Errorf("reading the layout: %w", err)
	}
	for _, pattern := range []string{"site/*.html", "site/policies/*.html"} {
		files, err := listSite(pattern)
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			t, err := layout.Clone()
			if err == nil {
				t, err = t.ParseFS(site, file)
			}
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", file, err)
			}
			p.templates[strings.TrimSuffix(strings.TrimPrefix(file, "site/"), ".html")] = t
		}
	}
	return p, nil
}

func listSite(pattern string) ([]string, error) {
	dir := path.Dir(pattern)
	entries, err := site.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("listing the pages: %w", err)
	}
	var files []string
	for _, entry := range entries {
		file := path.Join(dir, entry.Name())
		if ok, _ := path.Match(pattern, file); ok && file != "site/layout.html" && file != "site/parts.html" {
			files = append(files, file)
		}
	}
	return files, nil
}

// routePages serves what a person sees. A form of another site is refused.
func (s *Server) routePages(mux *http.ServeMux) {
	guard := http.NewCrossOriginProtection()
	page := func(pattern string, handler http.HandlerFunc) {
		mux.Handle(pattern, guard.Handler(handler))
	}
	page("GET /{$}", s.pageFront)
	page("GET /categories/{path...}", s.pageCategory)
	page("GET /search", s.pageSearch)
	page("GET /products/{handle}", s.pageProduct)
	page("GET /basket", s.pageOwnBasket)
	page("POST /basket", s.pageAdd)
	page("GET /basket/{token}", s.pageBasket)
	page("POST /basket/{token}", s.pageChangeBasket)
	page("GET /orders/{number}", s.pageOrder)
	page("GET /track/{number}/{tracking}", s.pageTrack)
	page("GET /pages/{name}", s.pagePolicy)
	page("GET /account", s.pageAccount)
	page("POST /account", s.pageSignIn)
	page("POST /account/leave", s.pageSignOut)
	page("GET /backoffice", s.pageBackOffice)
	page("GET /style.css", s.serveStyle)
	page("GET /ask.js", s.serveAskScript)
	page("GET /pictures/{file}", s.servePicture)
	page("/", func(w http.ResponseWriter, r *http.Request) { s.sorry(w, r, http.StatusNotFound) })
}

// view is what a template is given. Body is of the page's own.
type view struct {
	Shop  string
	Title string
	// Words are what was searched for.
	Words    string
	Sections []section
	Policies []Page
	Customer string
	// Private pages are not for search engines.
	Private bool
	// Scripted pages run a script of the shop's, ask the shop, and frame a page of it.
	Scripted bool
	Body     any
}

// section is a part of the catalogue, as the menu shows it.
type section struct {
	Name string
	Path string
	// Count is how many products there are in it.
	Count int
}

// render answers with a page.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, name string, v view) {
	v.Shop, v.Policies = Name, policies()
	for _, c := range s.catalogue.Categories {
		if !strings.Contains(c.Path, "/") {
			v.Sections = append(v.Sections, section{c.Path, categoryPath(c.Path), c.Products})
		}
	}
	if who, ok := s.customerOf(r); ok {
		v.Customer = who.firstName
	}
	var b bytes.Buffer
	if err := s.pages.templates[name].Execute(&b, v); err != nil {
		s.log.Error("writing a page", "page", name, "err", err)
		http.Error(w, "The shop could not write this page.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	policy := "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
	if v.Scripted {
		policy += "; script-src 'self'; connect-src 'self'; frame-src 'self'"
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
	if v.Private {
		h.Set("Cache-Control", "no-store")
	}
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes()) // Who went away cannot be told.
}

// sorry answers with a page that says what went wrong.
func (s *Server) sorry(w http.ResponseWriter, r *http.Request, status int) {
	text := "The shop could not do this. Please try again."
	switch status {
	case http.StatusNotFound:
		text = "There is nothing at this address. It may have been sold, moved, or never here."
	case http.StatusBadRequest:
		text = "The form could not be read. Please go back and try again."
	}
	s.render(w, r, status, "sorry", view{Title: http.StatusText(status), Private: true, Body: text})
}

func (s *Server) serveStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=300")
	_, _ = w.Write(s.pages.style)
}

func (s *Server) servePicture(w http.ResponseWriter, r *http.Request) {
	text, isPNG := strings.CutSuffix(r.PathValue("file"), ".png")
	name, ok := picture.ParseName(text)
	if !isPNG || !ok {
		s.sorry(w, r, http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(s.album.PNG(name))
}

// pagePolicy is a page about the shop.
func (s *Server) pagePolicy(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	for _, policy := range policies() {
		if policy.Path != "/pages/"+name {
			continue
		}
		tariffs, err := till.Tariffs(s.catalogue.Currency)
		if err != nil {
			s.log.Error("listing the tariffs", "err", err)
			s.sorry(w, r, http.StatusInternalServerError)
			return
		}
		s.render(w, r, http.StatusOK, "policies/"+name, view{Title: policy.Title, Body: tariffs})
		return
	}
	s.sorry(w, r, http.StatusNotFound)
}
