package shop

import (
	"fmt"
	"net/mail"
	"regexp"
	"strings"
	"unicode"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

// Bounds of a basket.
const (
	maxLines    = 200
	maxCodes    = 20
	maxField    = 200
	maxQuantity = 1000
)

// wish is the whole of what a basket shall be, as the API and the basket page take
// it.
type wish struct {
	Lines    []wishLine      `json:"lines"`
	Codes    []string        `json:"codes"`
	Buyer    ledger.Buyer    `json:"buyer"`
	Address  *ledger.Address `json:"address"`
	Billing  *ledger.Address `json:"billing"`
	Delivery string          `json:"delivery"`
	// Country is where the basket is looked at from, for prices before there is an
	// address.
	Country string `json:"country"`
	// Agent is the name of who puts it together on behalf of the buyer.
	Agent string `json:"agent"`
}

type wishLine struct {
	Key string `json:"key"`
	// Item is the id, handle or SKU of a variant, or of a product with only one.
	Item     string `json:"item"`
	Quantity int64  `json:"quantity"`
}

// check refuses what no basket can be. Anything milder is a notice.
func (w *wish) check() error {
	if len(w.Lines) > maxLines {
		return invalid("more than %d lines", maxLines)
	}
	if len(w.Codes) > maxCodes {
		return invalid("more than %d discount codes", maxCodes)
	}
	keys := make(map[string]bool, len(w.Lines))
	for _, line := range w.Lines {
		switch {
		case line.Key == "" || len(line.Key) > maxField || keys[line.Key]:
			return invalid("the key %.40q of a line is empty, too long, or that of another line", line.Key)
		case line.Quantity < 1:
			return invalid("the quantity of line %.40q is %d", line.Key, line.Quantity)
		}
		keys[line.Key] = true
	}
	for _, code := range w.Codes {
		if len(code) > maxField {
			return invalid("a discount code is longer than %d bytes", maxField)
		}
	}
	if len(w.Delivery) > maxField || len(w.Agent) > maxField || len(w.Country) > maxField {
		return invalid("delivery, agent or country is longer than %d bytes", maxField)
	}
	return nil
}

// notice says what a basket is otherwise than it was wished. The codes are those of
// the API, in its documentation.
type notice struct {
	Code     string `json:"code"`
	Line     string `json:"line,omitempty"`
	Discount string `json:"discount,omitempty"`
	Text     string `json:"text"`
	// Available is how many there are, for quantity_lowered.
	Available *int64 `json:"available,omitempty"`
	// Options and Variants are what is left to choose, for option_needed.
	Options  lists           `json:"options,omitempty"`
	Variants []variantAnswer `json:"variants,omitempty"`
}

// fulfil makes a basket of a wish, as far as the shop takes it.
func (s *Server) fulfil(w wish) (ledger.Basket, []notice, error) {
	b := ledger.Basket{Country: w.Country, Agent: printable(w.Agent), Codes: w.Codes, Delivery: w.Delivery}
	var notices []notice
	left := map[string]int64{}
	for _, line := range w.Lines {
		taken, notice := s.takeLine(line, left)
		if notice != nil {
			notices = append(notices, *notice)
		}
		if taken.Quantity > 0 {
			b.Lines = append(b.Lines, taken)
		}
	}
	b.Buyer, notices = takeBuyer(w.Buyer, notices)
	b.Address, notices = takeAddress(w.Address, notices)
	b.Billing, notices = takeAddress(w.Billing, notices)
	bill, err := till.Price(s.priced(&b))
	if err != nil {
		return b, nil, err
	}
	b.Codes = bill.Codes
	for _, refused := range bill.Refused {
		notices = append(notices, notice{Code: "discount_" + string(refused.Reason), Discount: refused.Code, Text: refused.Text})
	}
	if b.Address != nil && !till.Served(b.Address.Country) {
		notices = append(notices, notice{Code: "no_delivery", Text: "The shop does not deliver to this country."})
	}
	if w.Delivery != "" && bill.Chosen == nil {
		b.Delivery = ""
		notices = append(notices, notice{Code: "delivery_unknown", Text: "This way of delivery is not on offer for this basket and address."})
	}
	return b, notices, nil
}

// takeLine takes a line as far as there is something of it. left are the stocks
// that other lines of the same basket have left.
func (s *Server) takeLine(line wishLine, left map[string]int64) (ledger.Line, *notice) {
	refused := func(code, text string) (ledger.Line, *notice) {
		return ledger.Line{}, &notice{Code: code, Line: line.Key, Text: text}
	}
	p, ref, ok := s.shelf.find(line.Item)
	if !ok {
		return refused("not_found", "The shop has no such product.")
	}
	if ref.Variant == goods.Whole {
		if len(p.Variants) > 1 {
			return ledger.Line{}, p.openChoice(line.Key)
		}
		ref.Variant = 0
	}
	id := p.Variants[ref.Variant].ID
	stock, counted := left[id]
	if !counted {
		stock = p.stocks[ref.Variant]
	}
	switch {
	case p.Discontinued:
		return refused("not_buyable", p.Title+" is no longer sold.")
	case stock == 0:
		return refused("out_of_stock", p.nameOf(ref.Variant)+" is sold out.")
	}
	most := int64(maxQuantity)
	if stock != goods.Uncounted {
		most = min(stock, most)
	}
	taken := ledger.Line{Key: line.Key, Variant: id, Quantity: min(line.Quantity, most)}
	if stock != goods.Uncounted {
		left[id] = stock - taken.Quantity
	}
	if taken.Quantity == line.Quantity {
		return taken, nil
	}
	return taken, &notice{
		Code: "quantity_lowered", Line: line.Key, Available: &most,
		Text: fmt.Sprintf("There are only %d of %s.", most, p.nameOf(ref.Variant)),
	}
}

// openChoice is the notice that a product has variants to choose from.
func (p *shelved) openChoice(line string) *notice {
	n := &notice{Code: "option_needed", Line: line, Text: p.Title + " comes in several variants: choose one.", Options: p.options()}
	for i := range p.Variants {
		n.Variants = append(n.Variants, p.variantAnswer(i))
	}
	return n
}

// nameOf names a variant in a sentence.
func (p *shelved) nameOf(variant int) string {
	if v := p.Variants[variant].Title; v != p.Title {
		return p.Title + " (" + v + ")"
	}
	return p.Title
}

// priced is a basket as the till wants it, at the prices of now. A line whose
// product has left the catalogue costs nothing and cannot be ordered.
func (s *Server) priced(b *ledger.Basket) till.Basket {
	t := till.Basket{
		Currency: s.catalogue.Currency, Codes: b.Codes, Country: b.Country, Delivery: b.Delivery, Now: s.now(),
	}
	if b.Address != nil {
		t.Country, t.PostalCode = b.Address.Country, b.Address.PostalCode
	}
	for _, line := range b.Lines {
		item := till.Item{Quantity: line.Quantity}
		if p, ref, ok := s.shelf.find(line.Variant); ok && ref.Variant != goods.Whole {
			item.Price = p.prices[ref.Variant]
			item.ZeroRated, item.Digital, item.Oversize = p.ZeroRated, p.Digital, p.Oversize
			item.Promoted = p.promoted()
		}
		t.Items = append(t.Items, item)
	}
	return t
}

func (p *shelved) promoted() bool {
	for _, tag := range p.Tags {
		if tag == till.PromotionTag {
			return true
		}
	}
	return false
}

// takeBuyer leaves out what of a buyer is none.
func takeBuyer(b ledger.Buyer, notices []notice) (ledger.Buyer, []notice) {
	taken := ledger.Buyer{Email: strings.TrimSpace(b.Email), FirstName: b.FirstName, LastName: b.LastName, Phone: b.Phone}
	var wrong []string
	if taken.Email != "" && !isEmail(taken.Email) {
		wrong, taken.Email = append(wrong, "The e-mail address is not one."), ""
	}
	for _, field := range []*string{&taken.FirstName, &taken.LastName, &taken.Phone} {
		if !isField(*field) {
			wrong, *field = append(wrong, "A name or telephone number is too long or holds what is no letter."), ""
			break
		}
	}
	if len(wrong) > 0 {
		notices = append(notices, notice{Code: "buyer_refused", Text: strings.Join(wrong, " ")})
	}
	return taken, notices
}

// takeAddress takes an address or says what is wrong with it.
func takeAddress(a *ledger.Address, notices []notice) (*ledger.Address, []notice) {
	if a == nil {
		return nil, notices
	}
	wrong := ""
	for _, field := range []string{a.FirstName, a.LastName, a.Company, a.Street, a.Extended, a.City, a.Region, a.PostalCode, a.Phone} {
		if !isField(field) {
			wrong = "A part of the address is too long or holds what is no letter."
		}
	}
	switch {
	case wrong != "":
	case !countryCode.MatchString(a.Country):
		wrong = "The address needs a country, as a code of two letters."
	case a.Country == till.Home && a.PostalCode != "" && !ukPostcode.MatchString(a.PostalCode):
		wrong = "The postcode is not one of the United Kingdom."
	}
	if wrong != "" {
		return nil, append(notices, notice{Code: "address_refused", Text: wrong})
	}
	taken := *a
	return &taken, notices
}

var (
	countryCode = regexp.MustCompile(`^[A-Z]{2}$`)
	ukPostcode  = regexp.MustCompile(`^(?i)\s*[A-Z]{1,2}[0-9][A-Z0-9]?\s*[0-9][A-Z]{2}\s*$`)
)

func isEmail(s string) bool {
	address, err := mail.ParseAddress(s)
	return err == nil && address.Address == s && len(s) <= maxField
}

// isField reports whether s can stand on a label.
func isField(s string) bool {
	return len(s) <= maxField && !strings.ContainsFunc(s, unicode.IsControl)
}

// printable returns s without what cannot be printed.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s)
}
