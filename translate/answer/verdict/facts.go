package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
	"github.com/storeware/caddy-storeware/upstream"
)

// facts are what is recorded about a product or one of its variants.
type facts struct {
	list []fact
	// folded has all values one after the other, folded, and ends where each of
	// them ends, once fold was called.
	folded []byte
	ends   []int
}

// fact is an attribute with its key in the form it is compared in.
type fact struct {
	key    string
	values []string
}

// facts returns attributes and options as they are compared.
func (l *Lexicon) facts(attributes []upstream.Attribute, options []upstream.Choice) *facts {
	f := &facts{list: make([]fact, 0, len(attributes)+len(options))}
	for _, a := range attributes {
		f.list = append(f.list, fact{a.Key, a.Values})
	}
	values := make([]string, len(options))
	for i, o := range options {
		values[i] = o.Value
		f.list = append(f.list, fact{o.Name, values[i : i+1]})
	}
	l.compared(f.list)
	return f
}

// labels returns tags and categories as facts without a key. Of a path, the last
// part is what the product is.
func labels(p *upstream.Product) *facts {
	all := slices.Concat(p.Tags, p.Categories)
	for i, label := range all {
		all[i] = label[strings.LastIndexByte(label, '/')+1:]
	}
	return &facts{list: []fact{{"", all}}}
}

// fold returns all values, folded, with a line's end behind each.
func (f *facts) fold() []byte {
	if f.ends != nil {
		return f.folded
	}
	size, count := 0, 0
	for _, one := range f.list {
		for _, value := range one.values {
			size += len(value) + 1
			count++
		}
	}
	f.folded, f.ends = make([]byte, 0, size), make([]int, 0, count)
	for _, one := range f.list {
		for _, value := range one.values {
			f.folded = append(text.AppendPlainFold(f.folded, value), '\n')
			f.ends = append(f.ends, len(f.folded))
		}
	}
	return f.folded
}
