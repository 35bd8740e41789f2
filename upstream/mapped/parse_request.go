package mapped

import (
	"maps"
	"slices"
	"strconv"
)

// requestForm is how a request is written.
const requestForm = "GET|POST|PUT|PATCH|DELETE <path>, or graphql <path> <document> [<fragment>...]"

func methods() []string { return []string{"GET", "POST", "PUT", "PATCH", "DELETE"} }

// request are the lines of a request.
func (p *parser) request(r *Request) words {
	known := words{
		"graphql": func(d directive) {
			if p.again(r, d) {
				return
			}
			if args := p.arguments(d, 2, 12, "<path> <document> [<fragment>...]"); args != nil {
				r.Method, r.Path, r.GraphQL, r.Fragments = "POST", args[0], args[1], args[2:]
			}
		},
		"body":   p.text(&r.Body, "<JSON>"),
		"query":  p.setting(&r.Query),
		"header": p.setting(&r.Headers),
		"set":    p.setting(&r.Set),
		"refuse": p.refusal(&r.Refusals),
	}
	for _, method := range methods() {
		known[method] = func(d directive) {
			if p.again(r, d) {
				return
			}
			if args := p.arguments(d, 1, 1, "<path>"); args != nil {
				r.Method, r.Path = method, args[0]
			}
		}
	}
	return known
}

// again reports a second request in a block.
func (p *parser) again(r *Request, d directive) bool {
	if r.Method == "" {
		return false
	}
	p.fault(d.at, "this block has a request already: %s %s", r.Method, r.Path)
	return true
}

// requestBlock reads a block with one request and more lines. What else it may
// have is made by more, once there is something to read into.
func requestBlock[T any](p *parser, into **T, request func(*T) *Request, more func(*T) words) func(directive) {
	return func(d directive) {
		if *into != nil {
			p.fault(d.at, "there is a %s already, at %s", d.name, request(*into).At)
			return
		}
		one := new(T)
		if p.readRequest(request(one), d, d.args, more(one)) {
			*into = one
		}
	}
}

// requestList reads a block with one request, of which there may be several.
func (p *parser) requestList(into *[]Request) func(directive) {
	return func(d directive) {
		var r Request
		if p.readRequest(&r, d, d.args, nil) {
			*into = append(*into, r)
		}
	}
}

// oneRequest reads a block with a request and nothing else.
func (p *parser) oneRequest(into **Request) func(directive) {
	return requestBlock(p, into, func(r *Request) *Request { return r }, func(*Request) words { return nil })
}

// readRequest reads the block of a request; no words of args may be left.
func (p *parser) readRequest(r *Request, d directive, args []Token, more words) bool {
	if !d.braced || len(args) > 0 {
		p.fault(d.at, "write: %s { %s }", d.name, requestForm)
		return false
	}
	r.At = d.at
	known := p.request(r)
	maps.Copy(known, more)
	p.block(d.name, d.block, known)
	return true
}

// refusal reads a line about how the shop says no.
func (p *parser) refusal(into *[]Refusal) func(directive) {
	const form = "<code> [status <number>...] [<path> is|has <word>...] [<path> there|missing]"
	return func(d directive) {
		if d.braced || len(d.args) < 2 {
			p.fault(d.at, "write: %s %s", d.name, form)
			return
		}
		r := Refusal{At: d.at, Code: d.args[0].Text}
		if !isRefusalCode(r.Code) {
			p.fault(d.at, "%q is no code of a refusal; write one of: %s", r.Code, listed(refusalCodes()))
			return
		}
		args := d.args[1:]
		if args[0].is("status") {
			for args = args[1:]; len(args) > 0; args = args[1:] {
				status, err := strconv.Atoi(args[0].Text)
				if err != nil || status < 200 || status > 599 {
					break
				}
				r.Status = append(r.Status, status)
			}
		}
		if len(args) > 0 {
			if len(args) < 2 || args[1].Quoted {
				p.fault(d.at, "write: %s %s", d.name, form)
				return
			}
			r.Path, r.Test = args[0].Text, Test(args[1].Text)
			for _, token := range args[2:] {
				r.Words = append(r.Words, token.Text)
			}
			wantsWords := r.Test == TestIs || r.Test == TestHas
			if !slices.Contains([]Test{TestIs, TestHas, TestThere, TestMissing}, r.Test) || wantsWords != (len(r.Words) > 0) {
				p.fault(d.at, "write: %s %s", d.name, form)
				return
			}
		} else if len(r.Status) == 0 {
			p.fault(d.at, "write: %s %s", d.name, form)
			return
		}
		*into = append(*into, r)
	}
}

// kept reads a value that is read once.
func (p *parser) kept(into *[]Kept) func(directive) {
	return func(d directive) {
		if len(d.args) != 1 {
			p.fault(d.at, "write: keep <name> { %s and value <path> }", requestForm)
			return
		}
		k := Kept{Name: d.args[0].Text}
		if p.readRequest(&k.Request, d, nil, words{"value": p.value(&k.Value), "for": p.duration(&k.For)}) {
			*into = append(*into, k)
		}
	}
}

// listing reads a block about a list of products.
func (p *parser) listing(into **Listing) func(directive) {
	return requestBlock(p, into, func(l *Listing) *Request { return &l.Request }, func(l *Listing) words {
		l.First = 1
		return words{
			"items": p.value(&l.Items), "total": p.value(&l.Total), "next": p.value(&l.Next),
			"size": p.number(&l.Size, 1, 1000), "first": p.number(&l.First, 0, 1),
		}
	})
}

// search reads the line "search scan", or a block.
func (p *parser) search(m *Mapping) func(directive) {
	read := p.listing(&m.Search)
	return func(d directive) {
		if !d.braced && len(d.args) == 1 && d.args[0].is("scan") {
			m.Scan = true
			return
		}
		read(d)
	}
}

func (p *parser) lookup(into *[]Lookup) func(directive) {
	return func(d directive) {
		names := []Name{NameID, NameVariant, NameHandle, NameSKU}
		if len(d.args) != 1 || !slices.Contains(names, Name(d.args[0].Text)) {
			p.fault(d.at, "write: lookup id|variant|handle|sku { %s and items <path> }", requestForm)
			return
		}
		l := Lookup{By: Name(d.args[0].Text)}
		more := words{"items": p.value(&l.Items), "most": p.number(&l.Most, 1, 250)}
		if p.readRequest(&l.Request, d, nil, more) {
			*into = append(*into, l)
		}
	}
}
