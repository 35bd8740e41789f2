// Package wootest is a WooCommerce shop for tests: the Store API as version
// 10.5.2 of it was recorded, the part of the REST API that an adapter reads, and
// the pages that a hand-off leads to.
//
// Its products, the errors it answers with and the parameters that its routes
// take are those of the recordings (testdata), word by word. What no real shop
// would accept, it refuses as a real one did; and a parameter that no route has,
// which a real shop passes over in silence, fails the test.
//
// It has the habits of a real one too. It forgets a basket without a word when
// its token is bad, lowers quantities, answers an unknown way of delivery with
// its first one, places as many orders as it is sent requests at once, and takes
// stock for short when it is asked twice in a second.
//
// [Shop] is an http.Handler, and an http.RoundTripper for clients in the same
// process, whose time can be a synctest's.
package wootest
