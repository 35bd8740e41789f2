// Package index finds the products of one shop that words may mean. It is an
// inverted index in memory over titles, descriptions, brands, categories,
// attributes, options, tags and SKUs; prices and stock are not in it, for those
// are read live.
//
// An [Index] gives candidates, best first, and says by what it found the words;
// whether they are what was asked for is judged elsewhere, on what the shop says
// then. It leans towards finding too much: a word also finds its
// inflections, the compounds it is part of ("Jacke" finds "Regenjacke", "rain coat"
// finds "raincoat"), the parts of a compound that no product has, and, where none
// of that is known, the words that are one typing error away. A word that finds
// nothing does not keep the others from finding.
//
// # Ranking
//
// Products are ranked by BM25F (Robertson, Zaragoza, Taylor: "Simple BM25 extension
// to multiple weighted fields", 2004): how often a word stands in each field, by
// the field's weight and length, is added up before it is saturated.
//
// # Growing while it is asked
//
// One goroutine at a time changes the index, any number search it. A search holds
// the lock only while it looks its words up; it then reads lists of which only the
// part that was there counts, since changes append. A product that changes is added
// anew, and what it was is left out of answers until enough of that has piled up to
// be worth copying the index without it, which no search waits for.
package index
