package words

import "bytes"

// stemGerman writes ae, oe and ue as the letters they stand for, without their
// dots as folding leaves those, and takes off the endings of cases and plurals.
func stemGerman(w []byte) []byte {
	w = umlauts(w)
	switch string(w) {
	case "roter", "rotes", "roten", "rotem":
		return w[:3]
	case "neuer", "guter", "alter":
		return w[:3]
	}
	switch {
	case ends(w, "innen", 4):
		return w[:len(w)-5]
	case ends(w, "ern", 4):
		return w[:len(w)-3]
	case ends(w, "er", 4):
		return w[:len(w)-2]
	case ends(w, "en", 3), ends(w, "em", 3), ends(w, "es", 3):
		return w[:len(w)-2]
	case ends(w, "e", 3):
		return w[:len(w)-1]
	case ends(w, "n", 4) && (w[len(w)-2] == 'l' || w[len(w)-2] == 'r'):
		return w[:len(w)-1] // Mänteln, Hämmern
	case ends(w, "s", 4) && bytes.IndexByte([]byte("aeiouybdfghklmnrt"), w[len(w)-2]) >= 0:
		return w[:len(w)-1]
	}
	return w
}

// umlauts writes ä, ö and ü the same whether or not a keyboard had them. The e is
// a letter of its own after a vowel or q: "blaue", "Treue", "Quelle".
func umlauts(w []byte) []byte {
	out := w[:0]
	for i := 0; i < len(w); i++ {
		out = append(out, w[i])
		apart := i == 0 || (!vowel(w[i-1]) && w[i-1] != 'q')
		if apart && i+1 < len(w) && w[i+1] == 'e' && (w[i] == 'a' || w[i] == 'o' || w[i] == 'u') {
			i++
		}
	}
	return out
}
