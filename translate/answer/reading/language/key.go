package language

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// Keys that attributes are known by, whatever a shop calls them.
const (
	// KindKey is of what a product is: "type: hoodie".
	KindKey = "type"
	// CompatibleKey is of what a product fits.
	CompatibleKey = "compatible_with"
	// ActivityKey is of what a product is for: "activity: walking".
	ActivityKey = "activity"
)

// Key returns the name that an attribute is generally known by, as facts have it:
// "color" for "Product Colour" or "Farbe". It reports false for an attribute that
// has no other name; then it returns its own, folded.
func Key(name string) (key string, general bool) {
	words := strings.FieldsFunc(text.Fold(text.Plain(name)), func(r rune) bool { return strings.ContainsRune(" _-./:", r) })
	whole := strings.Join(words, " ")
	if general, ok := generalKey(whole); ok {
		return general, true
	}
	// "product colour" and "is waterproof" are called by their last word.
	for len(words) > 1 && slices.Contains([]string{"product", "item", "main", "primary", "outer", "base", "is", "has", "the", "attribute", "pa", "recommended", "target"}, words[0]) {
		words = words[1:]
	}
	whole = strings.Join(words, " ")
	if general, ok := generalKey(whole); ok {
		return general, true
	}
	return whole, false
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
	case "gender", "sex", "geschlecht", "genre", "genero", "性別":
		return "gender", true
	case "brand", "make", "manufacturer", "marke", "hersteller", "marque", "marca", "ブランド":
		return "brand", true
	case "pattern", "print", "muster", "motif", "estampado", "柄":
		return "pattern", true
	case "fit", "passform", "coupe", "corte":
		return "fit", true
	case "activity", "activities", "sport", "sports", "aktivitat", "sportart", "activite", "actividad", "deporte", "アクティビティ", "スポーツ":
		return ActivityKey, true
	case "type", "product type", "category", "product category", "kind", "typ", "art", "produktart", "produkttyp", "kategorie", "type de produit", "categorie",
		"tipo", "tipo de producto", "categoria", "種類", "タイプ", "カテゴリ", "カテゴリー":
		return KindKey, true
	case "compatible with", "compatible", "compatibility", "compatible products", "compatible devices", "compatible models", "device compatibility", "product compatibility",
		"brand compatibility", "compatible brands", "compatible brand", "fits", "suitable for", "for model", "kompatibel mit", "kompatibilitat", "passend fur", "geeignet fur", "compatible avec",
		"compatibilite", "convient pour", "compatible con", "compatibilidad", "対応機種", "対応", "互換性":
		return CompatibleKey, true
	}
	return "", false
}
