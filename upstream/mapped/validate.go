package mapped

import (
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/http/httpguts"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// needable are what Needs may hold.
func needable() []string {
	return []string{"email", "first_name", "last_name", "phone", "address", "street", "city", "region", "postal_code"}
}

// Validate reports whether the mapping makes sense, as far as that can be seen
// without the shop. The error is a [*Fault], or several that are joined.
func (m *Mapping) Validate() error {
	v := validator{m: m}
	v.shop()
	v.requests()
	v.catalogue()
	v.baskets()
	v.orders()
	v.tables()
	slices.SortStableFunc(v.faults, func(a, b *Fault) int { return a.At.compare(b.At) })
	errs := make([]error, len(v.faults))
	for i, fault := range v.faults {
		errs[i] = fault
	}
	return errors.Join(errs...)
}

// validator collects what is wrong.
type validator struct {
	m      *Mapping
	faults []*Fault
}

func (v *validator) fault(at Position, format string, args ...any) {
	if len(v.faults) < maxFaults {
		v.faults = append(v.faults, faultf(at, format, args...))
	}
}

// want faults unless it is so.
func (v *validator) want(so bool, at Position, format string, args ...any) {
	if !so {
		v.fault(at, format, args...)
	}
}

func (v *validator) shop() {
	m := v.m
	if len(m.Currencies) == 0 {
		v.fault(Position{}, "the mapping lacks the shop's currency; write: currency GBP")
	}
	for word, address := range map[string]string{"api": m.API, "site": m.Site} {
		v.want(address == "" || isWeb(address), Position{}, "%s %q does not begin with http:// or https:// and a host", word, address)
	}
	for _, link := range m.Links {
		v.want(isWeb(link.URL), Position{}, "link %s: %q is no absolute address", link.Type, link.URL)
	}
	if h := m.HandOff; h != nil {
		v.template(h.At, h.URL, slices.Concat(everyName(), []string{"basket", "lines"}))
		v.template(h.At, h.Line, []string{"item", "sku", "product", "handle", "quantity"})
		example, _ := fill(h.URL, func(string) string { return "x" })
		v.want(isWeb(example), h.At, "hand_off must begin with http:// or https:// and a host")
		v.want(!strings.Contains(h.URL, "{lines}") || h.Line != "", h.At, `{lines} needs to know what stands for a line; write: line "{item}:{quantity}"`)
	}
}

// isWeb reports whether an address is a whole one of the web.
func isWeb(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// requests checks every request that is mapped.
func (v *validator) requests() {
	for _, use := range v.m.uses() {
		r := use.request
		if r.Method == "" {
			v.want(use.optional, r.At, "%s lacks its request; write: %s", use.name, requestForm)
			continue
		}
		known := slices.Concat(everyName(), use.names)
		v.want(slices.Contains(methods(), r.Method), r.At, "%s is none of the methods %s", r.Method, strings.Join(methods(), ", "))
		v.want(strings.HasPrefix(r.Path, "/") && !strings.ContainsAny(r.Path, "?#"), r.At,
			"a path begins with / and holds no ?; parameters are written: query <name> <text>")
		v.want(r.Path == "/" || !strings.HasSuffix(r.Path, "/"), r.At, "a path does not end with /")
		v.want(!strings.HasPrefix(use.name, "keep ") || len(keptIn(r, nil)) == 0, r.At, "a kept value cannot be made of another one")
		v.want(r.Body == "" || gjson.Valid(r.Body) && gjson.Parse(r.Body).IsObject(), r.At, "the body is no JSON object")
		v.want(r.Method != http.MethodGet || r.Body == "" && len(r.Set) == 0, r.At, "a GET has no body; write: query <name> <text>")
		for _, h := range r.Headers {
			v.header(h)
		}
		for _, name := range r.Fragments {
			v.want(v.m.Fragments[name] != "", r.At, "there is no fragment %q; write: fragment %s <GraphQL>", name, name)
		}
		v.template(r.At, r.Path, known)
		for _, settings := range [][]Setting{r.Query, r.Headers, r.Set} {
			v.settings(settings, known)
		}
	}
	v.settings(v.m.Headers, everyName())
	for _, h := range v.m.Headers {
		v.header(h)
	}
	for _, k := range v.m.Keep {
		v.want(k.Value.mapped(), k.At, "keep %s lacks its value; write: value <path>", k.Name)
	}
}

// settings checks the templates of what is written.
func (v *validator) settings(settings []Setting, known []string) {
	for _, s := range settings {
		for _, source := range s.From {
			v.template(s.At, source.Text, known)
		}
	}
}

func (v *validator) header(h Setting) {
	v.want(httpguts.ValidHeaderFieldName(h.Name), h.At, "%q is no name of a header", h.Name)
}

// template checks that each placeholder is a known name.
func (v *validator) template(at Position, template string, known []string) {
	for _, name := range placeholders(template) {
		tree, path, found := strings.Cut(name, ".")
		switch {
		case slices.Contains(known, name):
		case tree == "keep" && found:
			v.want(slices.ContainsFunc(v.m.Keep, func(k Kept) bool { return k.Name == path }), at, "there is no keep %s", path)
		case found && path != "" && slices.Contains(known, tree+"."):
		default:
			names := slices.Clone(known)
			for i, name := range names {
				names[i] = "{" + name + "}"
				if strings.HasSuffix(name, ".") {
					names[i] = "{" + name + "…}"
				}
			}
			v.fault(at, "{%s} stands for nothing here; there are: %s", name, listed(names))
		}
	}
}

// templates returns all the templates of a request with where they stand, those of
// the headers that all requests have included.
func (r *Request) templates(headers []Setting) iter.Seq2[string, Position] {
	return func(yield func(string, Position) bool) {
		if !yield(r.Path, r.At) {
			return
		}
		for _, settings := range [][]Setting{headers, r.Query, r.Headers, r.Set} {
			for _, s := range settings {
				for _, source := range s.From {
					if !yield(source.Text, s.At) {
						return
					}
				}
			}
		}
	}
}

// environment reads what {env.NAME} stands for, once. Its values are secrets.
func (m *Mapping) environment(env func(string) (string, bool)) (map[string]any, error) {
	values := make(map[string]any)
	read := func(at Position, template string) error {
		for _, name := range placeholders(template) {
			variable, ok := strings.CutPrefix(name, "env.")
			if !ok {
				continue
			}
			if env == nil {
				return faultf(at, "{%s} is not known: there is no environment", name)
			}
			value, known := env(variable)
			if !known {
				return faultf(at, "the environment has no %s", variable)
			}
			values[name] = secret.New(value)
		}
		return nil
	}
	for _, use := range m.uses() {
		for template, at := range use.request.templates(m.Headers) {
			if err := read(at, template); err != nil {
				return nil, err
			}
		}
	}
	if m.HandOff != nil {
		return values, read(m.HandOff.At, m.HandOff.URL)
	}
	return values, nil
}

// tables checks that the tables that values name are there.
func (v *validator) tables() {
	for _, value := range v.m.values() {
		name := value.Table
		v.want(name == "" || v.m.Tables[name] != nil, value.At, "there is no table %q; write: table %s { <the shop's word> <ours> }", name, name)
		for _, source := range value.From {
			v.want(source.Path != "" || source.Text != "", value.At, "a path is missing")
		}
	}
}

// codesOf says what CodesOne and CodesMany are in the model.
func (m *Mapping) codesOf() upstream.Codes {
	switch {
	case m.AddCode == nil:
		return upstream.CodesNone
	case m.Codes == CodesMany:
		return upstream.CodesMany
	}
	return upstream.CodesOne
}

// fieldOf is how an error says that a field is missing.
func fieldOf(block, field string) string { return fmt.Sprintf("%s lacks %s", block, field) }
