package words

import (
	"unicode"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/translate/answer/letters"
)

// Kind says what a piece of text is.
type Kind uint8

// The kinds. "T-Shirt 32GB" is the words "t" and "shirt", the joined "tshirt", the
// word "32gb" and its parts "32" and "gb".
const (
	// Word stands by itself.
	Word Kind = iota
	// Part is the number, or the letters beside it, in the word before.
	Part
	// Joined is how the words before would be written as one.
	Joined
)

// Bounds of a word, in bytes, folded.
const (
	maxWord   = 40
	maxJoined = 24
)

// Splitter cuts text into words. It keeps its buffers from call to call; the zero
// Splitter is ready, and serves one goroutine at a time.
type Splitter struct {
	unit  []byte // words that stand together, one after the other, folded
	ends  []int  // where each of them ends in unit
	given []byte // what emit is given
}

// Split calls emit for each word of text, folded, and for the parts of the word
// and the joined form of the words that came before; words is then how many these
// are. A word of more than 40 bytes is left out. Emit may change what it is given,
// and must not keep it.
//
// Chinese characters and kana, which are written without spaces, come as each two
// that stand side by side, or one that stands alone.
func (s *Splitter) Split(text string, emit func(word []byte, kind Kind, words int)) {
	text = even(text)
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case unspaced(r):
			at = s.splitRun(text, at, emit)
		case alphanumeric(r):
			at = s.splitUnit(text, at, emit)
		default:
			at += size
		}
	}
}

// splitRun reads characters that are written without spaces, from at on, and
// returns where they end. Kinds of script change where words do.
func (s *Splitter) splitRun(text string, at int, emit func([]byte, Kind, int)) int {
	first, size := utf8.DecodeRuneInString(text[at:])
	script, before := scriptOf(first), first
	at += size
	pairs := 0
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if scriptOf(r) != script {
			break
		}
		s.given = utf8.AppendRune(utf8.AppendRune(s.given[:0], before), r)
		emit(s.given, Word, 1)
		before = r
		at += size
		pairs++
	}
	if pairs == 0 && script != hiragana { // One hiragana is a particle.
		emit(utf8.AppendRune(s.given[:0], first), Word, 1)
	}
	return at
}

// splitUnit reads words that nothing but a hyphen or the like stands between, from
// at on, and returns where they end.
func (s *Splitter) splitUnit(text string, at int, emit func([]byte, Kind, int)) int {
	s.unit, s.ends = s.unit[:0], s.ends[:0]
	joins := false
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if alphanumeric(r) {
			s.unit = letters.AppendFolded(s.unit, r)
			at += size
			continue
		}
		next, nextSize := utf8.DecodeRuneInString(text[at+size:])
		if !alphanumeric(next) {
			break
		}
		if r == '\'' || r == '’' {
			after, _ := utf8.DecodeRuneInString(text[at+size+nextSize:])
			if (next == 's' || next == 'S') && !alphanumeric(after) {
				at += size + nextSize // "men's" is "men"; "l'eau" is "l" and "eau".
			}
			break
		}
		if (r == '.' || r == ',') && len(s.unit) > 0 && digit(s.unit[len(s.unit)-1:]) && next < utf8.RuneSelf && digit([]byte{byte(next)}) {
			s.unit = append(s.unit, '.')
			at += size
			continue
		}
		if r != '-' && r != '_' && r != '/' && r != '.' {
			break
		}
		joins = joins || r == '-' || r == '.'
		s.ends = append(s.ends, len(s.unit))
		at += size
	}
	s.ends = append(s.ends, len(s.unit))
	s.emit(joins, emit)
	return at
}

func (s *Splitter) emit(joins bool, emit func([]byte, Kind, int)) {
	begin := 0
	for _, end := range s.ends {
		word := s.unit[begin:end]
		begin = end
		if len(word) == 0 || len(word) > maxWord {
			continue
		}
		s.give(word, Word, 1, emit)
		if at := boundary(word); at > 0 {
			s.give(word[:at], Part, 1, emit)
			s.give(word[at:], Part, 1, emit)
		}
	}
	if joins && len(s.ends) > 1 && len(s.unit) <= maxJoined {
		s.give(s.unit, Joined, len(s.ends), emit)
	}
}

func (s *Splitter) give(word []byte, kind Kind, words int, emit func([]byte, Kind, int)) {
	s.given = append(s.given[:0], word...)
	emit(s.given, kind, words)
}

// boundary returns where a number stops and letters begin, or the other way
// round, in a word where this happens once: "32gb", "mx500".
func boundary(word []byte) int {
	at := 0
	for i := 1; i < len(word); i++ {
		if digit(word[i-1:i]) == digit(word[i:i+1]) {
			continue
		}
		if at != 0 {
			return 0
		}
		at = i
	}
	return at
}

// digit reports whether the first byte belongs to a number.
func digit(b []byte) bool { return '0' <= b[0] && b[0] <= '9' || b[0] == '.' }

func alphanumeric(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)) && !unspaced(r)
}

// The scripts that are written without spaces.
const (
	spaced = iota
	han
	hiragana
	katakana
)

func unspaced(r rune) bool { return scriptOf(r) != spaced }

func scriptOf(r rune) int {
	switch {
	case r < 0x3005:
		return spaced
	case r == 'ー', 0x30a1 <= r && r <= 0x30fa:
		return katakana
	case 0x3041 <= r && r <= 0x3096:
		return hiragana
	case r == '々', unicode.Is(unicode.Han, r):
		return han
	}
	return spaced
}
