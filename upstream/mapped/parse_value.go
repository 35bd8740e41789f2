package mapped

import (
	"slices"
)

// valueForm is how a value is written.
const valueForm = "<path>|<text with {paths}>|literal <text> [or ...] [split <separator>] [join <separator>] " +
	"[via <list> <key> <name>] [table <name>] [is <word>...] [default <text>] [upper|lower] [major|minor|hundredths]"

// value reads a line with a value.
func (p *parser) value(into *Value) func(directive) {
	return func(d directive) {
		if d.braced {
			p.fault(d.at, "%s has no block; write: %s %s", d.name, d.name, valueForm)
			return
		}
		if into.mapped() {
			p.fault(d.at, "%s is mapped already, at %s", d.name, into.At)
			return
		}
		if v, ok := p.readValue(d.at, d.name, d.args); ok {
			*into = v
		}
	}
}

// in reads the words before a block, which say where a list or an object stands.
func (p *parser) in(into *Value, d directive, form string) bool {
	if !d.braced || len(d.args) == 0 {
		p.fault(d.at, "write: %s %s", d.name, form)
		return false
	}
	v, ok := p.readValue(d.at, d.name, d.args)
	*into = v
	return ok
}

// readValue reads the words of a value that is read from an answer.
func (p *parser) readValue(at Position, name string, args []Token) (Value, bool) {
	v := Value{At: at}
	source, rest, ok := p.source(at, name, args, true)
	if !ok {
		return v, false
	}
	v.From = append(v.From, source)
	return v, p.operations(&v, name, rest, true)
}

// source reads a path, a text with paths in braces, or the word literal and a text.
// What is written is always a text.
func (p *parser) source(at Position, name string, args []Token, reads bool) (Source, []Token, bool) {
	switch {
	case len(args) == 0:
	case !reads:
		return Source{Text: args[0].Text}, args[1:], true
	case args[0].is("literal") && len(args) > 1:
		return Source{Text: args[1].Text}, args[2:], true
	case len(placeholders(args[0].Text)) > 0:
		return Source{Text: args[0].Text}, args[1:], true
	case args[0].Text != "":
		return Source{Path: args[0].Text}, args[1:], true
	}
	p.fault(at, "write: %s %s", name, valueForm)
	return Source{}, nil, false
}

// operations reads what is done to a value.
func (p *parser) operations(v *Value, name string, args []Token, reads bool) bool {
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		// next takes the words that follow an operation.
		next := func(n int, into ...*string) bool {
			if len(args) < n {
				p.fault(v.At, "%s wants %d more after it: %s", word.Text, n, valueForm)
				return false
			}
			for i := range n {
				*into[i] = args[i].Text
			}
			args = args[n:]
			return true
		}
		ok := true
		switch op := word.Text; {
		case word.Quoted:
			ok = false
		case op == "or":
			var source Source
			if source, args, ok = p.source(v.At, name, args, reads); !ok {
				return false
			}
			v.From = append(v.From, source)
		case op == "split" && reads:
			ok = next(1, &v.Split)
		case op == "join":
			ok = next(1, &v.Join)
		case op == "via" && reads:
			v.Via = new(Via)
			ok = next(3, &v.Via.In, &v.Via.Key, &v.Via.Name)
		case op == "table":
			ok = next(1, &v.Table)
		case op == "default":
			ok = next(1, &v.Default)
		case op == "is" && reads:
			for ; len(args) > 0; args = args[1:] {
				v.Is = append(v.Is, args[0].Text)
			}
			ok = len(v.Is) > 0
		case op == string(CaseUpper), op == string(CaseLower):
			v.Case = Case(op)
		case slices.Contains([]Scale{ScaleMajor, ScaleMinor, ScaleHundredths}, Scale(op)):
			v.Scale = Scale(op)
		case op == "as" && !reads:
			var as string
			ok = next(1, &as) && slices.Contains([]As{AsText, AsNumber, AsJSON}, As(as))
			v.As = As(as)
		default:
			ok = false
		}
		if !ok {
			form := valueForm
			if !reads {
				form = settingForm
			}
			p.fault(v.At, "%q cannot stand there; write: %s %s", word.Text, name, form)
			return false
		}
	}
	return true
}

// settingForm is how a value is written that is sent.
const settingForm = "<name> <text> [or <text>]... [join <separator>] [table <name>] [default <text>] " +
	"[upper|lower] [major|minor|hundredths] [as text|number|json]"

// setting reads a line that writes a value: its name, a text, and what is done
// to it.
func (p *parser) setting(into *[]Setting) func(directive) {
	return func(d directive) {
		if d.braced || len(d.args) < 2 {
			p.fault(d.at, "write: %s %s", d.name, settingForm)
			return
		}
		s := Setting{Name: d.args[0].Text, Value: Value{At: d.at}}
		source, rest, _ := p.source(d.at, d.name, d.args[1:], false)
		s.From = append(s.From, source)
		if p.operations(&s.Value, d.name, rest, false) {
			*into = append(*into, s)
		}
	}
}
