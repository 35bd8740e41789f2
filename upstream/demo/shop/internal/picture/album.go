package picture

import (
	"bytes"
	"image/png"
	"strings"
	"sync"
)

// Size is the width and height of a picture in pixels.
const Size = 480

// Album draws pictures and keeps them. There are only as many as shapes times
// colours. The zero Album is empty and ready for use; it is safe for concurrent
// use.
type Album struct {
	mu    sync.Mutex
	drawn map[Name][]byte
}

// Name says what is drawn, in which colour. Its text is "boot-rust".
type Name struct {
	Shape  string
	Colour string
}

// NameOf returns the name of the picture for goods: their recorded shape or, for
// want of one, a guess from the words about them; and the colour they are sold in
// or, where it has no picture, one that stays the same for the same words.
func NameOf(shape string, words []string, colour string) Name {
	if _, ok := shapes[shape]; !ok {
		shape = guess(words)
	}
	return Name{Shape: shape, Colour: known(colour, words)}
}

// ParseName reads a name. It is not ok for what cannot be drawn.
func ParseName(text string) (Name, bool) {
	shape, colour, _ := strings.Cut(text, "-")
	name := Name{Shape: shape, Colour: colour}
	_, hasShape := shapes[name.Shape]
	_, hasColour := palette[name.Colour]
	return name, hasShape && hasColour
}

func (n Name) String() string { return n.Shape + "-" + n.Colour }

// PNG returns a picture. It is nil for a name that cannot be drawn.
func (a *Album) PNG(name Name) []byte {
	layers, ok := shapes[name.Shape]
	base, known := palette[name.Colour]
	if !ok || !known {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if drawn, ok := a.drawn[name]; ok {
		return drawn
	}
	var b bytes.Buffer
	if err := png.Encode(&b, paint(layers, base)); err != nil {
		return nil // A buffer takes everything, and the size is right.
	}
	if a.drawn == nil {
		a.drawn = map[Name][]byte{}
	}
	a.drawn[name] = b.Bytes()
	return b.Bytes()
}
