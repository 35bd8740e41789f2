package shop

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/till"
)

func itoa(n int) string { return strconv.Itoa(n) }

// maxForm bounds a form in bytes.
const maxForm = 64 << 10

// cookieBasket holds the token of the basket that a visitor began on the pages.
const cookieBasket = "kc_basket"

// basketBody is what the page of a basket shows.
type basketBody struct {
	basketAnswer
	Buyer   ledger.Buyer
	Address ledger.Address
	Agent   string
	// Messages say what was not done as the visitor asked, Wanted what is missing.
	Messages  []string
	Wanted    []string
	Countries []Country
	Payments  []Payment
	// Attempt names the next attempt to order, so that a second click on the same
	// page finds the first order.
	Attempt string
	// Savings are the discounts, as the sum shows them.
	Savings int64
}

// pageOwnBasket leads to the visitor's own basket.
func (s *Server) pageOwnBasket(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(cookieBasket); err == nil {
		if _, err := s.ledger.Basket(cookie.Value); err == nil {
			http.Redirect(w, r, basketPath(cookie.Value), http.StatusSeeOther)
			return
		}
	}
	s.render(w, r, http.StatusOK, "empty", view{Title: "Your basket", Private: true})
}

// pageAdd puts something into the visitor's own basket, and begins one if needed.
func (s *Server) pageAdd(w http.ResponseWriter, r *http.Request) {
	if !s.readForm(w, r) {
		return
	}
	quantity, err := strconv.ParseInt(r.PostForm.Get("quantity"), 10, 64)
	if err != nil || quantity < 1 {
		s.sorry(w, r, http.StatusBadRequest)
		return
	}
	item := r.PostForm.Get("item")
	token := ""
	if cookie, err := r.Cookie(cookieBasket); err == nil {
		token = cookie.Value
	}
	b, notices, err := s.addTo(token, item, quantity, callerOf(r))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	http.SetCookie(w, s.cookie(r, cookieBasket, b.Token))
	if len(notices) > 0 {
		s.showBasket(w, r, http.StatusOK, b, texted(notices))
		return
	}
	http.Redirect(w, r, basketPath(b.Token), http.StatusSeeOther)
}

// addTo adds an item to a basket, or to a new one where there is none.
func (s *Server) addTo(token, item string, quantity int64, caller string) (*ledger.Basket, []notice, error) {
	b, err := s.ledger.Basket(token)
	var ordered *ledger.OrderedError
	if errors.Is(err, ledger.ErrNotFound) || errors.As(err, &ordered) {
		return s.createBasket(wish{Lines: []wishLine{{Key: "1", Item: item, Quantity: quantity}}, Country: till.Home}, caller)
	}
	if err != nil {
		return nil, nil, err
	}
	wished := wishOf(b)
	at := slices.IndexFunc(wished.Lines, func(l wishLine) bool { return l.Item == item })
	if at >= 0 {
		wished.Lines[at].Quantity += quantity
	} else {
		wished.Lines = append(wished.Lines, wishLine{Key: "p-" + item, Item: item, Quantity: quantity})
	}
	return s.replaceBasket(token, wished, caller)
}

// wishOf is the wish that a basket fulfils.
func wishOf(b *ledger.Basket) wish {
	w := wish{
		Codes: b.Codes, Buyer: b.Buyer, Address: b.Address, Billing: b.Billing,
		Delivery: b.Delivery, Country: b.Country, Agent: b.Agent,
	}
	for _, line := range b.Lines {
		w.Lines = append(w.Lines, wishLine{line.Key, line.Variant, line.Quantity})
	}
	return w
}

// pageBasket shows a basket to whoever knows its token.
func (s *Server) pageBasket(w http.ResponseWriter, r *http.Request) {
	b, err := s.ledger.Basket(r.PathValue("token"))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	s.showBasket(w, r, http.StatusOK, b, nil)
}

// pageChangeBasket takes the form of a basket's page: all of the basket, as the
// visitor wants it now, and perhaps the order.
func (s *Server) pageChangeBasket(w http.ResponseWriter, r *http.Request) {
	if !s.readForm(w, r) {
		return
	}
	token := r.PathValue("token")
	b, err := s.ledger.Basket(token)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	wished, err := formWish(r, b)
	if err != nil {
		s.sorry(w, r, http.StatusBadRequest)
		return
	}
	b, notices, err := s.replaceBasket(token, wished, callerOf(r))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	switch {
	case len(notices) > 0:
		s.showBasket(w, r, http.StatusConflict, b, texted(notices))
	case r.PostForm.Get("do") == "order":
		s.orderForm(w, r, b)
	default:
		http.Redirect(w, r, basketPath(token), http.StatusSeeOther)
	}
}

// orderForm orders what the visitor saw.
func (s *Server) orderForm(w http.ResponseWriter, r *http.Request, b *ledger.Basket) {
	total, err := strconv.ParseInt(r.PostForm.Get("total"), 10, 64)
	request := placeRequest{
		Attempt: r.PostForm.Get("attempt"), Method: r.PostForm.Get("method"), Credential: r.PostForm.Get("credential"),
		Total: total, Currency: string(s.catalogue.Currency),
	}
	if err == nil {
		err = request.check()
	}
	if err != nil {
		s.sorry(w, r, http.StatusBadRequest)
		return
	}
	order, err := s.place(b.Token, request, callerOf(r))
	var refused refusal
	switch {
	case err == nil:
		http.Redirect(w, r, orderPath(order), http.StatusSeeOther)
	case errors.As(err, &refused):
		s.showBasket(w, r, refused.code.status(), b, []string{refused.text})
	default:
		s.failPage(w, r, err)
	}
}

// formWish reads the form of a basket's page. What the form does not show stays as
// the basket has it.
func formWish(r *http.Request, b *ledger.Basket) (wish, error) {
	form := r.PostForm
	w := wishOf(b)
	w.Lines = nil
	keys, items, quantities := form["key"], form["item"], form["quantity"]
	if len(keys) != len(items) || len(keys) != len(quantities) {
		return w, invalid("the lines of the form do not fit together")
	}
	for i := range keys {
		quantity, err := strconv.ParseInt(quantities[i], 10, 64)
		if err != nil || quantity < 0 {
			return w, invalid("a quantity is no number")
		}
		if quantity > 0 {
			w.Lines = append(w.Lines, wishLine{keys[i], items[i], quantity})
		}
	}
	w.Codes = strings.FieldsFunc(form.Get("codes"), func(r rune) bool { return r == ' ' || r == ',' })
	w.Buyer = ledger.Buyer{
		Email: form.Get("email"), FirstName: form.Get("first_name"), LastName: form.Get("last_name"), Phone: form.Get("phone"),
	}
	address := ledger.Address{}
	if b.Address != nil {
		address = *b.Address
	}
	address.Street, address.Extended, address.City = form.Get("street"), form.Get("extended"), form.Get("city")
	address.Region, address.PostalCode, address.Country = form.Get("region"), form.Get("postal_code"), form.Get("country")
	w.Address, w.Delivery = &address, form.Get("delivery")
	return w, w.check()
}

// showBasket answers with the page of a basket.
func (s *Server) showBasket(w http.ResponseWriter, r *http.Request, status int, b *ledger.Basket, messages []string) {
	answer, err := s.show(b)
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	body := basketBody{
		basketAnswer: answer, Buyer: b.Buyer, Agent: b.Agent, Messages: messages,
		Countries: s.Describe().Countries, Payments: payments(), Attempt: randomToken(),
		Address: ledger.Address{Country: till.Home},
	}
	if b.Address != nil {
		body.Address = *b.Address
	} else if till.Served(b.Country) {
		body.Address.Country = b.Country
	}
	for _, d := range answer.Discounts {
		body.Savings += d.Amount
	}
	for _, name := range answer.Missing {
		body.Wanted = append(body.Wanted, wanted(name))
	}
	s.render(w, r, status, "basket", view{Title: "Your basket", Private: true, Body: body})
}

// wanted names what is missing to a person.
func wanted(name string) string {
	switch name {
	case "lines":
		return "something to buy"
	case "email":
		return "your e-mail address"
	case "address":
		return "your address"
	case "delivery":
		return "a way of delivery"
	case "postal_code":
		return "your postcode"
	case "region":
		return "your state"
	}
	return "your " + strings.ReplaceAll(name, "_", " ")
}

func texted(notices []notice) []string {
	texts := make([]string, len(notices))
	for i, n := range notices {
		texts[i] = n.Text
	}
	return texts
}

// readForm reads a form of a bearable length, or answers that it could not.
func (s *Server) readForm(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		s.sorry(w, r, http.StatusBadRequest)
		return false
	}
	return true
}

// failPage answers a visitor with what err says. An ordered basket leads to its
// order: whoever knows the basket may see what became of it.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	switch refused := s.refusalOf(err); {
	case refused.order != nil:
		http.Redirect(w, r, refused.order.Path, http.StatusSeeOther)
	default:
		s.sorry(w, r, refused.code.status())
	}
}

// cookie returns a cookie that only this shop's pages are sent.
func (s *Server) cookie(r *http.Request, name, value string) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https",
	}
}
