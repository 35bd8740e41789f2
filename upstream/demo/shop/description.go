package shop

import (
	"net/http"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// Language is the BCP 47 tag of the shop's words.
const Language = "en-GB"

// Description is what the shop says of itself at /api/shop.
type Description struct {
	Name     string         `json:"name"`
	Currency money.Currency `json:"currency"`
	Language string         `json:"language"`
	// Stock: the shop knows how many there are of every variant.
	Stock     bool      `json:"stock"`
	Countries []Country `json:"countries"`
	Payments  []Payment `json:"payments"`
	Pages     []Page    `json:"pages"`
}

// Country is a country that the shop delivers to, by its ISO 3166-1 alpha-2 code.
type Country struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Payment is a way to pay.
type Payment struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// Page is a page about the shop. Type is a link type of UCP.
type Page struct {
	Type  string `json:"type"`
	Title string `json:"title"`
	Path  string `json:"path"`
}

// The ways to pay.
const (
	payCard    = "demo-card"
	payInvoice = "invoice"
)

// Describe returns what the shop says of itself.
func (s *Server) Describe() Description {
	d := Description{
		Name:     Name,
		Currency: s.catalogue.Currency,
		Language: Language,
		Stock:    s.catalogue.Counted(),
		Payments: payments(),
		Pages:    policies(),
	}
	for _, country := range till.Countries() {
		d.Countries = append(d.Countries, Country{country.Code, country.Name})
	}
	return d
}

func payments() []Payment {
	return []Payment{{payCard, "Demo card"}, {payInvoice, "Invoice, paid within 14 days"}}
}

// policies are the pages about the shop. The last part of the path names the
// template.
func policies() []Page {
	return []Page{
		{"shipping_policy", "Delivery", "/pages/delivery"},
		{"refund_policy", "Returns and refunds", "/pages/returns"},
		{"privacy_policy", "Privacy", "/pages/privacy"},
		{"terms_of_service", "Terms of sale", "/pages/terms"},
		{"faq", "Questions and answers", "/pages/faq"},
	}
}

func (s *Server) apiShop(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, s.Describe())
}
