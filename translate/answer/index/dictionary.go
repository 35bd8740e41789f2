package index

import "hash/maphash"

// dictionary finds the numbers of terms, which stand in a slice of their own. It is
// a hash table of numbers alone, since a map of strings takes a third of the memory
// of a small shop's index. The zero dictionary is empty.
type dictionary struct {
	seed  maphash.Seed
	slots []uint32 // the number of a term and one, or zero; a power of two of them
	count int
}

// find returns the number of a term.
func (d *dictionary) find(terms []string, word []byte) (n uint32, known bool) {
	if d.count == 0 {
		return 0, false
	}
	for at := maphash.Bytes(d.seed, word); ; at++ {
		slot := d.slots[at&uint64(len(d.slots)-1)]
		switch {
		case slot == 0:
			return 0, false
		case terms[slot-1] == string(word):
			return slot - 1, true
		}
	}
}

// add takes in the last of the terms, which is not there yet.
func (d *dictionary) add(terms []string) {
	if 4*(d.count+1) > 3*len(d.slots) {
		grown := dictionary{seed: d.seed, slots: make([]uint32, max(64, 2*len(d.slots)))}
		if d.count == 0 {
			grown.seed = maphash.MakeSeed()
		}
		for _, slot := range d.slots {
			if slot != 0 {
				grown.put(terms, slot)
			}
		}
		*d = grown
	}
	d.put(terms, uint32(len(terms)))
}

func (d *dictionary) put(terms []string, slot uint32) {
	at := maphash.String(d.seed, terms[slot-1])
	for d.slots[at&uint64(len(d.slots)-1)] != 0 {
		at++
	}
	d.slots[at&uint64(len(d.slots)-1)] = slot
	d.count++
}
