// Package vocabulary holds the words of one shop: the names and values of the
// attributes and options in its catalogue, its tags, and the nouns of its titles
// and categories. With it a question is read in the shop's own terms.
//
// A [Builder] takes products as the crawl brings them; [Builder.Snapshot] returns
// a [Vocabulary], which never changes and is safe for concurrent use.
package vocabulary
