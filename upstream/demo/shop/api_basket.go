package shop

import (
	"errors"
	"net/http"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
)

// apiCreateBasket begins a basket that is what the body wishes.
func (s *Server) apiCreateBasket(w http.ResponseWriter, r *http.Request) {
	var wished wish
	if err := readJSON(w, r, &wished); err != nil {
		s.refuse(w, err)
		return
	}
	basket, notices, err := s.createBasket(wished, callerOf(r))
	s.answerBasket(w, http.StatusCreated, basket, notices, err)
}

// apiReplaceBasket makes the basket what the body wishes.
func (s *Server) apiReplaceBasket(w http.ResponseWriter, r *http.Request) {
	var wished wish
	if err := readJSON(w, r, &wished); err != nil {
		s.refuse(w, err)
		return
	}
	basket, notices, err := s.replaceBasket(r.Header.Get(headerBasket), wished, callerOf(r))
	s.answerBasket(w, http.StatusOK, basket, notices, err)
}

// apiReadBasket answers with the basket as it stands now.
func (s *Server) apiReadBasket(w http.ResponseWriter, r *http.Request) {
	basket, err := s.ledger.Basket(r.Header.Get(headerBasket))
	s.answerBasket(w, http.StatusOK, basket, nil, err)
}

func (s *Server) answerBasket(w http.ResponseWriter, status int, b *ledger.Basket, notices []notice, err error) {
	if err != nil {
		s.refuse(w, err)
		return
	}
	answer, err := s.show(b)
	if err != nil {
		s.refuse(w, err)
		return
	}
	answer.Notices = notices
	writeJSON(w, status, answer)
}

// createBasket keeps a new basket.
func (s *Server) createBasket(wished wish, caller string) (*ledger.Basket, []notice, error) {
	if err := wished.check(); err != nil {
		return nil, nil, err
	}
	basket, notices, err := s.fulfil(wished)
	if err != nil {
		return nil, nil, err
	}
	basket.Token, basket.Caller = randomToken(), caller
	return &basket, notices, s.ledger.Create(basket)
}

// replaceBasket changes a basket. The error is also ledger.ErrNotFound or a
// *ledger.OrderedError.
func (s *Server) replaceBasket(token string, wished wish, caller string) (*ledger.Basket, []notice, error) {
	if err := wished.check(); err != nil {
		return nil, nil, err
	}
	var kept ledger.Basket
	var notices []notice
	err := s.ledger.Change(token, func(b *ledger.Basket) error {
		now, found, err := s.fulfil(wished)
		if err != nil {
			return err
		}
		now.Token, now.Created, now.Withdrawn, now.Caller = b.Token, b.Created, b.Withdrawn, caller
		*b, kept, notices = now, now, found
		return nil
	})
	return &kept, notices, err
}

// placeRequest is the body of an order.
type placeRequest struct {
	// Attempt is the caller's own name for the attempt. Another request with the
	// same one finds the order that the first has made.
	Attempt string `json:"attempt"`
	// Method is the id of a way to pay, Credential what it needs.
	Method     string `json:"method"`
	Credential string `json:"credential"`
	// Total is what the buyer agreed to, in minor units of Currency.
	Total    int64  `json:"total"`
	Currency string `json:"currency"`
	// Agent is the name of who orders on behalf of the buyer. Empty leaves that of
	// the basket.
	Agent string `json:"agent"`
}

func (p placeRequest) check() error {
	switch {
	case p.Attempt == "" || len(p.Attempt) > maxField:
		return invalid("attempt is empty or longer than %d bytes", maxField)
	case len(p.Agent) > maxField:
		return invalid("agent is longer than %d bytes", maxField)
	case p.Method != payCard && p.Method != payInvoice:
		return invalid("%.40q is no way to pay here", p.Method)
	}
	return nil
}

// placedAnswer is an order that was taken, as the API writes it.
type placedAnswer struct {
	Number   string `json:"number"`
	Key      string `json:"key"`
	Path     string `json:"path"`
	Attempt  string `json:"attempt"`
	Total    int64  `json:"total"`
	Currency string `json:"currency"`
}

func placedOf(o *ledger.Order) *placedAnswer {
	return &placedAnswer{
		Number: o.Number, Key: o.Key, Path: orderPath(o), Attempt: o.Attempt, Total: o.Total, Currency: string(o.Currency),
	}
}

// apiPlace turns the basket into an order, once.
func (s *Server) apiPlace(w http.ResponseWriter, r *http.Request) {
	var request placeRequest
	err := readJSON(w, r, &request)
	if err == nil {
		err = request.check()
	}
	if err != nil {
		s.refuse(w, err)
		return
	}
	order, err := s.place(r.Header.Get(headerBasket), request, callerOf(r))
	if err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusCreated, placedOf(order))
}

// apiPlacement says whether the basket has become an order.
func (s *Server) apiPlacement(w http.ResponseWriter, r *http.Request) {
	_, err := s.ledger.Basket(r.Header.Get(headerBasket))
	s.answerPlacement(w, err)
}

// withdrawRequest is the body of a withdrawal.
type withdrawRequest struct {
	Attempt string `json:"attempt"`
}

// apiWithdraw says whether the basket has become an order, and sees to it that the
// attempt does not make one of it any more when it has not.
func (s *Server) apiWithdraw(w http.ResponseWriter, r *http.Request) {
	var request withdrawRequest
	err := readJSON(w, r, &request)
	if err == nil && (request.Attempt == "" || len(request.Attempt) > maxField) {
		err = invalid("attempt is empty or longer than %d bytes", maxField)
	}
	if err != nil {
		s.refuse(w, err)
		return
	}
	err = s.ledger.Change(r.Header.Get(headerBasket), func(b *ledger.Basket) error { return b.Withdraw(request.Attempt) })
	if errors.Is(err, ledger.ErrTooMany) {
		err = invalid("too many attempts of this basket were withdrawn")
	}
	s.answerPlacement(w, err)
}

// placementAnswer says what a basket has become. Without an order it is none.
type placementAnswer struct {
	Order *placedAnswer `json:"order"`
}

// answerPlacement answers with the order that err speaks of, or that there is none.
func (s *Server) answerPlacement(w http.ResponseWriter, err error) {
	if err == nil {
		writeJSON(w, http.StatusOK, placementAnswer{})
		return
	}
	if r := s.refusalOf(err); r.order != nil {
		writeJSON(w, http.StatusOK, placementAnswer{r.order})
		return
	}
	s.refuse(w, err)
}
