package text

import "strings"

// Inflected returns the languages that Stem knows.
func Inflected() []string { return []string{"en", "de", "fr", "es"} }

// Stem takes the inflection off a folded word of a language ("en", "de", "fr",
// "es"; others have none), so that a word and its plural, or an adjective in
// every gender and case, become one. It is for comparing: a stem is no word, and
// it errs on the side of keeping words apart.
func Stem(language, word string) string {
	if len(word) < 4 || word[len(word)-1] > 'z' {
		return word
	}
	switch language {
	case "en":
		return stemEnglish(word)
	case "de":
		if strings.HasSuffix(word, "ss") {
			return word // weiß and weiße
		}
		return trim(word, 4, "ern", "em", "en", "er", "es", "e", "n", "s")
	case "fr":
		return stemFrench(word)
	case "es":
		return trim(word, 4, "es", "as", "os", "a", "o", "e", "s")
	}
	return word
}

func stemEnglish(word string) string {
	switch {
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"):
		return word
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "ie") && len(word) > 4:
		// "hoodies" may be of "hoodie" or "hoody": all three have one stem.
		return word[:len(word)-2] + "y"
	}
	if n := len(word) - 1; strings.HasSuffix(word, "elf") || strings.HasSuffix(word, "alf") || strings.HasSuffix(word, "arf") {
		// "shelf" and "shelves" are one.
		return word[:n] + "ve"
	}
	if rest, ok := strings.CutSuffix(word, "ife"); ok {
		return rest + "ive"
	}
	for _, sibilant := range []string{"sses", "shes", "ches", "xes", "zes"} {
		if strings.HasSuffix(word, sibilant) {
			return word[:len(word)-2]
		}
	}
	return trim(word, 3, "s")
}

func stemFrench(word string) string {
	if strings.HasSuffix(word, "eaux") {
		return word[:len(word)-1]
	}
	word = trim(word, 4, "es", "s", "x", "e")
	// "bonne" and "bon" are one: the feminine doubles the consonant.
	if n := len(word); n > 4 && word[n-1] == word[n-2] {
		return word[:n-1]
	}
	return word
}

// trim takes the first ending off that leaves enough of the word.
func trim(word string, keep int, endings ...string) string {
	for _, ending := range endings {
		if len(word)-len(ending) >= keep && strings.HasSuffix(word, ending) {
			return word[:len(word)-len(ending)]
		}
	}
	return word
}

// Singular returns the singular of a folded English noun, as it is written.
func Singular(word string) string {
	if len(word) < 4 || strings.HasSuffix(word, "series") || !strings.HasSuffix(word, "s") {
		return word
	}
	for _, ending := range []string{"elves", "alves", "arves"} {
		if strings.HasSuffix(word, ending) {
			return word[:len(word)-3] + "f"
		}
	}
	if rest, ok := strings.CutSuffix(word, "nives"); ok {
		return rest + "nife"
	}
	// These have "ie" in the singular, where most have "y".
	for _, ending := range []string{"hoodies", "cookies", "movies", "beanies", "selfies", "brownies", "smoothies", "booties", "onesies", "zombies", "walkies"} {
		if strings.HasSuffix(word, ending) {
			return word[:len(word)-1]
		}
	}
	return stemEnglish(word)
}
