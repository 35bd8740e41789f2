package index

// DefaultLimit is how many candidates a search gives if not told otherwise.
const DefaultLimit = 200

// maxWords is how many words of a query are looked for.
const maxWords = 24

// Query is what is looked for.
type Query struct {
	// Text is free words.
	Text string
	// Head names the thing asked for ("walking boots" of "waterproof walking boots
	// for winter"), as far as the caller knows. Its words count for more where they
	// stand in a title or a category; those that are not in Text are looked for too.
	Head string
	// Language is the BCP 47 tag of Text, where it may differ from the shop's.
	Language string
	// Limit is the most candidates wanted, 0 for [DefaultLimit].
	Limit int
}

// Results are the candidates of a query.
type Results struct {
	// Words are those that were looked for, each once, without the ones that say
	// nothing ("for", "mit").
	Words []Word
	// Hits are the best products that have any of them, best first.
	Hits []Hit
}

// Word is a word of a query.
type Word struct {
	// Text is the word, folded.
	Text string
	// Head: it is one of Query.Head.
	Head bool
	// Found says by what it was found, zero where no product has it.
	Found Found
	// Forms are the terms of the index that stood for it, folded and without their
	// endings, the most frequent ones first where there were many to choose from.
	Forms []string
}

// Found says by what a word was found. The last that applies counts.
type Found uint8

// The ways. NotFound means that no product has the word.
const (
	NotFound Found = iota
	// Itself: the word or an inflection of it, or a compound with it.
	Itself
	// InParts: the parts of a compound, or the number and the unit of "32gb".
	InParts
	// Corrected: a word that is one typing error away.
	Corrected
)

// Hit is a product that may be meant.
type Hit struct {
	// ID is the product's.
	ID string
	// Score compares the hit with others of the same query and says nothing else.
	Score float32
}
