package index

import "slices"

// results says which word stands where in the best documents.
func (at *snapshot) results(best []scored) Results {
	r := Results{Words: make([]Word, len(at.groups)), Hits: make([]Hit, len(best))}
	order := make([]int, len(best)) // of hits, by document
	fields := make([]Fields, len(best)*len(at.groups))
	for i, b := range best {
		order[i] = i
		// A hit's own, with no room that an append of the caller's could take.
		own := fields[i*len(at.groups) : (i+1)*len(at.groups) : (i+1)*len(at.groups)]
		r.Hits[i] = Hit{ID: at.ids[b.doc], Score: b.score, Fields: own}
	}
	slices.SortFunc(order, func(a, b int) int { return int(best[a].doc) - int(best[b].doc) })
	for n := range at.groups {
		g := &at.groups[n]
		r.Words[n] = Word{Text: g.word, Head: g.head, Found: g.found, Forms: g.texts}
		for i := range g.forms {
			g.forms[i].list.mark(best, order, func(hit int, f Fields) { r.Hits[hit].Fields[n] |= f })
		}
	}
	for i := range r.Hits {
		r.Hits[i].Head = headOf(r.Words, r.Hits[i].Fields)
	}
	return r
}

// mark tells which of the documents are in a list. The numbers in order go through
// best by document.
func (l list) mark(best []scored, order []int, yield func(hit int, f Fields)) {
	for w := (walk{data: l.data}); len(order) > 0 && w.next(); {
		for len(order) > 0 && best[order[0]].doc < w.doc {
			order = order[1:]
		}
		if len(order) > 0 && best[order[0]].doc == w.doc {
			yield(order[0], w.fields)
		}
	}
}

// headOf returns the fields in which every word of the head stands that was found.
func headOf(all []Word, fields []Fields) Fields {
	head, any := ^Fields(0), false
	for i, w := range all {
		if w.Head && w.Found != NotFound {
			head, any = head&fields[i], true
		}
	}
	if !any {
		return 0
	}
	return head
}
