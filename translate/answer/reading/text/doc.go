// Package text turns what a shopper typed, or what a catalogue says, into tokens
// that can be compared: lower case, without accents, full-width forms as plain
// ones, and with the inflection of five languages taken off ([Stem]).
//
// A token keeps where it stood, so that a reading can quote the shopper's own
// words. Japanese, which writes no spaces, is cut by script and by a
// [Dictionary].
package text
