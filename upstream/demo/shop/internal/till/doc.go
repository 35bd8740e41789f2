// Package till works out what a basket of the demo shop costs: promotions and
// discount codes, ways of delivery, tax, and totals that add up.
//
// It is arithmetic alone. Every figure is in minor units of one currency; the
// shop's own tables are in pence and converted by [goods.Convert]. The products'
// prices are at most 10^12 minor units, quantities at most a thousand and lines at
// most a few hundred, so that sums stay far within an int64.
//
// # Order of things
//
// The promotion comes off first, line by line. Of the codes that lower the price
// one counts, the first that fits; what it takes off is spread over the lines that
// it applies to, by their price, to the last penny. Free delivery goes with any.
// Tax is reckoned on what is left of each line, at the rate of the country the
// goods go to.
package till
