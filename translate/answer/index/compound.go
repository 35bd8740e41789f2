package index

import "github.com/storeware/caddy-storeware/translate/answer/index/words"

// leastPart is how short a part of a compound may be, in letters.
const leastPart = 3

// compounds reports whether the shop's language writes two nouns as one word.
func (p *planner) compounds() bool {
	return p.shop != words.French && p.shop != words.Spanish && p.shop != words.Japanese
}

// addCompounds adds the words of the shop that are made with this one: those that
// end with it are such a thing themselves, those that begin with it may be for one.
// English joins two words that also stand alone; other languages, such as German,
// any.
func (p *planner) addCompounds(g *group) {
	var heads, modifiers []candidate
	p.alphabet.ending(p.terms, g.stem, func(n uint32, text string) {
		if rest := text[:len(text)-len(g.stem)]; p.isPart(rest) && p.size(n) > 0 {
			heads = append(heads, candidate{term: n, size: p.size(n), weight: asHead})
		}
	})
	p.alphabet.beginning(p.terms, g.stem, func(n uint32, text string) {
		if _, known := p.known(text[len(g.stem):]); known && len(text)-len(g.stem) > leastPart && p.size(n) > 0 {
			modifiers = append(modifiers, candidate{term: n, size: p.size(n), weight: asModifier})
		}
	})
	p.addBest(g, heads, maxForms/2)
	p.addBest(g, modifiers, maxForms/4)
}

// isPart reports whether letters before a word make a compound of it.
func (p *planner) isPart(rest string) bool {
	if len(rest) < leastPart || !letters(rest) {
		return false
	}
	_, known := p.known(rest)
	return known || p.shop != words.English
}

// known returns the number of a word, with the letters that join it to the next
// taken off where need be: "Arbeit-s-hose", "Lampe-n-schirm".
func (p *planner) known(part string) (term uint32, ok bool) {
	if term, ok = p.lookUp(part); ok || p.shop == words.English {
		return term, ok
	}
	for _, joint := range []string{"s", "n", "es", "en", "er", "e"} {
		if n := len(part) - len(joint); n >= leastPart && part[n:] == joint {
			if term, ok = p.lookUp(part[:n]); ok {
				return term, ok
			}
		}
	}
	return 0, false
}

// lookUp returns the number of a word that some product has.
func (p *planner) lookUp(word string) (term uint32, ok bool) {
	for _, form := range [...][]byte{[]byte(word), p.shop.Stem([]byte(word))} {
		if n, known := p.dict.find(p.terms, form); known && p.size(n) > 0 {
			return n, true
		}
	}
	return 0, false
}

// takeApart adds the two words that a compound is made of, if products have both.
// The last one says what it is. Of several ways to cut it, the one with the
// longest last word is taken.
func (p *planner) takeApart(g *group) {
	for cut := leastPart; cut <= len(g.stem)-leastPart; cut++ {
		first, ok := p.known(g.stem[:cut])
		if !ok || !letters(p.terms[first]) {
			continue
		}
		if last, ok := p.lookUp(g.stem[cut:]); ok {
			if len(g.forms) == 0 {
				g.found = InParts
			}
			p.add(g, last, asHead)
			p.add(g, first, asModifier)
			return
		}
	}
}
