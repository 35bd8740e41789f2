package relevance

import (
	"embed"
	"io/fs"
	"strings"
	"unicode/utf8"
)

// files hold the kinds, one a line:
//
//	wider > kind: English names | German | French | Spanish | Japanese
//
// A tilde before the kind says that it is a loose one, a plus that it often goes by
// the wider name alone.
//
//go:embed kinds/*.txt
var files embed.FS

// tables returns the text of all files. That they are there is seen to by embed.
func tables() string {
	var all strings.Builder
	paths, _ := fs.Glob(files, "kinds/*.txt")
	for _, path := range paths {
		text, _ := files.ReadFile(path)
		all.Write(text)
	}
	return all.String()
}

// table is what the files say.
type table struct {
	kinds    []kind
	grammars [len(tags)]*grammar
	// names are by the place of their language in languages.
	names [len(tags)]names
	// longest is, for the first character of a Japanese name, the bytes of the
	// longest that begins with it.
	longest map[rune]int
}

// kind is a kind of thing.
type kind struct {
	// name is the first English one.
	name   string
	parent sense
	// serves says that the thing serves another: a case, a cable, toner.
	serves bool
	// wide says that shops often call the thing by the wider name alone: walking
	// boots are boots in many a title.
	wide bool
	// loose says that the name says little without the word beside it, whatever
	// that is: an HDMI cable is no other cable.
	loose bool
}

func compile(text string) *table {
	t := &table{kinds: make([]kind, 1, 512), grammars: grammars(), longest: map[rune]int{}}
	for i := range t.names {
		t.names[i] = names{}
	}
	for word := range t.grammars[len(tags)-1].roles {
		t.unspacedName(word)
	}
	ids := map[string]sense{}
	id := func(name string) sense {
		s, ok := ids[name]
		if !ok {
			s = sense(len(t.kinds))
			ids[name] = s
			t.kinds = append(t.kinds, kind{name: name})
		}
		return s
	}
	for line := range strings.Lines(text) {
		head, columns, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(head, "#") {
			continue
		}
		wider, name, narrower := strings.Cut(head, " > ")
		if !narrower {
			name, wider = wider, ""
		}
		name, loose := strings.CutPrefix(name, "~")
		name, wide := strings.CutPrefix(name, "+")
		s := id(name)
		t.kinds[s].loose, t.kinds[s].wide = loose, wide
		if wider != "" {
			t.kinds[s].parent = id(wider)
		}
		for i, column := range strings.SplitN(columns, "|", len(tags)) {
			for name := range strings.SplitSeq(column, ",") {
				t.name(i, name, s)
			}
		}
	}
	for i := range t.kinds {
		for at := sense(i); at != none; at = t.kinds[at].parent {
			if name := t.kinds[at].name; name == "accessory" || name == "part" {
				t.kinds[i].serves = true
			}
		}
	}
	return t
}

// name gives a kind a name in a language.
func (t *table) name(language int, name string, s sense) {
	name = strings.TrimSpace(name)
	if tags[language] == "ja" && t.unspacedName(name) {
		t.names[language].add(name, name, 1, s)
		return
	}
	var l line
	l.cut(name, &lexicon{grammar: t.grammars[language]})
	if l.count > 0 {
		first, last := l.words[0], l.words[l.count-1]
		t.names[language].add(string(l.buf[:last.end]), string(l.buf[:first.end]), l.count, s)
	}
}

// unspacedName notes the length of a name without spaces, and reports whether it
// is one: other names in a Japanese title are those of other languages.
func (t *table) unspacedName(name string) bool {
	first, _ := utf8.DecodeRuneInString(name)
	if !unspaced(first) {
		return false
	}
	t.longest[first] = max(t.longest[first], len(name))
	return true
}
