package relevance

import (
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// Relevance says whether a product is of the kind that was asked for.
type Relevance int

// The judgements. NotJudged is that nobody can tell.
const (
	NotJudged Relevance = iota
	Related
	Unrelated
)

// Judgement is a relevance with what it rests on.
type Judgement struct {
	Relevance Relevance
	Reason    Reason
	// Kind is the English name of what the product is instead, where that is known.
	Kind string
}

// Of judges a product.
func (j *Judge) Of(p *upstream.Product) Relevance { return j.Explain(p).Relevance }

// Explain judges a product and says why.
func (j *Judge) Explain(p *upstream.Product) Judgement {
	if j.titles == nil {
		return Judgement{NotJudged, NoNoun, ""}
	}
	title := withoutBrand(p.Title, p.Brand)
	if strings.TrimSpace(p.Title) == "" {
		return Judgement{NotJudged, NoTitle, ""}
	}
	var l line
	if j.ofBrand(&l, p.Brand) {
		return Judgement{Related, ByBrand, ""}
	}
	l.cut(title, j.titles)
	says := j.title(&l)
	switch {
	case says.is:
		return j.described(p, &l, &says.phrase)
	case says.serves:
		return Judgement{Unrelated, TitleServes, says.kind}
	}
	if kind := j.types(p); j.tells(kind, says) {
		return kind.judgement(ByType)
	}
	if kind := j.categories(p); j.tells(kind, says) {
		return kind.judgement(ByCategory)
	}
	switch {
	case says.wider:
		return Judgement{Related, ByTitle, ""}
	case says.known:
		return Judgement{Unrelated, TitleOther, says.kind}
	}
	return Judgement{Unrelated, Nowhere, ""}
}

// tells reports whether a type or a category decides. Against a title with the wider
// name only what is beside the kind asked for does: boots among the wellingtons are
// wellingtons, and walking boots may be boots among the shoes.
func (j *Judge) tells(kind, title saying) bool {
	if !kind.known || kind.is || !title.wider {
		return kind.known
	}
	return j.beside.has(kind.phrase.head.senses)
}

// ofBrand reports whether a brand is all that is asked for.
func (j *Judge) ofBrand(l *line, brand string) bool {
	if j.brand == "" || brand == "" {
		return false
	}
	l.cut(brand, j.titles)
	return l.count > 0 && l.text(0, l.count) == j.brand
}

// saying is what a text says of the kind.
type saying struct {
	phrase phrase
	known  bool // it names a kind, or the noun asked for
	is     bool // and that is the one asked for
	wider  bool // it is the wider one that the one asked for may go by
	serves bool // it is one that serves another, and not the one asked for
	kind   string
}

func (s saying) judgement(why Reason) Judgement {
	if s.is || s.wider {
		return Judgement{Related, why, ""}
	}
	return Judgement{Unrelated, why, s.kind}
}

// hears weighs a phrase.
func (j *Judge) hears(p *phrase) saying {
	s := saying{phrase: *p, known: p.head.found(), is: j.asked(p.head) || j.asked(p.also)}
	if s.known && !s.is && len(p.head.senses) > 0 {
		s.wider = j.wider.has(p.head.senses)
		s.serves = !s.wider && j.kinds.serves(p.head.senses)
		s.kind = j.kinds.kinds[p.head.senses[0]].name
	}
	return s
}

func (j *Judge) asked(n noun) bool { return n.own || j.target.has(n.senses) }

// title returns what a title says: its first part that has a noun, or a later one
// that names the kind asked for.
func (j *Judge) title(l *line) saying {
	var first saying
	for i := 0; i < l.count; {
		p, next := l.scan(j.kinds.table, j.titles, i)
		s := j.hears(&p)
		if !first.known || s.is && !l.counted(i, p.head.from) {
			first = s
		}
		if first.is || first.serves {
			break
		}
		i = next
	}
	return first
}

// counted reports whether a number stands in front of a noun, which then is one of
// the things that a product has: "8 ft. cord".
func (l *line) counted(from, to int) bool {
	for _, w := range l.words[from:to] {
		if w.number {
			return true
		}
	}
	return false
}

// types returns what recorded product types say.
func (j *Judge) types(p *upstream.Product) saying {
	var first saying
	for _, a := range p.Attributes {
		if !isType(a.Key) {
			continue
		}
		for _, value := range a.Values {
			if s := j.list(value); !first.known || s.is {
				first = s
			}
		}
	}
	return first
}

// categories returns what the narrowest categories say that name a kind. A wider
// one counts where the narrower are kinds of their own and serve nothing.
func (j *Judge) categories(p *upstream.Product) saying {
	var first saying
	for i := len(p.Categories) - 1; i >= 0; i-- {
		for path := p.Categories[i]; path != ""; {
			var leaf string
			if cut := strings.LastIndexAny(path, "/>"); cut >= 0 {
				path, leaf = path[:cut], path[cut+1:]
			} else {
				path, leaf = "", path
			}
			s := j.list(leaf)
			if s.is {
				return s
			}
			if !first.known {
				first = s
			}
			if s.serves {
				break
			}
		}
	}
	return first
}

// list returns what the things that a text lists are.
func (j *Judge) list(text string) saying {
	var l line
	var first saying
	l.cut(text, j.titles)
	for i := 0; i < l.count; {
		p, next := l.scan(j.kinds.table, j.titles, i)
		if s := j.hears(&p); !first.known || s.is {
			first = s
		}
		i = next
	}
	return first
}

// described judges a product of the kind by what it is for.
func (j *Judge) described(p *upstream.Product, l *line, says *phrase) Judgement {
	if w := (wish{stem: j.also}); j.also != "" && !w.within(l, j.titles) && !w.elsewhere(p, j.titles) {
		return Judgement{Unrelated, ForOther, ""}
	}
	for _, w := range j.wanted {
		if w.within(l, j.titles) {
			continue
		}
		if w.kinds != nil && says.count > 0 {
			return Judgement{Unrelated, ForOther, ""}
		}
		if j.vague && !w.elsewhere(p, j.titles) {
			return Judgement{Unrelated, ForOther, ""}
		}
	}
	return Judgement{Related, ByTitle, ""}
}

// within reports whether a text says the wish.
func (w *wish) within(l *line, x *lexicon) bool {
	for i := range l.count {
		if string(l.buf[l.words[i].start:l.words[i].end]) == w.stem {
			return true
		}
		if senses, _ := x.find(l, i); w.kinds.has(senses) {
			return true
		}
	}
	return false
}

// elsewhere reports whether the attributes, categories or brand of a product say it.
func (w *wish) elsewhere(p *upstream.Product, x *lexicon) bool {
	var l line
	said := func(text string) bool {
		l.cut(text, x)
		return w.within(&l, x)
	}
	for _, a := range p.Attributes {
		if said(a.Key) {
			return true
		}
		for _, value := range a.Values {
			if said(value) {
				return true
			}
		}
	}
	for _, category := range p.Categories {
		if said(category) {
			return true
		}
	}
	return said(p.Brand)
}

// withoutBrand takes the brand off the front of a title: Case Logic makes no cases.
func withoutBrand(title, brand string) string {
	if n := len(brand); n > 0 && len(title) > n && title[n] == ' ' && strings.EqualFold(title[:n], brand) {
		return title[n+1:]
	}
	return title
}

// isType reports whether an attribute records what a product is.
func isType(key string) bool {
	for _, k := range [...]string{
		"type", "device_type", "product_type", "product type", "product_class", "producttype", "kind",
		"produkttyp", "produktart", "type de produit", "tipo de producto", "tipo", "製品タイプ", "種類",
	} {
		if len(key) == len(k) && strings.EqualFold(key, k) {
			return true
		}
	}
	return false
}
