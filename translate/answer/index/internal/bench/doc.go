// Package bench compares the index with bleve (github.com/blevesearch/bleve), the
// full-text library that Go programs usually take: the same products, the same
// queries, in the same run. It is a module of its own, so that nobody who uses the
// shop module downloads bleve.
//
//	cd translate/answer/index/internal/bench
//	STOREWARE_BENCH=1 go test -count=1 -v -timeout=30m .
package bench
