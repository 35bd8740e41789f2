// Package language holds what the rules reader knows of English, German, French,
// Spanish and Japanese: the words that bound a price, deny, join, open a clause or
// say nothing, and the general names of colours, materials and other properties
// that any shop may be asked for.
//
// Each language is a table of words in a file of its own, compiled by [New] into a
// [Language] that is never changed afterwards. The grammar that puts the words
// together is in package reading; a language differs only by its table and by the
// few switches of [Language].
package language
