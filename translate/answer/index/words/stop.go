package words

// Stop reports whether a folded word only holds a sentence together and says
// nothing of a thing. Words that turn a wish round ("without", "ohne") are among
// them: an index does not read wishes.
func (l Language) Stop(word []byte) bool {
	switch l {
	case English:
		return stopEnglish(string(word))
	case German:
		return stopGerman(string(word))
	case French:
		return stopFrench(string(word))
	case Spanish:
		return stopSpanish(string(word))
	}
	return false
}

func stopEnglish(w string) bool {
	switch w {
	case "a", "an", "and", "any", "are", "as", "at", "be", "by", "can", "do", "for", "from", "has", "have", "i", "in",
		"is", "it", "its", "me", "my", "not", "of", "on", "or", "our", "some", "that", "the", "their", "there", "these",
		"this", "to", "was", "we", "which", "will", "with", "without", "you", "your":
		return true
	}
	return false
}

func stopGerman(w string) bool {
	switch w {
	case "aber", "als", "am", "an", "auch", "auf", "aus", "bei", "bis", "das", "dem", "den", "der", "des", "die", "ein",
		"eine", "einem", "einen", "einer", "eines", "es", "fur", "fuer", "hat", "ich", "im", "in", "ist", "mein", "meine",
		"mit", "nach", "nicht", "oder", "ohne", "sich", "sie", "sind", "und", "uns", "vom", "von", "wie", "wir", "zu",
		"zum", "zur":
		return true
	}
	return false
}

func stopFrench(w string) bool {
	switch w {
	case "a", "au", "aux", "avec", "c", "ce", "ces", "cette", "d", "dans", "de", "des", "du", "en", "est", "et", "il",
		"j", "je", "l", "la", "le", "les", "leur", "m", "mon", "n", "ne", "nos", "notre", "ou", "par", "pas", "pour",
		"qu", "que", "qui", "s", "sa", "sans", "se", "ses", "son", "sont", "sur", "t", "un", "une", "vos", "votre":
		return true
	}
	return false
}

func stopSpanish(w string) bool {
	switch w {
	case "a", "al", "como", "con", "de", "del", "el", "en", "es", "esta", "este", "la", "las", "lo", "los", "mi", "muy",
		"no", "o", "para", "por", "que", "se", "sin", "su", "sus", "un", "una", "unas", "unos", "y":
		return true
	}
	return false
}
