// Package listwalk walks the list of a shop that gives it by offset, in the order of
// ids, and can leave out what was not changed since a moment. That is what most
// shops have. It makes [upstream.Walker] of it.
//
// What is removed while a walk is on its way moves all that follows to the front.
// So each page begins with the product that the last one ended with; where that is
// not in its place any more, the walk goes back by a page. To see a product twice
// does no harm.
package listwalk
