package words

import "strings"

// Language says how words are inflected: the primary part of a BCP 47 tag. The
// zero Language inflects nothing.
type Language string

// The languages whose inflection is known.
const (
	English  Language = "en"
	German   Language = "de"
	French   Language = "fr"
	Spanish  Language = "es"
	Japanese Language = "ja"
)

// LanguageOf returns the language of a BCP 47 tag, zero for one that is not known.
func LanguageOf(tag string) Language {
	primary, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	switch l := Language(strings.ToLower(primary)); l {
	case English, German, French, Spanish, Japanese:
		return l
	}
	return ""
}

// Stem returns the stem of a word that was folded (see [Splitter]). It
// works in place: the result shares the word's memory and may have changed it.
func (l Language) Stem(word []byte) []byte {
	if len(word) < 3 || len(word) > maxStemmed || !allLetters(word) {
		return word
	}
	switch l {
	case English:
		return stemEnglish(word)
	case German:
		return stemGerman(word)
	case French:
		return stemFrench(word)
	case Spanish:
		return stemSpanish(word)
	}
	return word
}

// maxStemmed is how long a word with an ending may be, in bytes.
const maxStemmed = 48

// allLetters reports whether a word is of Latin letters alone. Numbers and names of
// models have no inflection.
func allLetters(word []byte) bool {
	for _, c := range word {
		if c < 'a' || c > 'z' {
			return false
		}
	}
	return true
}

// ends reports whether a word has an ending and at least keep letters before it.
func ends(word []byte, ending string, keep int) bool {
	n := len(word) - len(ending)
	return n >= keep && string(word[n:]) == ending
}

// swap replaces an ending of that length.
func swap(word []byte, length int, by string) []byte {
	return append(word[:len(word)-length], by...)
}

func vowel(c byte) bool {
	return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'
}

func hasVowel(word []byte) bool {
	for _, c := range word {
		if vowel(c) {
			return true
		}
	}
	return false
}

// single takes the second of two equal consonants off the end.
func single(word []byte) []byte {
	if n := len(word); n > 3 && word[n-1] == word[n-2] && !vowel(word[n-1]) {
		return word[:n-1]
	}
	return word
}
