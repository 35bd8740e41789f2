package shop

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/goods"
	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
)

// routeBackOffice serves what the merchant alone may do. Without a token there is
// no back office.
func (s *Server) routeBackOffice(mux *http.ServeMux) {
	if s.backOffice.IsZero() {
		return
	}
	for pattern, handler := range map[string]http.HandlerFunc{
		"GET /api/backoffice/orders":                   s.officeOrders,
		"GET /api/backoffice/orders/count":             s.officeCount,
		"POST /api/backoffice/orders/{number}/cancel":  s.officeCancel,
		"POST /api/backoffice/orders/{number}/refunds": s.officeRefund,
		"PATCH /api/backoffice/variants/{reference}":   s.officeVariant,
		"DELETE /api/backoffice/basket":                s.officeDropBasket,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			token, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			if !isBearer || !s.isMerchant(token) {
				w.Header().Set("WWW-Authenticate", `Bearer realm="back office"`)
				s.refuse(w, refusal{code: codeDenied, text: "The back office wants its token."})
				return
			}
			handler(w, r)
		})
	}
}

func (s *Server) isMerchant(token string) bool {
	return !s.backOffice.IsZero() && s.backOffice.Equal(secret.New(token))
}

// officeCount answers {"count": n}.
func (s *Server) officeCount(w http.ResponseWriter, _ *http.Request) {
	count, err := s.ledger.Count()
	if err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, map[string]int64{"count": count})
}

// maxListed is how many orders the back office lists.
const maxListed = 200

// officeOrder is an order as the merchant sees it: with who placed it, and from
// where.
type officeOrder struct {
	orderAnswer
	Caller string       `json:"caller,omitempty"`
	Buyer  ledger.Buyer `json:"buyer"`
}

// officeOrders answers {"orders": […]}, the newest first.
func (s *Server) officeOrders(w http.ResponseWriter, _ *http.Request) {
	orders, err := s.ledger.Newest(maxListed, func(*ledger.Order) bool { return true })
	if err != nil {
		s.refuse(w, err)
		return
	}
	answers := make([]officeOrder, len(orders))
	for i := range orders {
		answers[i] = officeOrder{s.showOrder(&orders[i]), orders[i].Caller, orders[i].Buyer}
	}
	writeJSON(w, http.StatusOK, map[string][]officeOrder{"orders": answers})
}

// officeCancel cancels an order that has not left yet and refunds it.
func (s *Server) officeCancel(w http.ResponseWriter, r *http.Request) {
	s.changeOrder(w, r, func(o *ledger.Order, now time.Time) error {
		if o.Status(now) != ledger.StatusProcessing {
			return invalid("the order is %s", o.Status(now))
		}
		o.CanceledAt = now
		refund := ledger.Refund{Canceled: true, Amount: o.Total - o.Refunded(), Reason: "The order was canceled."}
		for i := range o.Lines {
			line := &o.Lines[i]
			if line.Active() > 0 {
				refund.Lines = append(refund.Lines, ledger.LineQuantity{ID: line.ID, Quantity: line.Active()})
			}
			line.Returned = line.Quantity
		}
		addRefund(o, refund, now)
		return nil
	})
}

// refundRequest is the body of a refund: of lines, or of an amount of its own.
type refundRequest struct {
	Lines  []ledger.LineQuantity `json:"lines"`
	Amount int64                 `json:"amount"`
	Reason string                `json:"reason"`
}

// officeRefund gives money back.
func (s *Server) officeRefund(w http.ResponseWriter, r *http.Request) {
	var request refundRequest
	if err := readJSON(w, r, &request); err != nil {
		s.refuse(w, err)
		return
	}
	s.changeOrder(w, r, func(o *ledger.Order, now time.Time) error {
		amount := request.Amount
		for _, part := range request.Lines {
			back, err := returnLine(o, part)
			if err != nil {
				return err
			}
			amount += back
		}
		if request.Amount < 0 || amount <= 0 || amount > o.Total-o.Refunded() {
			return invalid("%d is not a refund: %d of the order's %d are left", amount, o.Total-o.Refunded(), o.Total)
		}
		addRefund(o, ledger.Refund{Lines: request.Lines, Amount: amount, Reason: request.Reason}, now)
		return nil
	})
}

// returnLine takes some of a line back and returns what they cost. The parts of a
// line add up to the line, however often some come back.
func returnLine(o *ledger.Order, part ledger.LineQuantity) (int64, error) {
	for i := range o.Lines {
		line := &o.Lines[i]
		if line.ID != part.ID {
			continue
		}
		if part.Quantity < 1 || part.Quantity > line.Active() {
			return 0, invalid("%d of line %s cannot come back: %d are left", part.Quantity, line.ID, line.Active())
		}
		paid := money.Amount{Minor: line.Total, Currency: o.Currency}
		if o.TaxAdded {
			paid.Minor += line.Tax
		}
		before, err := paid.Ratio(line.Returned, line.Quantity)
		if err != nil {
			return 0, err
		}
		line.Returned += part.Quantity
		after, err := paid.Ratio(line.Returned, line.Quantity)
		return after.Minor - before.Minor, err
	}
	return 0, invalid("the order has no line %.40q", part.ID)
}

func addRefund(o *ledger.Order, r ledger.Refund, now time.Time) {
	r.At = now
	r.ID = fmt.Sprintf("%s-r%d", o.Number, len(o.Refunds)+1)
	o.Refunds = append(o.Refunds, r)
}

func (s *Server) changeOrder(w http.ResponseWriter, r *http.Request, change func(*ledger.Order, time.Time) error) {
	now := s.now().UTC().Truncate(time.Second)
	var changed ledger.Order
	err := s.ledger.ChangeOrder(r.PathValue("number"), func(o *ledger.Order) error {
		if err := change(o, now); err != nil {
			return err
		}
		changed = *o
		return nil
	})
	if err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, s.showOrder(&changed))
}

// variantRequest changes a variant; what is left out stays.
type variantRequest struct {
	Price *int64 `json:"price"`
	Stock *int64 `json:"stock"`
}

// maxLevel bounds a price and a stock that the back office sets.
const maxLevel = 1_000_000_000_000

// officeVariant changes the price or the stock of a variant.
func (s *Server) officeVariant(w http.ResponseWriter, r *http.Request) {
	var request variantRequest
	if err := readJSON(w, r, &request); err != nil {
		s.refuse(w, err)
		return
	}
	for _, n := range []*int64{request.Price, request.Stock} {
		if n != nil && (*n < 0 || *n > maxLevel) {
			s.refuse(w, invalid("%d is not a price or stock from 0 to %d", *n, int64(maxLevel)))
			return
		}
	}
	answer, err := s.setLevel(r.PathValue("reference"), request)
	if err != nil {
		s.refuse(w, err)
		return
	}
	writeJSON(w, http.StatusOK, answer)
}

func (s *Server) setLevel(reference string, request variantRequest) (variantAnswer, error) {
	s.selling.Lock()
	defer s.selling.Unlock()
	p, ref, ok := s.shelf.find(reference)
	if ok && ref.Variant == goods.Whole && len(p.Variants) == 1 {
		ref.Variant = 0
	}
	if !ok || ref.Variant == goods.Whole {
		return variantAnswer{}, refusal{code: codeNotFound, text: "There is no such variant."}
	}
	level := ledger.Level{Price: &p.prices[ref.Variant]}
	if stock := p.stocks[ref.Variant]; stock != goods.Uncounted {
		level.Stock = &stock
	}
	if request.Price != nil {
		level.Price = request.Price
	}
	if request.Stock != nil {
		level.Stock = request.Stock
	}
	id := p.Variants[ref.Variant].ID
	if err := s.ledger.SetLevels(map[string]ledger.Level{id: level}); err != nil {
		return variantAnswer{}, err
	}
	s.shelf.change(id, level)
	return s.shelf.at(ref.Product).variantAnswer(ref.Variant), nil
}

// officeDropBasket forgets a basket, as if its time were up.
func (s *Server) officeDropBasket(w http.ResponseWriter, r *http.Request) {
	token := r.Header.Get(headerBasket)
	if _, err := s.ledger.Basket(token); err != nil {
		s.refuse(w, err)
		return
	}
	if err := s.ledger.Drop(token); err != nil {
		s.refuse(w, err)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
