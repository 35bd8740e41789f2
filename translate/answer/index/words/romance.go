package words

// stemFrench takes off the plural, then the feminine.
func stemFrench(w []byte) []byte {
	switch {
	case ends(w, "eaux", 1), ends(w, "oux", 1), ends(w, "eux", 1):
		w = w[:len(w)-1]
	case ends(w, "aux", 2):
		w = swap(w, 3, "al")
	case ends(w, "s", 3) && !ends(w, "ss", 0):
		w = w[:len(w)-1]
	}
	switch {
	case ends(w, "euse", 2):
		return swap(w, 4, "eu")
	case ends(w, "eur", 3):
		return w[:len(w)-1]
	case ends(w, "che", 3):
		return w[:len(w)-2]
	case ends(w, "gue", 3):
		return w[:len(w)-2]
	case ends(w, "ve", 3):
		return swap(w, 2, "f")
	case ends(w, "ee", 3):
		return w[:len(w)-2]
	case ends(w, "e", 3):
		w = w[:len(w)-1]
	}
	return single(w)
}

// stemSpanish takes off the plural, then the vowel of gender.
func stemSpanish(w []byte) []byte {
	switch {
	case ends(w, "ces", 2):
		return swap(w, 3, "z")
	case ends(w, "es", 3) && !vowel(w[len(w)-3]):
		w = w[:len(w)-2]
	case ends(w, "s", 3) && vowel(w[len(w)-2]):
		w = w[:len(w)-1]
	}
	if n := len(w); n > 3 && (w[n-1] == 'a' || w[n-1] == 'o' || w[n-1] == 'e') {
		w = w[:n-1]
	}
	return w
}
