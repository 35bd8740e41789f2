// Package letters makes one form of each letter, so that words can be compared that
// people write in several ways: small, without accents on Latin letters and in one
// width. Letters of other scripts keep their marks, which make other letters of them.
package letters
