// Package relevance judges whether a product is the kind of thing that was asked
// for: a printer and not its toner, boots and not what polishes them.
//
// It looks at what a title calls the product, at a recorded product type and at
// the categories, never at the whole text: a description of toner is full of
// printers. What a title calls the product is its head noun. In English, German
// and Japanese that is the last noun before "for", "with", a comma or a size, in
// French and Spanish the first one; German compounds count by their last part.
//
// # Kinds
//
// Nouns are compared by the kind of thing that they name, in five languages (the
// tables in kinds): a tv is a television and un téléviseur, boots are footwear, a
// phone case is a case and no phone. A [Learner] adds the nouns that name the
// categories and product types of a shop. A noun that neither knows is compared by
// its letters.
//
// # When nobody can tell
//
// [NotJudged] is for a question without a noun, a language that is not known and a
// product without a title; all else gets an answer. A product whose title, type
// and categories do not say what it is, and in which no word of the question
// occurs, is [Unrelated].
package relevance
