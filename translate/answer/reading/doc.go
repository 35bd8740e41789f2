// Package reading reads what a shopper asks for: words in, constraints out.
//
// A [Question] holds free words, the intent that UCP passes along, and what was
// said in a structured form. A [Reader] makes a [Reading] of it: the words to
// search for, price bounds, attributes that are required and that are excluded,
// context, and one [Pass] for each of several things. [Rules] is the reader that
// is always there; package openai has one that asks a model.
//
// The rules reader works in steps, each in a file of its own:
//
//	text.Tokens   words, numbers and signs
//	phrase.go     tokens → phrases, with what language and shop know of each
//	price.go      amounts and the words around them → price bounds
//	measure.go    numbers with units, and sizes
//	denial.go     what must not be
//	passes.go     several things at once
//	resume.go     sentences that come back to one of them
//	compat.go     devices that accessories fit
//	attributes.go properties and context of each thing
//	noun.go       what kind of thing it is, and the words to search for
//
// Each step marks the phrases that it understood, so that the next one leaves
// them alone.
package reading
