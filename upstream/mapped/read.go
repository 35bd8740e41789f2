package mapped

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
)

// reader reads the mapped values of answers.
type reader struct {
	tables map[string]map[string]string
	// money is the scale of amounts whose value does not say another one.
	money Scale
	// usual is the currency of amounts that have none of their own.
	usual money.Currency
	// site is what addresses are relative to.
	site *url.URL
	// seen is told of every value that is read; it may be nil.
	seen *findings
}

// items returns what a list stands of. An object is a list of one, and a value
// that is not mapped has its scope as the only item.
func (r *reader) items(s scope, v Value) []scope {
	if !v.mapped() {
		return []scope{s}
	}
	found := r.tree(s, v)
	var all []scope
	switch {
	case found.IsArray():
		found.ForEach(func(_, item gjson.Result) bool {
			if item.Type != gjson.Null {
				all = append(all, s.inner(item))
			}
			return len(all) < maxItems
		})
	case there(found):
		all = []scope{s.inner(found)}
	}
	return all
}

// object returns the JSON at a value, and whether there is any.
func (r *reader) object(s scope, v Value) (scope, bool) {
	if !v.mapped() {
		return s, true
	}
	found := r.tree(s, v)
	return s.inner(found), there(found)
}

// tree reads a value's JSON as it is.
func (r *reader) tree(s scope, v Value) gjson.Result {
	for _, source := range v.From {
		if found := s.get(source.Path); source.Path != "" && there(found) {
			r.seen.note(s, v, summary(found))
			return found
		}
	}
	r.seen.note(s, v, "")
	return gjson.Result{}
}

// list reads a value as texts.
func (r *reader) list(s scope, v Value) []string {
	texts := r.raw(s, v)
	if v.Split != "" {
		var divided []string
		for _, text := range texts {
			divided = append(divided, strings.Split(text, v.Split)...)
		}
		texts = divided
	}
	var out []string
	for _, text := range texts {
		if text = r.operate(s, v, strings.TrimSpace(text)); text != "" {
			out = append(out, text)
		}
	}
	if v.Join != "" && len(out) > 0 {
		out = []string{strings.Join(out, v.Join)}
	}
	r.seen.note(s, v, strings.Join(out, ", "))
	if len(out) == 0 && v.Default != "" {
		out = []string{v.Default}
	}
	return out
}

// raw reads the first of a value's sources that says something.
func (r *reader) raw(s scope, v Value) []string {
	for _, source := range v.From {
		if source.Path != "" {
			if found := s.get(source.Path); there(found) {
				return flat(found)
			}
			continue
		}
		text, found := fill(source.Text, func(path string) string { return strings.Join(flat(s.get(path)), ", ") })
		if found && text != "" {
			return []string{text}
		}
	}
	return nil
}

// operate does to a text what its value says.
func (r *reader) operate(s scope, v Value, text string) string {
	if v.Via != nil {
		text = via(s, *v.Via, text)
	}
	if v.Table != "" {
		row, ok := r.tables[v.Table][text]
		if !ok {
			row = r.tables[v.Table]["*"]
		}
		text = row
	}
	if len(v.Is) > 0 {
		text = strconv.FormatBool(slices.Contains(v.Is, text))
	}
	switch v.Case {
	case CaseUpper:
		return strings.ToUpper(text)
	case CaseLower:
		return strings.ToLower(text)
	}
	return text
}

// via looks a text up in a list of the answer.
func via(s scope, v Via, text string) string {
	found := ""
	s.get(v.In).ForEach(func(_, item gjson.Result) bool {
		if literal(item.Get(v.Key)) != text {
			return true
		}
		found = literal(item.Get(v.Name))
		return false
	})
	return found
}

// word reads a value as one text, as it stands there.
func (r *reader) word(s scope, v Value) string { return strings.Join(r.list(s, v), ", ") }

// secret reads a value that is not for showing.
func (r *reader) secret(s scope, v Value) string {
	blind := *r
	blind.seen = nil
	word := blind.word(s, v)
	if word != "" {
		r.seen.note(s, v, "[redacted]")
	}
	return word
}

// text reads a value as plain text for people.
func (r *reader) text(s scope, v Value) string { return plain(r.word(s, v)) }

// texts reads a value as plain texts.
func (r *reader) texts(s scope, v Value) []string {
	var out []string
	for _, text := range r.list(s, v) {
		if text = plain(text); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// yes reads a value as true or false: everything is true but false, 0 and nothing.
func (r *reader) yes(s scope, v Value) bool {
	switch r.word(s, v) {
	case "", "0", "false":
		return false
	}
	return true
}

// number reads a whole number.
func (r *reader) number(s scope, v Value) (int64, bool) {
	text := r.word(s, v)
	whole, fraction, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole, 10, 64)
	return n, err == nil && strings.Trim(fraction, "0") == ""
}

// currency reads a currency, the usual one where there is none.
func (r *reader) currency(s scope, v Value) (money.Currency, error) {
	code := r.word(s, v)
	if code == "" {
		return r.usual, nil
	}
	currency, err := money.ParseCurrency(code)
	if err != nil {
		return "", faultf(v.At, "there is no ISO 4217 currency there")
	}
	return currency, nil
}

// amount reads an amount of money, and whether there is one. What is there and is
// no number is an error: nobody may guess at money.
func (r *reader) amount(s scope, v Value, currency money.Currency) (money.Amount, bool, error) {
	number := r.word(s, v)
	if number == "" {
		return money.Amount{Currency: currency}, false, nil
	}
	scale := v.Scale
	if scale == "" {
		scale = r.money
	}
	amount, err := readAmount(number, scale, currency)
	if err != nil {
		// The number is the shop's, and is not told.
		return money.Amount{Currency: currency}, false, faultf(v.At, "there is no number of money there")
	}
	return amount, true, nil
}

// address reads the address of a page or a picture, empty unless it is one of the
// web.
func (r *reader) address(s scope, v Value) string { return r.absolute(r.word(s, v)) }

func (r *reader) absolute(address string) string {
	if address == "" {
		return ""
	}
	u, err := r.site.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return u.String()
}

// time reads a moment: RFC 3339, a date with a time in UTC, or seconds or
// milliseconds since 1970. It is zero where there is none.
func (r *reader) time(s scope, v Value) time.Time {
	text := r.word(s, v)
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00", time.DateTime, "2006-01-02T15:04:05", time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || n <= 0:
		return time.Time{}
	case n > 100_000_000_000: // In seconds, that is the year 5138.
		return time.UnixMilli(n).UTC()
	}
	return time.Unix(n, 0).UTC()
}

// pair is a name with a value.
type pair struct{ name, value string }

// pairs reads names with values, in their order.
func (r *reader) pairs(s scope, all []Pairs) []pair {
	var out []pair
	for _, m := range all {
		for _, item := range r.items(s, m.In) {
			name := r.text(item, m.Name)
			for _, value := range r.texts(item, m.Value) {
				if name != "" {
					out = append(out, pair{name, value})
				}
			}
		}
	}
	return out
}
