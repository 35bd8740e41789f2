package mapped_test

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// basket returns the basket of a request.
func (s *homeShop) basket(r *http.Request) (id string, b *homeBasket) {
	id = r.PathValue("basket")
	if s.cookie {
		id = ""
		if cookie, err := r.Cookie("sid"); err == nil {
			id = cookie.Value
		}
	}
	if b = s.baskets[id]; b != nil && b.ordered {
		b = nil
	}
	return id, b
}

func (s *homeShop) open() (id string, b *homeBasket) {
	id, b = rand.Text(), &homeBasket{created: time.Now()}
	s.baskets[id] = b
	return id, b
}

func (s *homeShop) begin(_ *http.Request, body object) (int, any) {
	id, b := s.open()
	if first, with := body["first"]; with {
		for _, p := range s.products {
			for _, k := range p.kinds {
				if fmt.Sprint(k.id) == first {
					b.lines = append(b.lines, &homeLine{0, k, p, 1})
				}
			}
		}
	}
	return http.StatusCreated, object{"basket": object{"id": id}}
}

// with answers a change to a basket.
func (s *homeShop) with(r *http.Request, change func(*homeBasket) (int, any)) (int, any) {
	id, b := s.basket(r)
	if b == nil && !s.cookie {
		return no(http.StatusGone, "no_basket")
	}
	if b == nil {
		id, b = s.open()
	}
	status, out := change(b)
	if len(b.lines) == 0 && s.dropEmpty && r.Method == http.MethodDelete {
		delete(s.baskets, id)
	}
	if s.cookie {
		return status, session{id, out}
	}
	return status, out
}

func (s *homeShop) show(r *http.Request, _ object) (int, any) {
	id, b := s.basket(r)
	if b == nil && s.cookie {
		id, b = s.open()
		return http.StatusOK, session{id, object{"basket": s.figures(id, b)}}
	}
	if b == nil {
		return s.showOrdered(id)
	}
	return http.StatusOK, object{"basket": s.figures(id, b)}
}

// showOrdered answers whoever asks for a basket that is there no more.
func (s *homeShop) showOrdered(id string) (int, any) {
	for _, o := range s.orders {
		if s.tells && o.basket == id {
			return http.StatusOK, object{"basket": object{"id": id, "became": o.body}}
		}
	}
	return no(http.StatusGone, "no_basket")
}

// find returns what a variant's number means.
func (s *homeShop) find(id any) (*homeProduct, *homeKind) {
	for _, p := range s.products {
		for _, k := range p.kinds {
			if fmt.Sprint(k.id) == fmt.Sprintf("%.0f", id) {
				return p, k
			}
		}
	}
	return nil, nil
}

func (s *homeShop) addLine(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		p, k := s.find(body["kind"])
		count, whole := body["count"].(float64)
		switch {
		case k == nil:
			return no(http.StatusUnprocessableEntity, "unknown_kind")
		case !whole || count < 1:
			return no(http.StatusBadRequest, "count")
		case k.stock < int64(count):
			return no(http.StatusConflict, "too_few")
		}
		b.position++
		b.lines = append(b.lines, &homeLine{b.position, k, p, int64(count)})
		return http.StatusCreated, nil
	})
}

// setLines replaces all lines, or none if one of them cannot be had.
func (s *homeShop) setLines(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		var lines []*homeLine
		wanted, _ := body["lines"].([]any)
		for i, one := range wanted {
			line, _ := one.(object)
			p, k := s.find(line["kind"])
			count, _ := line["count"].(float64)
			if k == nil || count < 1 || k.stock < int64(count) {
				return no(http.StatusConflict, "too_few")
			}
			lines = append(lines, &homeLine{int64(i), k, p, int64(count)})
		}
		b.lines = lines
		return http.StatusNoContent, nil
	})
}

func (b *homeBasket) line(r *http.Request) int {
	return slices.IndexFunc(b.lines, func(l *homeLine) bool { return strconv.FormatInt(l.id, 10) == r.PathValue("line") })
}

func (s *homeShop) changeLine(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		at := b.line(r)
		count, _ := body["count"].(float64)
		switch {
		case at < 0:
			return no(http.StatusNotFound, "no_line")
		case b.lines[at].kind.stock < int64(count):
			return no(http.StatusConflict, "too_few")
		}
		b.lines[at].count = int64(count)
		return http.StatusOK, nil
	})
}

func (s *homeShop) removeLine(r *http.Request, _ object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		at := b.line(r)
		if at < 0 {
			return no(http.StatusNotFound, "no_line")
		}
		b.lines = slices.Delete(b.lines, at, at+1)
		return http.StatusNoContent, nil
	})
}

func (s *homeShop) person(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		b.mail, _ = body["mail"].(string)
		if !strings.Contains(b.mail, "@") {
			return no(http.StatusUnprocessableEntity, "mail")
		}
		return http.StatusOK, nil
	})
}

func (s *homeShop) setAddress(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		read := func(name string) map[string]string {
			fields := make(map[string]string)
			from, _ := body[name].(object)
			for key, value := range from {
				fields[key], _ = value.(string)
			}
			return fields
		}
		address := read("to")
		switch {
		case address["land"] != "gb" && address["land"] != "ie":
			return no(http.StatusUnprocessableEntity, "land")
		case address["town"] == "":
			return no(http.StatusUnprocessableEntity, "town")
		}
		b.address, b.billing = address, read("bill")
		return http.StatusOK, nil
	})
}

// codes are the shop's: what each takes off, and what it is for.
func (s *homeShop) code(b *homeBasket, code string) string {
	switch {
	case code == "TEN", code == "FREE", code == "TWENTY" && s.goods(b) >= 15000:
		return ""
	case code == "TWENTY":
		return "not_enough"
	case code == "OLD":
		return "over"
	}
	return "unknown_code"
}

func (s *homeShop) addCode(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		code, _ := body["code"].(string)
		code = strings.ToUpper(code)
		if why := s.code(b, code); why != "" {
			return http.StatusOK, object{"ok": false, "why": why} // It says no with a 200.
		}
		if !slices.Contains(b.codes, code) {
			b.codes = append(b.codes, code)
		}
		return http.StatusOK, object{"ok": true}
	})
}

func (s *homeShop) removeCode(r *http.Request, _ object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		b.codes = slices.DeleteFunc(b.codes, func(code string) bool { return code == r.PathValue("code") })
		return http.StatusNoContent, nil
	})
}

// ways are the ways of delivery, in pence.
func ways() map[string]int64 { return map[string]int64{"post": 495, "courier": 995} }

func (s *homeShop) choose(r *http.Request, body object) (int, any) {
	return s.with(r, func(b *homeBasket) (int, any) {
		way, _ := body["way"].(string)
		if ways()[way] == 0 || b.address == nil {
			return no(http.StatusUnprocessableEntity, "way")
		}
		b.way = way
		return http.StatusOK, nil
	})
}

func (s *homeShop) goods(b *homeBasket) (cents int64) {
	for _, l := range b.lines {
		cents += l.of.cents * l.count
	}
	return cents
}
