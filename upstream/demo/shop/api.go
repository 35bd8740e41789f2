package shop

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/upstream/demo/shop/internal/ledger"
)

// Bounds of the API.
const (
	maxBody  = 512 << 10
	maxLimit = 100
	maxRefs  = 500
	maxQuery = 2000
)

// Headers that carry what must not stand in an address.
const (
	headerBasket = "Basket-Token"
	headerOrder  = "Order-Key"
)

func (s *Server) routeAPI(mux *http.ServeMux) {
	mux.HandleFunc("GET /api/shop", s.apiShop)
	mux.HandleFunc("GET /api/categories", s.apiCategories)
	mux.HandleFunc("GET /api/products", s.apiSearch)
	mux.HandleFunc("GET /api/products/{reference}", s.apiProduct)
	mux.HandleFunc("GET /api/lookup", s.apiLookup)
	mux.HandleFunc("POST /api/basket", s.apiCreateBasket)
	mux.HandleFunc("PUT /api/basket", s.apiReplaceBasket)
	mux.HandleFunc("GET /api/basket", s.apiReadBasket)
	mux.HandleFunc("POST /api/basket/order", s.apiPlace)
	mux.HandleFunc("GET /api/basket/order", s.apiPlacement)
	mux.HandleFunc("POST /api/basket/withdraw", s.apiWithdraw)
	mux.HandleFunc("GET /api/orders/{number}", s.apiOrder)
	mux.HandleFunc("/api/", func(w http.ResponseWriter, _ *http.Request) {
		s.refuse(w, refusal{code: codeNotFound, text: "There is nothing at this address."})
	})
}

// code names a refusal of the API.
type code string

// The codes, with the HTTP status of each.
const (
	codeInvalid    code = "invalid"
	codeNotFound   code = "not_found"
	codeOrdered    code = "ordered"
	codeWithdrawn  code = "withdrawn"
	codePrice      code = "price_changed"
	codeSoldOut    code = "out_of_stock"
	codeIncomplete code = "incomplete"
	codeDeclined   code = "payment_declined"
	codeChallenge  code = "payment_challenge"
	codeDenied     code = "denied"
	codeFailed     code = "failed"
)

func (c code) status() int {
	switch c {
	case codeInvalid:
		return http.StatusBadRequest
	case codeNotFound:
		return http.StatusNotFound
	case codeDeclined, codeChallenge:
		return http.StatusPaymentRequired
	case codeDenied:
		return http.StatusUnauthorized
	case codeIncomplete:
		return http.StatusUnprocessableEntity
	case codeFailed:
		return http.StatusInternalServerError
	}
	return http.StatusConflict
}

// refusal is why something was not done. As JSON it is {"error": {…}}.
type refusal struct {
	code code
	text string
	// order is the order that the basket became, for codeOrdered.
	order *placedAnswer
	// missing is what is wanted, for codeIncomplete.
	missing []string
	// total is what the basket costs now, for codePrice.
	total *int64
	// path is the page where a person goes on, for codeChallenge.
	path string
}

func (r refusal) Error() string { return r.text }

// errorAnswer is a refusal as the API writes it.
type errorAnswer struct {
	Error errorBody `json:"error"`
}

type errorBody struct {
	Code    code          `json:"code"`
	Text    string        `json:"text"`
	Order   *placedAnswer `json:"order,omitempty"`
	Missing []string      `json:"missing,omitempty"`
	Total   *int64        `json:"total,omitempty"`
	Path    string        `json:"path,omitempty"`
}

func invalid(format string, args ...any) refusal {
	return refusal{code: codeInvalid, text: fmt.Sprintf(format, args...)}
}

// refuse answers with what err says. An error that is no refusal is the shop's own,
// and only its log reads why.
func (s *Server) refuse(w http.ResponseWriter, err error) {
	r := s.refusalOf(err)
	writeJSON(w, r.code.status(), errorAnswer{errorBody{r.code, r.text, r.order, r.missing, r.total, r.path}})
}

func (s *Server) refusalOf(err error) refusal {
	var r refusal
	var ordered *ledger.OrderedError
	switch {
	case errors.As(err, &r):
		return r
	case errors.Is(err, ledger.ErrNotFound):
		return refusal{code: codeNotFound, text: "There is no such basket or order."}
	case errors.As(err, &ordered):
		order, err := s.ledger.Order(ordered.Number)
		if err == nil {
			return refusal{code: codeOrdered, text: "The basket has become order " + order.Number + ".", order: placedOf(order)}
		}
		s.log.Error("reading an order that was placed", "order", ordered.Number, "err", err)
	default:
		s.log.Error("answering a request", "err", err)
	}
	return refusal{code: codeFailed, text: "The shop could not do this. Please try again."}
}

// writeJSON answers with JSON.
func writeJSON(w http.ResponseWriter, status int, value any) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		http.Error(w, "The answer could not be written.", http.StatusInternalServerError)
		return
	}
	writeBody(w, status, b.Bytes())
}

func writeBody(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // Who went away cannot be told.
}

// readJSON reads the body of a request into a struct: JSON of the struct's fields
// and no other.
func readJSON(w http.ResponseWriter, r *http.Request, into any) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		return invalid("the body is longer than %d bytes", tooLarge.Limit)
	}
	if err != nil {
		return invalid("the body did not come whole")
	}
	if !utf8.Valid(body) {
		return invalid("the body is not UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return invalid("the body is not what is wanted here: %v", err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return invalid("something follows the JSON of the body")
	}
	return nil
}

// callerOf is the network address that a request was made from. Another process on
// this machine may say for whom it asks; of several addresses the last is the one
// that it has seen itself.
func callerOf(r *http.Request) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return ""
	}
	addr := peer.Addr().Unmap()
	if addr.IsLoopback() {
		forwarded := r.Header.Get("X-Forwarded-For")
		last := strings.TrimSpace(forwarded[strings.LastIndexByte(forwarded, ',')+1:])
		if said, err := netip.ParseAddr(last); err == nil {
			addr = said.Unmap()
		}
	}
	return addr.WithZone("").String()
}
