package reading

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
	"github.com/storeware/caddy-storeware/translate/answer/reading/text"
)

// language finds the language of the words: what is clear from the script, then
// the one that knows most of them. The tag of the question decides between equal
// ones, and English is taken where nothing tells. It returns nil for a language
// that is not known.
func (r *Rules) language(plain, tag string) *language.Language {
	if text.Foreign(plain) {
		return nil
	}
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	if text.Kana(plain) || strings.ContainsFunc(plain, text.Unspaced) && tag != "zh" && !strings.ContainsAny(plain, chinese) {
		return r.byTag("ja")
	}
	if strings.ContainsFunc(plain, text.Unspaced) {
		return nil
	}
	tokens := text.Tokens(plain, nil)
	stated := r.byTag(tag)
	best, most := stated, 0
	if stated != nil {
		most = evidence(stated, tokens) + 1
	}
	for _, l := range r.languages {
		if n := evidence(l, tokens); n > most {
			best, most = l, n
		}
	}
	strange := 0
	for _, t := range tokens {
		if strings.Contains(others, " "+t.Fold+" ") {
			strange++
		}
	}
	switch {
	case 2*strange > most && strange > 0:
		return nil
	case best == nil && tag != "":
		return nil
	case best == nil:
		return r.byTag("en")
	}
	return best
}

func (r *Rules) byTag(tag string) *language.Language {
	for _, l := range r.languages {
		if l.Tag == tag {
			return l
		}
	}
	return nil
}

// evidence counts the words that a language knows, those of its grammar twice,
// and letters that are its own.
func evidence(l *language.Language, tokens []text.Token) int {
	n := 0
	for i := 0; i < len(tokens); i++ {
		if tokens[i].Kind != text.Word {
			continue
		}
		entry, ok := l.Match(tokens[i:])
		if ok && (entry.Roles != 0 || len(entry.Facts) > 0 || entry.Counts) {
			n += entry.Words
			if entry.Roles != 0 {
				n += entry.Words
			}
			i += entry.Words - 1
		}
		if strings.ContainsAny(tokens[i].Text, letters(l.Tag)) {
			n++
		}
	}
	return n
}

func letters(tag string) string {
	switch tag {
	case "de":
		return "äöüßÄÖÜ"
	case "fr":
		return "èêçàùœîôûëÈÊÇÀ"
	case "es":
		return "ñáíóúÑÁÍÓÚ"
	}
	return ""
}

// chinese are characters that only Chinese is written with.
const chinese = "的这这个买们吗块价装鞋裤双红绿蓝过没给让从对样"

// others are small words of languages that are not known, written without
// accents, which none of the known languages has.
const others = ` una sotto senza giacca euro_it il per di con_it che scarpe della degli nero meno_it vorrei cerco sono voor zonder een onder_nl het niet maar ik zoek naar jas schoenen met_nl goedkope van ` +
	` nao sem jaqueta abaixo ate uma com_pt procuro quero_pt sapatos menos_pt eu ` +
	` jag och inte utan under_sv kronor_sv soker en_sv till jacka skor for_sv ` +
	` szukam kurtka bez ponizej zlotych buty nie do_pl jest oraz hledam boty levne ` +
	` ikke uten uden jakke og jeg leter ` + ` icin ucuz altinda ayakkabi ve degil istiyorum ` + ` toi muon khong duoi giay ao ` + ` saya cari tanpa bawah sepatu murah tidak dengan `
