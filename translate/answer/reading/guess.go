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
	tokens = tokens[:min(len(tokens), maxEvidence)]
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
	switch n := r.strange(tokens); {
	case n > 0 && 2*n >= most:
		return nil
	case best == nil && tag != "":
		return nil
	case best == nil:
		return r.byTag("en")
	}
	return best
}

// maxEvidence is how many words are looked at to tell the language.
const maxEvidence = 64

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
		if ok && (entry.Roles&^language.Device != 0 || len(entry.Facts) > 0 || entry.Counts) {
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

// strange counts what tells of a language that is not known: its commonest
// words, and its letters.
func (r *Rules) strange(tokens []text.Token) int {
	n := 0
	for _, t := range tokens {
		if t.Kind != text.Word {
			continue
		}
		if r.strangers[t.Fold] {
			n++
		}
		if strings.ContainsAny(t.Text, strangeLetters) {
			n++
		}
	}
	return n
}

// strangers returns the words of languages that are not known, without those
// that one of the known languages has too.
func strangers(known []*language.Language) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(foreign) {
		words[text.Fold(word)] = true
	}
	for word := range words {
		for _, l := range known {
			if _, ok := l.Match([]text.Token{{Kind: text.Word, Fold: word}}); ok {
				delete(words, word)
			}
		}
	}
	return words
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

// strangeLetters are Latin letters that none of the known languages has.
const strangeLetters = "ãõÃÕåøæÅØÆłąężśćźńŁĄĘŻŚĆŹŃřěůčšžďťŘĚŮČŠŽğışĞİŞőűŐŰășțĂȘȚđơưĐƠƯìòÌÒ"

// foreign are the words that shoppers use most in other languages: prepositions,
// pronouns, and what is worn. In order: Italian, Portuguese, Dutch, Swedish,
// Danish and Norwegian, Finnish, Polish, Czech, Hungarian, Romanian, Turkish,
// Vietnamese, Indonesian.
const foreign = `
	sotto senza giacca giacche il di che scarpe scarpa della delle degli dei vorrei cerco sono meno borsa maglione maglietta pantaloni stivali zaino impermeabile cuoio pelle nera nere neri rossa rosse donna uomo economico economiche regalo
	não nao sem jaqueta casaco abaixo até uma procuro quero sapatos tênis tenis bolsa camisa vestido calças botas couro preto preta vermelho vermelha mulher homem barato mochila reais
	voor zonder een onder het niet maar ik zoek naar jas schoenen goedkope goedkoop van met laarzen tas jurk trui broek zwarte rode leren waterdichte dames heren kinderen minder dan
	jag och inte utan söker till jacka skor väska klänning tröja byxor stövlar vattentät svart röd läder billiga mindre än för är kronor
	ikke uten uden jakke jeg leter etter efter sko støvler veske taske kjole genser bukser vanntett vandtæt sort rød skinn læder billig og til
	ilman alle etsin takki kengät kenkä laukku mekko housut saappaat vedenpitävä musta punainen nahka halpa euroa
	szukam kurtka kurtki bez poniżej złotych buty nie jest oraz torba sukienka spodnie wodoodporna czarne czarna czerwona skórzane tanie dla damskie męskie do
	hledám boty bunda bundy levné taška šaty kalhoty nepromokavá černé černá červená kožené pro dámské pánské korun
	keresek cipő kabát nélkül alatt táska ruha nadrág csizma vízálló fekete piros olcsó és forint
	caut pantofi geacă fără sub geantă rochie pantaloni cizme impermeabilă negru roșie piele ieftin lei pentru
	için ucuz altında ayakkabı ve değil istiyorum ceket çanta elbise pantolon bot çizme su geçirmez siyah kırmızı deri kadın erkek liranın olmayan
	tôi muốn không dưới giày áo khoác túi váy quần đen đỏ rẻ cho nước
	saya cari tanpa bawah sepatu murah tidak dengan jaket tas celana baju hitam merah kulit untuk wanita pria ribu`
