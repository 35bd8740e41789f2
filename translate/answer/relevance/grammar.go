package relevance

import (
	"slices"
	"strings"
)

// tags are the languages, in the order of the tables' columns.
var tags = [...]string{"en", "de", "fr", "es", "ja"}

// role is what a word that names nothing does in a title.
type role uint8

const (
	plain     role = iota // any other word
	serving               // "for": what follows is what the thing serves
	served                // 用: what precedes is
	having                // "with": what follows is only a part of it
	belonging             // "of": the same, unless a container stands before it
	joining               // "and"
	container             // "set": what it holds is the thing
	quality               // a colour, a size, an article: never a noun
	placing               // "under": neither ends the name nor is in it
	leading               // "to": what follows is what it leads to, up to a noun that joins things
)

// grammar is how a language builds the name of a thing.
type grammar struct {
	tag string
	// headFirst says that the noun stands before what describes it, compounds that
	// nouns are written together.
	headFirst, compounds bool
	roles                map[string]role
	// adjectives are endings of words that are no nouns.
	adjectives []string
	// endings are those of a plural or a case, the longest first.
	endings []string
}

// grammars returns the languages' grammars in the order of tags.
func grammars() [len(tags)]*grammar {
	return [...]*grammar{
		{tag: "en", adjectives: []string{"ed", "less", "able", "ible", "proof", "ful", "ic", "ish", "ive", "al", "ous"}, roles: roles(
			"for fits fit compatible suitable replaces replacing", "",
			"with w without incl including includes featuring in by from on at via",
			"of", "and or",
			"set pack pair box piece pcs kit bundle lot collection",
			"black white red blue green yellow pink grey gray brown purple orange silver gold beige clear navy "+
				"large small medium mini big new used cheap best the a an my some men mens women womens kids kid girl girls boys boy adult adults pro "+
				"wireless portable digital electric size color colour sale xl xxl xs inch cm mm",
			"under over", "to")},
		{tag: "de", compounds: true, adjectives: []string{"bar", "los", "lich", "ig", "isch", "dicht", "fest"}, endings: []string{"en", "n", "e", "s"}, roles: roles(
			"für passend geeignet kompatibel", "",
			"mit ohne inkl inklusive in aus von im am unter zum zur bei", "", "und oder",
			"set paket paar stück packung pack er-pack teilig",
			"schwarz weiß rot blau grün gelb rosa grau braun silber gold groß klein neu der die das ein eine "+
				"damen herren kinder größe farbe schwarze rote blaue", "", "auf")},
		{tag: "fr", headFirst: true, endings: []string{"eaux", "es", "s", "x", "e"}, roles: roles(
			"pour compatible adapté", "",
			"avec sans en a au aux sur dans inclus par", "de d du des", "et ou",
			"lot paire pack ensemble kit set boite coffret",
			"noir blanc rouge bleu vert jaune rose gris marron argent petit grand nouveau neuf le la les l un une "+
				"homme femme enfant taille couleur")},
		{tag: "es", headFirst: true, endings: []string{"es", "s", "e"}, roles: roles(
			"para compatible", "",
			"con sin en a al por sobre incluye", "de del", "y o e",
			"juego par pack conjunto lote kit set paquete caja",
			"negro blanco rojo azul verde amarillo rosa gris marron plata pequeño grande nuevo el la los las un una "+
				"hombre mujer niño talla color")},
		{tag: "ja", roles: roles(
			"", "用 対応 向け 専用 互換", "付き 付 入り", "", "と", "セット 個 足 枚",
			"黒 白 赤 青 緑 ブラック ホワイト レッド ブルー グリーン グレー ブラウン ピンク 色 新品 大 小 の メンズ レディース サイズ")},
	}
}

// languageOf returns the place in tags of a BCP 47 tag, and whether it is there.
func languageOf(tag string) (int, bool) {
	primary, _, _ := strings.Cut(strings.ToLower(tag), "-")
	i := slices.Index(tags[:], primary)
	return i, i >= 0
}

// roles makes a table of words, those of each role in one text, in the order of
// the roles.
func roles(texts ...string) map[string]role {
	all := map[string]role{}
	for i, text := range texts {
		for word := range strings.FieldsSeq(text) {
			all[string(appendFold(nil, word))] = role(i + 1)
		}
	}
	return all
}

// shortest is the length that a stem has at least.
const shortest = 3

// stem returns how much of a folded word is its stem.
func (g *grammar) stem(word []byte) int {
	n := len(word)
	if g.tag == "en" {
		return stemEnglish(word)
	}
	for _, ending := range g.endings {
		if n-len(ending) >= shortest+1 && string(word[n-len(ending):]) == ending {
			if ending == "eaux" {
				return n - 1
			}
			return n - len(ending)
		}
	}
	return n
}

// stemEnglish takes a plural off. "ies" becomes "i", as "y" does.
func stemEnglish(word []byte) int {
	n := len(word)
	switch {
	case n <= shortest || word[n-1] != 's':
		if n > shortest && word[n-1] == 'y' && !vowel(word[n-2]) {
			word[n-1] = 'i'
		}
		return n
	case word[n-2] == 's' || word[n-2] == 'u' || word[n-2] == 'i':
		return n
	case n > 4 && word[n-2] == 'e':
		switch word[n-3] {
		case 'x', 'h', 'z':
			return n - 2
		case 's':
			if word[n-4] == 's' {
				return n - 2
			}
		case 'i':
			return n - 2
		}
	}
	return n - 1
}

func vowel(b byte) bool { return b == 'a' || b == 'e' || b == 'i' || b == 'o' || b == 'u' }
