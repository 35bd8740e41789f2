package mapped

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// maxFaults is how many faults of one text are told.
const maxFaults = 20

// Parse reads a mapping from text; file is what its errors call the text. They
// are of the type [*Fault], joined where there are several.
func Parse(file, text string) (*Mapping, error) {
	tokens, err := Tokens(file, text)
	if err != nil {
		return nil, err
	}
	return ParseTokens(tokens)
}

// ParseTokens reads a mapping from tokens: those of a file, or of what stands
// between the braces of a block in a Caddyfile. Its errors are like Parse's.
func ParseTokens(tokens []Token) (*Mapping, error) {
	lines, err := directives(tokens)
	if err != nil {
		return nil, err
	}
	var p parser
	m := new(Mapping)
	p.block("a mapping", lines, p.mapping(m))
	if len(p.faults) > 0 {
		return nil, errors.Join(p.faults...)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// parser collects what is wrong.
type parser struct{ faults []error }

func (p *parser) fault(at Position, format string, args ...any) {
	if len(p.faults) < maxFaults {
		p.faults = append(p.faults, faultf(at, format, args...))
	}
}

// words are the lines that a block may have.
type words map[string]func(directive)

// block reads the lines of a block. where is how an error calls it.
func (p *parser) block(where string, lines []directive, known words) {
	for _, d := range lines {
		read, ok := known[d.name]
		if !ok {
			p.fault(d.at, "%s has no %q; it may have: %s", where, d.name, listed(slices.Collect(maps.Keys(known))))
			continue
		}
		read(d)
	}
}

// listed writes words in order.
func listed(words []string) string {
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// arguments returns the texts of a line that has no block and between least and
// most words after its name, nil if it is not so.
func (p *parser) arguments(d directive, least, most int, form string) []string {
	if d.braced || len(d.args) < least || len(d.args) > most {
		p.fault(d.at, "write: %s %s", d.name, form)
		return nil
	}
	texts := make([]string, len(d.args))
	for i, token := range d.args {
		texts[i] = token.Text
	}
	return texts
}

// text reads a line with one word.
func (p *parser) text(into *string, form string) func(directive) {
	return func(d directive) {
		if args := p.arguments(d, 1, 1, form); args != nil {
			*into = args[0]
		}
	}
}

// word reads a line with one word out of some.
func word[T ~string](p *parser, into *T, of ...T) func(directive) {
	return func(d directive) {
		names := make([]string, len(of))
		for i, one := range of {
			names[i] = string(one)
		}
		form := strings.Join(names, "|")
		args := p.arguments(d, 1, 1, form)
		switch {
		case args == nil:
		case slices.Contains(of, T(args[0])):
			*into = T(args[0])
		default:
			p.fault(d.at, "write: %s %s", d.name, form)
		}
	}
}

// number reads a line with a whole number.
func (p *parser) number(into *int, least, most int) func(directive) {
	return func(d directive) {
		form := fmt.Sprintf("<a number from %d to %d>", least, most)
		args := p.arguments(d, 1, 1, form)
		if args == nil {
			return
		}
		n, err := strconv.Atoi(args[0])
		if err != nil || n < least || n > most {
			p.fault(d.at, "write: %s %s", d.name, form)
			return
		}
		*into = n
	}
}

// duration reads a line with a duration.
func (p *parser) duration(into *Duration) func(directive) {
	return func(d directive) {
		const form = "<a duration, such as 10m>"
		args := p.arguments(d, 1, 1, form)
		if args == nil {
			return
		}
		n, err := time.ParseDuration(args[0])
		if err != nil || n <= 0 {
			p.fault(d.at, "write: %s %s", d.name, form)
			return
		}
		*into = Duration(n)
	}
}

// mapping are the lines of a whole mapping.
func (p *parser) mapping(m *Mapping) words {
	known := words{
		"name":     p.text(&m.Name, "<the shop's name>"),
		"api":      p.text(&m.API, "<the address of the shop's API>"),
		"language": p.text(&m.Language, "<a language tag, such as en-GB>"),
		"site":     p.text(&m.Site, "<the address of the shop's pages>"),
		"currency": p.currencies(&m.Currencies),
		"country":  p.countries(&m.Countries),
		"tax":      word(p, &m.Tax, TaxIncluded, TaxExcluded, TaxUnknown),
		"money":    word(p, &m.Money, ScaleMajor, ScaleMinor, ScaleHundredths),
		"link":     p.link(&m.Links),
		"payment":  p.payment(&m.Payments),
		"codes":    word(p, &m.Codes, CodesOne, CodesMany),
		"needs":    p.needs(&m.Needs),
		"settles":  p.duration(&m.Settles),
		"header":   p.setting(&m.Headers),
		"refuse":   p.refusal(&m.Refusals),
		"table":    p.table(m),
		"fragment": p.fragment(m),
		"keep":     p.kept(&m.Keep),
		"hand_off": p.handOff(&m.HandOff),
		"session":  word(p, &m.Session, SessionCookie),
		"list":     p.listing(&m.List),
		"search":   p.search(m),
		"lookup":   p.lookup(&m.Lookups),
		"product":  p.product(&m.Product),
	}
	maps.Copy(known, p.basketWords(m))
	return known
}

func (p *parser) currencies(into *[]money.Currency) func(directive) {
	return func(d directive) {
		for _, code := range p.arguments(d, 1, 200, "<an ISO 4217 code, such as GBP>...") {
			currency, err := money.ParseCurrency(code)
			if err != nil {
				p.fault(d.at, "%q is no ISO 4217 code, such as GBP", code)
				continue
			}
			*into = append(*into, currency)
		}
	}
}

func (p *parser) countries(into *[]string) func(directive) {
	return func(d directive) {
		for _, code := range p.arguments(d, 1, 300, "<an ISO 3166-1 alpha-2 code, such as GB>...") {
			if len(code) != 2 || strings.ToUpper(code) != code {
				p.fault(d.at, "%q is no ISO 3166-1 alpha-2 code, such as GB", code)
				continue
			}
			*into = append(*into, code)
		}
	}
}

func (p *parser) link(into *[]upstream.Link) func(directive) {
	return func(d directive) {
		args := p.arguments(d, 2, 3, "<type> <address> [<title>]")
		if args == nil {
			return
		}
		args = append(args, "")
		*into = append(*into, upstream.Link{Type: args[0], URL: args[1], Title: args[2]})
	}
}

func (p *parser) payment(into *[]upstream.PaymentMethod) func(directive) {
	return func(d directive) {
		if args := p.arguments(d, 2, 2, "<id> <title>"); args != nil {
			*into = append(*into, upstream.PaymentMethod{ID: args[0], Title: args[1]})
		}
	}
}

func (p *parser) needs(into *[]upstream.Missing) func(directive) {
	return func(d directive) {
		for _, name := range p.arguments(d, 1, len(needable()), listed(needable())) {
			if !slices.Contains(needable(), name) {
				p.fault(d.at, "a shop cannot need %q; write some of: %s", name, listed(needable()))
				continue
			}
			*into = append(*into, upstream.Missing(name))
		}
	}
}

func (p *parser) table(m *Mapping) func(directive) {
	return func(d directive) {
		if len(d.args) != 1 || !d.braced {
			p.fault(d.at, "write: table <name> { <the shop's word> <ours> }")
			return
		}
		name := d.args[0].Text
		if m.Tables[name] != nil {
			p.fault(d.at, "there is a table %q already", name)
			return
		}
		rows := make(map[string]string)
		for _, row := range d.block {
			if args := p.arguments(row, 1, 1, "<ours>"); args != nil {
				rows[row.name] = args[0]
			}
		}
		if m.Tables == nil {
			m.Tables = make(map[string]map[string]string)
		}
		m.Tables[name] = rows
	}
}

func (p *parser) fragment(m *Mapping) func(directive) {
	return func(d directive) {
		args := p.arguments(d, 2, 2, "<name> <GraphQL>")
		switch {
		case args == nil:
		case m.Fragments[args[0]] != "":
			p.fault(d.at, "there is a fragment %q already", args[0])
		case m.Fragments == nil:
			m.Fragments = map[string]string{args[0]: args[1]}
		default:
			m.Fragments[args[0]] = args[1]
		}
	}
}

func (p *parser) handOff(into **HandOff) func(directive) {
	return func(d directive) {
		const form = `<address> [line <what stands for a line>] [between <what stands between two>]`
		args := p.arguments(d, 1, 5, form)
		if args == nil {
			return
		}
		h := &HandOff{At: d.at, URL: args[0]}
		for args = args[1:]; len(args) > 1; args = args[2:] {
			switch args[0] {
			case "line":
				h.Line = args[1]
			case "between":
				h.Between = args[1]
			default:
				p.fault(d.at, "write: hand_off %s", form)
			}
		}
		if len(args) > 0 {
			p.fault(d.at, "write: hand_off %s", form)
		}
		*into = h
	}
}
