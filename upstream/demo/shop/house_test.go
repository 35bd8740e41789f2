package shop_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

const office = "office-token"

// clock is a time that tests move on.
type clock struct{ at atomic.Int64 }

// opening is when every test begins: a Wednesday at noon.
var opening = time.Date(2026, time.October, 7, 12, 0, 0, 0, time.UTC)

func (c *clock) now() time.Time { return opening.Add(time.Duration(c.at.Load())) }

func (c *clock) advance(d time.Duration) { c.at.Add(int64(d)) }

// house is a shop that is asked without a network.
type house struct {
	t    testing.TB
	shop *shop.Server
	clock
}

func open(t testing.TB, options shop.Options) *house {
	t.Helper()
	h := &house{t: t}
	options.BackOffice, options.Now = secret.New(office), h.now
	s, err := shop.New(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	h.shop = s
	return h
}

// ask makes a request. header is name, value, name, value.
func (h *house) ask(method, path, body string, header ...string) *httptest.ResponseRecorder {
	h.t.Helper()
	r := httptest.NewRequestWithContext(h.t.Context(), method, path, strings.NewReader(body))
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.shop.ServeHTTP(w, r)
	return w
}

// read makes a request, wants a status, and reads the answer's JSON into a value.
func read[T any](h *house, status int, method, path, body string, header ...string) T {
	h.t.Helper()
	w := h.ask(method, path, body, header...)
	var value T
	if w.Code != status {
		h.t.Fatalf("%s %s: %d %s, want %d", method, path, w.Code, w.Body, status)
	}
	if w.Code != http.StatusNoContent {
		if err := json.Unmarshal(w.Body.Bytes(), &value); err != nil {
			h.t.Fatalf("%s %s: %s: %v", method, path, w.Body, err)
		}
	}
	return value
}

// basket is what the tests read of one.
type basket struct {
	Token, Path, Delivery string
	Total, Tax            int64
	Estimated             bool
	Missing               []string
	Lines                 []struct {
		Key, Variant string
		Quantity     int64
		Unit, Total  int64
	}
	Notices []struct {
		Code, Line, Discount, Text string
		Available                  *int64
	}
}

// refused is what the tests read of a refusal.
type refused struct {
	Error struct {
		Code, Text, Path string
		Total            int64
		Missing          []string
		Order            placed
	}
}

type placed struct {
	Number, Key, Path, Attempt string
	Total                      int64
}

// complete is a basket of socks that can be ordered, for £48.95.
const complete = `{"lines":[{"key":"1","item":"SOK-M","quantity":2}],"agent":"Tester",
	"buyer":{"email":"ada@example.com","first_name":"Ada","last_name":"Thwaite"},
	"address":{"street":"12 Stricklandgate","city":"Kendal","postal_code":"LA9 4ND","country":"GB"},"delivery":"standard"}`

func (h *house) basket(body string) basket {
	h.t.Helper()
	return read[basket](h, http.StatusCreated, http.MethodPost, "/api/basket", body)
}

const orderBody = `{"attempt":"a1","method":"demo-card","total":4895,"currency":"GBP"}`

// order orders a basket of socks.
func (h *house) order() placed {
	h.t.Helper()
	return read[placed](h, http.StatusCreated, http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", h.basket(complete).Token)
}

func (h *house) count() int {
	h.t.Helper()
	return read[struct{ Count int }](h, http.StatusOK, http.MethodGet, "/api/backoffice/orders/count", "", "Authorization", "Bearer "+office).Count
}

func bodyOf(t testing.TB, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	var b bytes.Buffer
	if _, err := io.Copy(&b, response.Body); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMain(m *testing.M) {
	runChild() // does not return in a process that is to be killed
	goleak.VerifyTestMain(m)
}
