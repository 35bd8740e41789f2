package index

import "encoding/binary"

// list holds the products that a term stands in, in the order in which they were
// added. Each is a few bytes: how far it is from the one before, with a bit that
// says whether counts follow; the fields; and the counts, where a field has the
// term more than once. Only descriptions and attributes are counted: to stand in a
// title twice says no more than once.
type list struct {
	data []byte
	last uint32 // the product that was added last
	size uint32 // how many products there are
}

// posting is a place in a list.
type posting struct {
	doc    uint32
	fields Fields
	counts uint8 // in attributes, times 16, and in the description, each 1 to 15
}

const oneEach = 1<<4 | 1

// add appends a posting whose product comes after all others.
func (l *list) add(p posting) {
	gap := uint64(p.doc-l.last) << 1
	if l.size == 0 {
		gap = uint64(p.doc) << 1
	}
	counted := p.counts != oneEach
	if counted {
		gap |= 1
	}
	l.data = append(binary.AppendUvarint(l.data, gap), byte(p.fields))
	if counted {
		l.data = append(l.data, p.counts)
	}
	l.last = p.doc
	l.size++
}

// walk reads a list from its beginning. Its posting is the one that next found.
type walk struct {
	data []byte
	posting
}

// next goes to the next posting, and reports whether there is one.
func (w *walk) next() bool {
	data := w.data
	if len(data) < 2 {
		return false
	}
	gap, n := uint64(data[0]), 1
	switch {
	case gap < 0x80:
	case data[1] < 0x80:
		gap, n = gap&0x7f|uint64(data[1])<<7, 2
	default:
		gap, n = binary.Uvarint(data)
	}
	w.doc += uint32(gap >> 1)
	w.fields = Fields(data[n])
	n++
	w.counts = oneEach
	if gap&1 != 0 {
		w.counts = data[n]
		n++
	}
	w.data = data[n:]
	return true
}
