package verdict

import (
	"cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

// Judge judges products by what was asked for. It is safe for concurrent use.
type Judge struct {
	wishes []wish
	// attributes: some wish is about one.
	attributes bool
	words      *Lexicon
	photo      func(*upstream.Product) []string
}

// NewJudge returns a judge by constraints, all of which a product has to meet. The
// lexicon is the shop's. Photo returns the colours that a product's photograph
// shows, none where no photograph was looked at; it may be nil.
func NewJudge(constraints []Constraint, words *Lexicon, photo func(*upstream.Product) []string) *Judge {
	j := &Judge{wishes: make([]wish, len(constraints)), words: words, photo: photo}
	for i, c := range constraints {
		j.wishes[i] = words.wish(c)
		j.attributes = j.attributes || c.Kind == Attribute || c.Kind == ExcludedAttribute
	}
	return j
}

// Judgement is what came of judging a product.
type Judgement struct {
	// Variant is the one that the verdicts are about: its price is the product's.
	Variant *upstream.Variant
	// Verdicts are in the order of the constraints.
	Verdicts []Verdict
}

// Qualifies reports whether every constraint is met.
func (j Judgement) Qualifies() bool { return j.satisfied() == len(j.Verdicts) }

func (j Judgement) satisfied() int {
	n := 0
	for _, v := range j.Verdicts {
		if v.Outcome == Satisfied {
			n++
		}
	}
	return n
}

// Of judges a product, which has at least one variant.
func (j *Judge) Of(p *upstream.Product) Judgement {
	k := j.known(p)
	best, next := Judgement{}, Judgement{}
	for i := range p.Variants {
		v := &p.Variants[i]
		next.Variant = v
		if next.Verdicts == nil {
			next.Verdicts = make([]Verdict, len(j.wishes))
		}
		var own *facts
		if j.attributes && len(v.Attributes)+len(v.Options) > 0 {
			own = j.words.facts(v.Attributes, v.Options)
		}
		for n := range j.wishes {
			next.Verdicts[n] = k.verdict(n, v, own)
		}
		if best.Variant == nil || next.betterThan(best) {
			best, next = next, best
		}
	}
	return best
}

// betterThan prefers what meets more, then what fails less, then what can be
// bought, then what costs less.
func (j Judgement) betterThan(other Judgement) bool {
	return cmp.Or(
		cmp.Compare(j.satisfied(), other.satisfied()),
		cmp.Compare(other.failed(), j.failed()),
		compareTruth(j.Variant.Availability.Buyable(), other.Variant.Availability.Buyable()),
		cmp.Compare(other.Variant.Price.Minor, j.Variant.Price.Minor),
	) > 0
}

func (j Judgement) failed() int {
	n := 0
	for _, v := range j.Verdicts {
		if v.Outcome == Failed {
			n++
		}
	}
	return n
}

func compareTruth(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// verdict is the n-th constraint's, about a variant with facts of its own, if it
// has any.
func (k *knowledge) verdict(n int, v *upstream.Variant, own *facts) Verdict {
	c := &k.judge.wishes[n]
	switch c.Kind {
	case MaxPrice, MinPrice:
		met := v.Price.Minor <= c.Minor
		if c.Kind == MinPrice {
			met = v.Price.Minor >= c.Minor
		}
		return Verdict{Constraint: c.Kind, Outcome: outcome(met), Wanted: Number(c.Minor), Found: Number(v.Price.Minor), Source: LivePrice}
	case InStock:
		verdict := Verdict{Constraint: c.Kind, Wanted: Truth(true), Source: Inventory}
		if v.Availability == upstream.AvailabilityUnknown {
			verdict.Outcome = NotAssessed
			return verdict
		}
		verdict.Outcome, verdict.Found = outcome(v.Availability.Buyable()), Truth(v.Availability.Buyable())
		return verdict
	}
	verdict := Verdict{Constraint: c.Kind, Key: c.Key, Wanted: c.wanted}
	e := k.evidence(n, own)
	verdict.Source = e.source
	if len(e.found) > 0 {
		verdict.Found = Texts(e.found...)
	}
	switch {
	case e.says == nothing, e.says == vague:
		verdict.Outcome = NotAssessed
	case c.Kind == ExcludedAttribute:
		verdict.Outcome = outcome(e.says == no)
	default:
		verdict.Outcome = outcome(e.says == yes)
	}
	return verdict
}

func outcome(met bool) Outcome {
	if met {
		return Satisfied
	}
	return Failed
}
