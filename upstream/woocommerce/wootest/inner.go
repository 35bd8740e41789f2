package wootest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
)

// innerExchange carries out a request of a batch.
func (s *Shop) innerExchange(method, path string, body, headers object) object {
	r := httptest.NewRequest(method, "http://shop.invalid"+path, nil)
	for name, value := range headers {
		r.Header.Set(name, fmt.Sprint(value))
	}
	w := httptest.NewRecorder()
	c := &exchange{shop: s, w: w, r: r, path: path, inner: true}
	if c.readInner(body) {
		c.serve()
	}
	var answer any
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		s.t.Errorf("%s in a batch: %v", path, err)
	}
	header := make(object)
	for name := range w.Header() {
		header[name] = w.Header().Get(name)
	}
	if w.Code == http.StatusNotFound && len(header) == 0 {
		return object{"body": answer, "status": w.Code, "headers": []any{}}
	}
	return object{"body": answer, "status": w.Code, "headers": header}
}

// readInner is read for a request whose body has been read already.
func (c *exchange) readInner(body object) bool {
	for i := range c.shop.routes {
		one := &c.shop.routes[i]
		for _, method := range one.Methods {
			if method == c.r.Method && one.pattern.MatchString(c.path) {
				c.route = one
				c.args = make(object)
				for name, value := range body {
					c.args[name] = value
				}
				return c.check()
			}
		}
	}
	c.refuse("157-unknown-route")
	return false
}
