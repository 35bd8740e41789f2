// Package bench compares the index with bleve (github.com/blevesearch/bleve), the
// full-text library that Go programs usually take: the same products, the same
// queries, in the same run. It is a module of its own, so that nobody who uses the
// shop module downloads bleve.
//
//	cd translate/answer/index/internal/bench
//	STOREWARE_BENCH=1 go test -count=1 -v -timeout=30m .
//
// Why the index is our own, as measured on 2026-12-01 on two cores (AMD EPYC) that
// ten other processes used as well: what counts is how the two compare, and the
// slowest queries are those that had to wait. The heap is bytes a product; bleve
// keeps its index on disk.
//
//	products           built in   heap   query p50   query p99
//	  1,000   index      0.12 s   1045     0.08 ms       5 ms
//	          bleve       1.8 s            2.1 ms       66 ms
//	 10,000   index       1.1 s    560     0.18 ms      10 ms
//	          bleve        16 s             11 ms      177 ms
//	100,000   index        16 s    419      1.1 ms       49 ms
//	          bleve       167 s             70 ms     2296 ms
package bench
