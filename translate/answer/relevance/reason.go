package relevance

// Reason is what a judgement rests on.
type Reason int

// The reasons.
const (
	NoNoun Reason = iota
	NoTitle
	ByTitle
	ByType
	ByCategory
	ByBrand
	TitleServes
	TitleOther
	ForOther
	Nowhere
)

// String returns the reason in words.
func (r Reason) String() string {
	switch r {
	case NoNoun:
		return "the question names nothing, or in a language that is not known"
	case NoTitle:
		return "the product has no title"
	case ByTitle:
		return "what the title calls it"
	case ByType:
		return "its recorded type"
	case ByCategory:
		return "its category"
	case ByBrand:
		return "its brand is what was asked for"
	case TitleServes:
		return "the title names something that serves another thing"
	case TitleOther:
		return "the title names another thing"
	case ForOther:
		return "it is one, but for another thing"
	case Nowhere:
		return "neither title nor type nor category names it"
	}
	return "unknown"
}
