package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// relation is how a recorded value stands to a wanted one.
type relation int

const (
	// other: it is something else.
	other relation = iota
	// meets: it is the same, or more specific.
	meets
	// vaguer: it is less specific.
	vaguer
)

// compare tells how a recorded value stands to a wanted one and its forms.
func (l *Lexicon) compare(wanted string, want []string, recorded string) relation {
	if isTruth(wanted) {
		switch is, ok := truthOf(recorded); {
		case !ok && wanted == "true":
			return vaguer // "waterproof: 10,000 mm" says something, and not yes
		case !ok:
			return other
		case is == (wanted == "true"):
			return meets
		}
		return other
	}
	if len(want) == 1 && crossed(want[0]) {
		recorded = strings.ReplaceAll(recorded, "/", "x") // trousers of 32/34 are 32x34
	}
	have := l.forms(sizeless(recorded))
	if len(want) == 0 || len(have) == 0 {
		return other
	}
	switch {
	case len(have) > len(want) && slices.ContainsFunc(have, pretends):
		return other // faux leather is no leather
	case slices.ContainsFunc(have, func(form string) bool { return l.foreignSize(form) && !slices.Contains(want, form) }):
		return other
	case len(have) >= len(want) && l.contains(have, want):
		return meets // one word is less than two, even where it is a kind of both
	case l.contains(want, have):
		return vaguer
	}
	return other
}

// foreignSize reports whether a word names a system of sizes that is not the shop's
// own.
func (l *Lexicon) foreignSize(form string) bool {
	return l.sizes != "" && form != l.sizes && (form == "uk" || form == "us" || form == "eu")
}

// contains reports whether every form of part is in whole, or something that is a
// kind of it.
func (l *Lexicon) contains(whole, part []string) bool {
	for _, p := range part {
		if !slices.ContainsFunc(whole, func(w string) bool { return w == p || l.isKindOf(w, p) }) {
			return false
		}
	}
	return true
}

// pretends reports whether a word says that something only looks like what it is
// called.
func pretends(form string) bool {
	switch form {
	case "faux", "fake", "imitation", "artificial", "vegan", "effect", "look", "style", "synthetic", "free", "not", "no", "non",
		"kunst", "imitat", "optik", "similicuir", "imitación", "simili", "symil":
		return true
	}
	return false
}

// truthOf reads yes and no, as shops record them.
func truthOf(value string) (is, ok bool) {
	switch strings.TrimSpace(text.Fold(text.Plain(value))) {
	case "true", "yes", "y", "1", "ja", "oui", "si", "はい", "有", "あり", "✓", "on":
		return true, true
	case "false", "no", "n", "0", "nein", "non", "いいえ", "無", "なし", "off", "none":
		return false, true
	}
	return false, false
}

// sizeless writes a size one way: "32 x 34" as "32x34".
func sizeless(value string) string {
	value = strings.ReplaceAll(value, "×", "x")
	for _, apart := range []string{" x ", " X "} {
		if before, after, ok := strings.Cut(value, apart); ok && before != "" && after != "" && digit(before[len(before)-1]) && digit(after[0]) {
			return before + "x" + after
		}
	}
	return value
}

// crossed reports whether a form is a width and a length: "32x34".
func crossed(form string) bool {
	width, length, ok := strings.Cut(form, "x")
	return ok && width != "" && length != "" && digit(width[len(width)-1]) && digit(length[0])
}

func digit(b byte) bool { return '0' <= b && b <= '9' }
