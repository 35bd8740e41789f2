package caddymodule

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"html/template"
	"net/http"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// basketPrefix is where our own page of a basket is, for shops that have none.
const basketPrefix = "/storeware/basket/"

// basketPath is the path of a basket's page. The token lets whoever has the
// address see the basket, without who the buyer is.
func basketPath(id, token string) string {
	return basketPrefix + url.PathEscape(id) + "/" + url.PathEscape(token)
}

var (
	//go:embed basketpage/page.html
	basketHTML string
	//go:embed basketpage/style.css
	basketCSS string

	basketTemplate = template.Must(template.New("basket").Parse(basketHTML))
	basketPolicy   = contentPolicy(basketCSS)
)

// contentPolicy lets a page have one style, and nothing else.
func contentPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

// page is what the page of a basket shows.
type page struct {
	Title, Lead string
	Style       template.CSS
	Shop        string
	Basket      *pageBasket // nil on a page that says what is wrong
	// Contact is how to reach the merchant, on the page of a basket that can be
	// ordered nowhere else; ContactURL is empty where that is no link.
	Contact, ContactURL string
}

type pageBasket struct {
	Lines     []pageLine
	Totals    []pageTotal
	Total     string
	Estimated bool
	Todo      []string
}

type pageLine struct {
	Title, Choices, URL string
	Quantity            int64
	Price               string
}

type pageTotal struct{ Label, Amount string }

// serveBasket answers with a basket's page. What it answers is for people, and not
// signed.
func (h *Handler) serveBasket(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", basketPolicy)
	// The address lets people in, so it goes nowhere else.
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY") // for browsers that know no frame-ancestors
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Robots-Tag", "noindex")

	shown, status := h.basketPage(r)
	switch status {
	case http.StatusMethodNotAllowed:
		header.Set("Allow", "GET, HEAD")
	case http.StatusServiceUnavailable:
		header.Set("Retry-After", strconv.Itoa(int(startRetry.Seconds())))
	}
	var body bytes.Buffer
	shown.Style, shown.Shop = template.CSS(basketCSS), "/"
	if err := basketTemplate.Execute(&body, shown); err != nil {
		h.logger.Error("writing the page of a basket", zap.Error(err))
		status = http.StatusInternalServerError
	}
	header.Set("Content-Length", strconv.Itoa(body.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		// Whoever no longer listens need not be told.
		_, _ = w.Write(body.Bytes())
	}
}

// basketPage returns the page for a request, and its status.
func (h *Handler) basketPage(r *http.Request) (page, int) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return page{Title: "This page can only be read", Lead: "Nothing can be sent to it."}, http.StatusMethodNotAllowed
	}
	away := page{Title: "Not just now", Lead: "The basket cannot be shown at the moment. Please try again in a minute."}
	leave, ok := h.app.enter(r.Context())
	if !ok {
		return away, http.StatusServiceUnavailable
	}
	defer leave()
	gone := page{Title: "There is no such basket", Lead: "It may have expired, or the address is not complete."}
	id, token, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, basketPrefix), "/")
	if !ok {
		return gone, http.StatusNotFound
	}
	d, err := h.door(clientOf(r))
	if err != nil {
		return gone, http.StatusNotFound
	}
	b, err := d.baskets.View(r.Context(), id, token)
	switch {
	case errors.Is(err, basket.ErrNotFound):
		return gone, http.StatusNotFound
	case errors.Is(err, state.ErrUnavailable), upstream.CodeOf(err) == upstream.CodeUnavailable && err != nil:
		return away, http.StatusServiceUnavailable
	case err != nil:
		h.logger.Error("reading a basket for its page", zap.Error(err))
		return away, http.StatusServiceUnavailable
	}
	title := "Your basket"
	if d.shop != nil && d.shop.Name != "" {
		title += " at " + d.shop.Name
	}
	shown := page{Title: title, Lead: leadOf(b), Basket: show(b)}
	if notOrderable(b) {
		shown.Contact, shown.ContactURL = h.Contact, contactURL(h.Contact)
	}
	return shown, http.StatusOK
}

// notOrderable reports whether nobody can order an open basket but the merchant.
func notOrderable(b *basket.Basket) bool {
	return slices.ContainsFunc(b.Blockers, func(i basket.Issue) bool { return i.Code == basket.NotOrderable })
}

// contactURL returns the link to a contact, which is a URL or an address for mail;
// empty if it is neither.
func contactURL(contact string) string {
	if u, err := url.Parse(contact); err == nil && (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" {
		return contact
	}
	if a, err := mail.ParseAddress(contact); err == nil {
		return (&url.URL{Scheme: "mailto", Opaque: url.PathEscape(a.Address)}).String()
	}
	return ""
}

// leadOf says how it stands with a basket.
func leadOf(b *basket.Basket) string {
	switch b.State {
	case basket.Completed:
		if b.Order.Test {
			return "This was a test order, number " + b.Order.ID + ". The shop has not received it."
		}
		return "It has been ordered. The number of the order is " + b.Order.ID + "."
	case basket.Completing:
		return "The order is on its way to the shop, which has not confirmed it yet."
	case basket.Canceled:
		return "It was given up, or has expired. Ask your assistant for a new one."
	}
	if notOrderable(b) {
		return "This page only shows what your assistant has put together. Neither you nor your assistant can order it here: please turn to the shop."
	}
	return "Your assistant has put it together. To change or order it, go on with your assistant."
}

// show returns what the page shows of a basket.
func show(b *basket.Basket) *pageBasket {
	shown := &pageBasket{Total: b.Observed.Total.Display(), Estimated: b.Observed.Estimated && b.State == basket.Open}
	for _, line := range b.Observed.Lines {
		choices := make([]string, 0, len(line.Choices))
		for _, choice := range line.Choices {
			choices = append(choices, choice.Name+": "+choice.Value)
		}
		shown.Lines = append(shown.Lines, pageLine{
			Title: line.Title, Choices: strings.Join(choices, ", "), URL: line.URL,
			Quantity: line.Quantity, Price: line.Subtotal.Display(),
		})
	}
	for _, total := range b.Observed.Totals {
		shown.Totals = append(shown.Totals, pageTotal{Label: labelOf(total), Amount: total.Amount.Display()})
	}
	for _, blocker := range b.Blockers {
		if blocker.Code != basket.NotOrderable { // which the page says above
			shown.Todo = append(shown.Todo, blocker.Text)
		}
	}
	return shown
}

// labelOf is what a buyer reads beside a total.
func labelOf(t upstream.Total) string {
	if t.Label != "" {
		return t.Label
	}
	switch t.Kind {
	case upstream.TotalSubtotal:
		return "Items"
	case upstream.TotalItemsDiscount, upstream.TotalDiscount:
		return "Discount"
	case upstream.TotalFulfillment:
		return "Delivery"
	case upstream.TotalTax:
		return "Tax"
	case upstream.TotalFee:
		return "Fee"
	case upstream.TotalRounding:
		return "Rounding"
	}
	return string(t.Kind)
}
