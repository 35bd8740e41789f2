package relevance

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/letters"
)

// lexicon is what a text is read with: the grammar of its language and the names
// that are known in it.
type lexicon struct {
	*grammar
	names, english, learned names
	longest                 map[rune]int
	// own is the stem that the question asks for, where no name is.
	own string
}

// find returns the senses of the longest name that the words from i make up, and
// how many they are.
func (x *lexicon) find(l *line, i int) ([]sense, int) {
	first := l.buf[l.words[i].start:l.words[i].end]
	for _, n := range [...]names{x.names, x.learned, x.english} {
		e, ok := n[string(first)]
		if !ok {
			continue
		}
		for k := min(e.words, l.count-i); k > 1; k-- {
			if l.broken(i, k) {
				continue
			}
			if e, ok := n[string(l.buf[l.words[i].start:l.words[i+k-1].end])]; ok && len(e.senses) > 0 {
				return e.senses, k
			}
		}
		if len(e.senses) > 0 {
			return e.senses, 1
		}
	}
	return nil, 1
}

// broken reports whether one of the k words from i stands behind a break.
func (l *line) broken(i, k int) bool {
	for _, w := range l.words[i+1 : i+k] {
		if w.broken {
			return true
		}
	}
	return false
}

// word is a word of a line.
type word struct {
	start, end uint16 // in buf
	role       role
	// broken says that a comma, a bracket or the like stands before it, number
	// that it has a digit.
	broken, number bool
}

// line is a text cut into stemmed words, which stand in buf with a space between
// them. What is beyond its bounds is left out. It lives on the stack.
type line struct {
	buf    [640]byte
	words  [48]word
	count  int
	used   int
	breaks bool // before the next word
}

// cut reads a text.
func (l *line) cut(s string, x *lexicon) {
	l.count, l.used, l.breaks = 0, 0, false
	for at := 0; at < len(s) && l.count < len(l.words) && l.used+64 < len(l.buf); {
		r, size := utf8.DecodeRuneInString(s[at:])
		switch {
		case unspaced(r):
			at += l.unspaced(s[at:], x)
		case letter(r) || digit(r):
			at += l.word(s[at:], x)
		default:
			l.sign(s, at, r)
			at += size
		}
	}
}

// sign notes what a sign does. A dash breaks only with a space at its side.
func (l *line) sign(s string, at int, r rune) {
	switch r {
	case ',', ';', '|', '(', ')', '[', ']', ':', '、', '【', '】', '（', '）', '「', '」', '・', '•', '!', '?':
		l.breaks = true
	case '-', '–', '—':
		before, after := at == 0 || s[at-1] == ' ', at+utf8.RuneLen(r) >= len(s) || s[at+utf8.RuneLen(r)] == ' '
		if before && after || r != '-' && (before || after) {
			l.breaks = true
		}
	case '&', '+', '/':
		if l.count > 0 {
			l.emit([]byte{byte(r)}, joining, false)
		}
	}
}

// word cuts letters and digits, and returns how many bytes they are.
func (l *line) word(s string, x *lexicon) int {
	var space [64]byte
	folded, number, end := space[:0], false, 0
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		point := r == '.' && number && end+1 < len(s) && digit(rune(s[end+1]))
		if !letter(r) && !digit(r) && !point {
			break
		}
		number = number || digit(r)
		if len(folded)+utf8.UTFMax < len(space) {
			folded = letters.AppendFolded(folded, r)
		}
		end += size
	}
	if x.tag == "en" {
		end += possessive(s[end:])
	}
	role := x.roles[string(folded)]
	if role == plain && !number {
		l.compound(folded, x)
		return end
	}
	l.emit(folded, role, number)
	return end
}

// letter reports whether a character is one of a word in a script with spaces.
func letter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	return (unicode.IsLetter(r) || unicode.Is(unicode.Mn, r)) && !unspaced(r)
}

func digit(r rune) bool {
	return '0' <= r && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r)
}

// possessive returns the length of the "'s" that a text begins with, or 0.
func possessive(s string) int {
	for _, ending := range [...]string{"'s", "’s"} {
		if rest, ok := strings.CutPrefix(s, ending); ok {
			if next, _ := utf8.DecodeRuneInString(rest); !letter(next) {
				return len(ending)
			}
		}
	}
	return 0
}

// compound emits a word, in two where the language writes nouns together and the
// word ends in a noun: "Druckerpatrone".
func (l *line) compound(folded []byte, x *lexicon) {
	stem := folded[:x.stem(folded)]
	if x.compounds && len(x.names[string(stem)].senses) == 0 {
		for i := shortest; i+shortest < len(stem); i++ {
			if tail := string(stem[i:]); len(x.names[tail].senses) > 0 && len(tail) > shortest || tail == x.own {
				first := stem[:i]
				if first[i-1] == 's' { // "Arbeitsschuh"
					if _, ok := x.names[string(first)]; !ok {
						first = first[:i-1]
					}
				}
				l.emit(first[:x.stem(first)], plain, false)
				l.emit(stem[i:], plain, false)
				return
			}
		}
	}
	l.emit(stem, plain, false)
}

// unspaced cuts a word of Japanese: the longest that is known, or all up to the
// next one that is, or to where the script changes.
func (l *line) unspaced(s string, x *lexicon) int {
	if n := x.known(s); n > 0 {
		l.emit([]byte(s[:n]), x.roles[s[:n]], false)
		return n
	}
	first, end := utf8.DecodeRuneInString(s)
	for end < len(s) {
		r, size := utf8.DecodeRuneInString(s[end:])
		if !unspaced(r) || script(r) != script(first) && r != 'ー' || x.known(s[end:]) > 0 {
			break
		}
		end += size
	}
	l.emit([]byte(s[:end]), plain, false)
	return end
}

// known returns the length of the longest known word that s begins with.
func (x *lexicon) known(s string) int {
	first, _ := utf8.DecodeRuneInString(s)
	if x.own != "" && len(s) >= len(x.own) && s[:len(x.own)] == x.own {
		return len(x.own)
	}
	for n := min(x.longest[first], len(s)); n > 0; n-- {
		if n < len(s) && !utf8.RuneStart(s[n]) {
			continue
		}
		if len(x.names[s[:n]].senses) > 0 || x.roles[s[:n]] != plain {
			return n
		}
	}
	return 0
}

// emit appends a word, cut to what there is room for.
func (l *line) emit(folded []byte, r role, number bool) {
	if l.count == len(l.words) || l.used+len(folded)+1 > len(l.buf) || len(folded) == 0 {
		return
	}
	start := l.used
	l.used += copy(l.buf[start:], folded)
	l.words[l.count] = word{start: uint16(start), end: uint16(l.used), role: r, broken: l.breaks, number: number}
	l.count++
	l.buf[l.used] = ' '
	l.used++
	l.breaks = false
}
