// Package words cuts text into words and makes one form of each: "Jackets",
// "jacket" and "JACKET" are one word, as are "Mütze", "Muetze" and "Mützen", or
// "２ＴＢ" and "2TB". What stands in a catalogue and what somebody asks for go
// through the same functions, so that they meet.
//
// The stems are light: they take off what inflection adds (plurals, cases, gender,
// -ing and -ed) and leave alone what makes another word ("print", "printer").
// A stem is for comparing and never for reading.
package words
