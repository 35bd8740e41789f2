package words

// stemEnglish takes off the plural, then -ing and -ed, then a silent e.
func stemEnglish(w []byte) []byte {
	if irregular := englishIrregular(w); irregular != "" {
		return append(w[:0], irregular...)
	}
	w = englishSingular(w)
	switch {
	case englishNoParticiple(w):
	case ends(w, "ing", 3) && hasVowel(w[:len(w)-3]):
		w = single(w[:len(w)-3])
	case ends(w, "eed", 0):
	case ends(w, "ed", 3) && hasVowel(w[:len(w)-2]):
		w = single(w[:len(w)-2])
	}
	if ends(w, "e", 3) {
		w = w[:len(w)-1]
	}
	if n := len(w); n > 3 && w[n-1] == 'v' {
		w[n-1] = 'f' // knives and knife, gloves and glove
	}
	return w
}

func englishSingular(w []byte) []byte {
	switch {
	case !ends(w, "s", 3), ends(w, "ss", 0), ends(w, "us", 0), ends(w, "is", 0):
		return w
	case ends(w, "ies", 2):
		return swap(w, 3, "y")
	case ends(w, "sses", 0), ends(w, "shes", 0), ends(w, "ches", 0), ends(w, "xes", 0), ends(w, "zes", 0):
		return w[:len(w)-2]
	case ends(w, "oes", 2):
		return w[:len(w)-2]
	}
	return w[:len(w)-1]
}

// englishIrregular returns the stem of a word whose plural no rule makes, and of
// those whose stem a rule would make shorter than its singular's.
func englishIrregular(w []byte) string {
	switch string(w) {
	case "men", "mens":
		return "man"
	case "women", "womens":
		return "woman"
	case "children", "childrens":
		return "child"
	case "feet":
		return "foot"
	case "teeth":
		return "tooth"
	case "mice":
		return "mous"
	case "shoes":
		return "sho"
	case "axes":
		return "axe"
	case "lens", "lenses":
		return "lens"
	case "series", "species", "glasses", "news", "canvas", "gas", "plus", "less", "bias":
		return string(w)
	}
	return ""
}

// englishNoParticiple knows things that only look like something done.
func englishNoParticiple(w []byte) bool {
	switch string(w) {
	case "earring", "ceiling", "wedding", "pudding", "lightning", "bearing", "herring", "morning", "evening",
		"building", "seed", "naked", "hundred", "sacred":
		return true
	}
	return false
}
