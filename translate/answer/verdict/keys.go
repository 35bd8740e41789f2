package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// key is an attribute's name in the form it is compared in.
func (l *Lexicon) key(name string) string {
	l.mu.RLock()
	key, ok := l.keys[name]
	l.mu.RUnlock()
	if ok {
		return key
	}
	key = l.readKey(name)
	if len(name) > longestMemo {
		return key
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.keys) >= maxKeys {
		clear(l.keys)
	}
	l.keys[strings.Clone(name)] = key
	return key
}

// compared brings the keys of facts into the form they are compared in.
func (l *Lexicon) compared(facts []fact) {
	unknown := -1
	l.mu.RLock() // once for all of them
	for i := range facts {
		key, ok := l.keys[facts[i].key]
		if !ok {
			unknown = i
			break
		}
		facts[i].key = key
	}
	l.mu.RUnlock()
	for i := unknown; i >= 0 && i < len(facts); i++ {
		facts[i].key = l.key(facts[i].key)
	}
}

func (l *Lexicon) readKey(name string) string {
	words := strings.FieldsFunc(text.Fold(text.Plain(name)), func(r rune) bool { return strings.ContainsRune(" _-./:", r) })
	// "product colour" and "is waterproof" are called by their last word.
	for len(words) > 1 && slices.Contains([]string{"product", "item", "main", "primary", "outer", "base", "is", "has", "the", "attribute", "pa"}, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 {
		return ""
	}
	whole := strings.Join(words, " ")
	if general, ok := generalKey(whole); ok {
		return general
	}
	if forms := l.forms(whole); len(forms) > 0 {
		return strings.Join(forms, " ")
	}
	return whole
}

// generalKey gives the one name of attributes that have many.
func generalKey(name string) (general string, ok bool) {
	switch name {
	case "color", "colour", "colors", "colours", "colourway", "colorway", "farbe", "farben", "couleur", "couleurs", "colores", "カラー", "色":
		return "color", true
	case "size", "sizes", "shoe size", "groesse", "große", "grosse", "schuhgrosse", "taille", "pointure", "talla", "tamano", "サイズ":
		return "size", true
	case "material", "materials", "fabric", "composition", "material composition", "upper", "upper material", "stoff", "obermaterial", "matiere", "matieres", "tissu",
		"materiel", "materiau", "tejido", "materiales", "素材", "材質", "生地":
		return "material", true
	case "gender", "sex", "target gender", "geschlecht", "genre", "genero", "性別":
		return "gender", true
	case "brand", "make", "manufacturer", "marke", "hersteller", "marque", "marca", "ブランド":
		return "brand", true
	case "pattern", "print", "muster", "motif", "estampado", "柄":
		return "pattern", true
	case "fit", "passform", "coupe", "corte":
		return "fit", true
	}
	return "", false
}

// chosen reports whether a key is of what a buyer chooses between: what a
// description says of it may be about something else that goes with the product.
func chosen(key string) bool {
	switch key {
	case "color", "size", "gender", "age", "brand", "pattern":
		return true
	}
	return false
}
