package shop

import (
	"net/http"
	"strings"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
)

// orderBody is what the page of an order shows.
type orderBody struct {
	orderAnswer
	Buyer   ledger.Buyer
	Payment string
	Savings int64
}

func (s *Server) pageOrder(w http.ResponseWriter, r *http.Request) {
	o, err := s.openOrder(r.PathValue("number"), r.URL.Query().Get("key"))
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	goods, delivery := o.Savings()
	body := orderBody{orderAnswer: s.showOrder(o), Buyer: o.Buyer, Savings: goods + delivery}
	for _, p := range payments() {
		if p.ID == o.Payment {
			body.Payment = p.Title
		}
	}
	s.render(w, r, http.StatusOK, "order", view{Title: "Order " + o.Number, Private: true, Body: body})
}

// trackBody is what the page of a parcel shows: how far it is, and nothing of whose
// it is.
type trackBody struct {
	Number  string
	Carrier string
	Status  ledger.Status
	Events  []eventAnswer
}

func (s *Server) pageTrack(w http.ResponseWriter, r *http.Request) {
	o, err := s.ledger.Order(r.PathValue("number"))
	if err == nil && (o.Delivery == nil || !secret.New(o.Delivery.Tracking).Equal(secret.New(r.PathValue("tracking")))) {
		err = ledger.ErrNotFound
	}
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	answer := s.showOrder(o)
	s.render(w, r, http.StatusOK, "track", view{
		Title: "Parcel " + o.Delivery.Tracking, Private: true,
		Body: trackBody{o.Number, o.Delivery.Carrier, answer.Status, answer.Events},
	})
}

// cookieSession holds the token of a customer's session.
const cookieSession = "kc_session"

// accountBody is what a customer's page shows.
type accountBody struct {
	Email   string
	Orders  []orderAnswer
	Message string
}

func (s *Server) customerOf(r *http.Request) (customer, bool) {
	cookie, err := r.Cookie(cookieSession)
	if err != nil {
		return customer{}, false
	}
	return s.customers.who(cookie.Value, s.now())
}

// pageAccount shows a customer's orders, or asks who it is.
func (s *Server) pageAccount(w http.ResponseWriter, r *http.Request) {
	who, ok := s.customerOf(r)
	if !ok {
		s.render(w, r, http.StatusOK, "signin", view{Title: "Sign in", Private: true, Body: accountBody{}})
		return
	}
	orders, err := s.ledger.Newest(maxListed, func(o *ledger.Order) bool { return strings.EqualFold(o.Buyer.Email, who.email) })
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	body := accountBody{Email: who.email}
	for i := range orders {
		body.Orders = append(body.Orders, s.showOrder(&orders[i]))
	}
	s.render(w, r, http.StatusOK, "account", view{Title: "Your orders", Private: true, Body: body})
}

func (s *Server) pageSignIn(w http.ResponseWriter, r *http.Request) {
	if !s.readForm(w, r) {
		return
	}
	token, ok := s.customers.signIn(r.PostForm.Get("email"), r.PostForm.Get("password"), s.now())
	if !ok {
		s.render(w, r, http.StatusUnauthorized, "signin", view{
			Title: "Sign in", Private: true, Body: accountBody{Message: "The e-mail address or the password is wrong."},
		})
		return
	}
	http.SetCookie(w, s.cookie(r, cookieSession, token))
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

func (s *Server) pageSignOut(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(cookieSession); err == nil {
		s.customers.signOut(cookie.Value)
	}
	gone := s.cookie(r, cookieSession, "")
	gone.MaxAge = -1
	http.SetCookie(w, gone)
	http.Redirect(w, r, "/account", http.StatusSeeOther)
}

// pageBackOffice lists the orders for the merchant, who signs in with any name and
// the token as password.
func (s *Server) pageBackOffice(w http.ResponseWriter, r *http.Request) {
	if s.backOffice.IsZero() {
		s.sorry(w, r, http.StatusNotFound)
		return
	}
	if _, token, _ := r.BasicAuth(); !s.isMerchant(token) {
		w.Header().Set("WWW-Authenticate", `Basic realm="back office", charset="UTF-8"`)
		s.sorry(w, r, http.StatusUnauthorized)
		return
	}
	orders, err := s.ledger.Newest(maxListed, func(*ledger.Order) bool { return true })
	if err != nil {
		s.failPage(w, r, err)
		return
	}
	var answers []officeOrder
	for i := range orders {
		answers = append(answers, officeOrder{s.showOrder(&orders[i]), orders[i].Caller, orders[i].Buyer})
	}
	s.render(w, r, http.StatusOK, "backoffice", view{Title: "Back office", Private: true, Body: answers})
}
