package language

// Names calls yield for every word or phrase that names a property, and for the
// property: "navy blue" for color: navy.
func (l *Language) Names(yield func(phrase string, f Fact)) {
	for phrase, e := range l.phrases.entries {
		for _, f := range e.Facts[:min(len(e.Facts), 1)] {
			yield(phrase, f)
		}
	}
}
