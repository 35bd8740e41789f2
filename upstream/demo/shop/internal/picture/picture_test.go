package picture

import (
	"bytes"
	"image/color"
	"image/png"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestShapesAreWhole draws every shape, which also shows that each outline is read
// to its end.
func TestShapesAreWhole(t *testing.T) {
	for name, layers := range shapes {
		for _, l := range layers {
			scanner := pathScanner{strings.Fields(l.outline)}
			for len(scanner.words) > 0 {
				left := scanner.words
				if command, _ := scanner.next(); command == "" || len(left) == len(scanner.words) {
					t.Errorf("%s: cannot read %q", name, strings.Join(left, " "))
					break
				}
			}
		}
		img := paint(layers, color.RGBA{0xff, 0, 0xff, 0xff})
		seen := 0
		for y := range Size {
			for x := range Size {
				if img.RGBAAt(x, y) == (color.RGBA{0xff, 0, 0xff, 0xff}) {
					seen++
				}
			}
		}
		if seen < Size*Size/200 {
			t.Errorf("%s shows %d pixels in the colour of the goods", name, seen)
		}
	}
	for _, g := range guesses {
		if _, ok := shapes[g.shape]; !ok {
			t.Errorf("%q leads to the shape %q, which does not exist", g.word, g.shape)
		}
	}
	for _, name := range earthen {
		if _, ok := palette[name]; !ok {
			t.Errorf("%q is no colour", name)
		}
	}
}

func TestNameOf(t *testing.T) {
	tests := []struct {
		shape  string
		words  []string
		colour string
		want   string
	}{
		{"card", []string{"Boot"}, "Rust", "card-rust"},
		{"", []string{"Footwear/Walking boots", "Fjell Trail GTX"}, "Tan", "boot-tan"},
		{"nothing we draw", []string{"Gear", "Joust Duffle Bag"}, "Light Blue", "bag-blue"},
		{"", []string{"Printer"}, " GRAY ", "box-grey"},
		{"", []string{"Dry bags"}, "Red", "bag-red"},
	}
	for _, test := range tests {
		if got := NameOf(test.shape, test.words, test.colour).String(); got != test.want {
			t.Errorf("%q, %v, %q: got %s, want %s", test.shape, test.words, test.colour, got, test.want)
		}
	}
	a, b := NameOf("", []string{"Printer"}, "Elephant's Breath"), NameOf("", []string{"Printer"}, "Elephant's Breath")
	if a != b || !slices.Contains(earthen, a.Colour) {
		t.Errorf("an unknown colour is drawn as %s and %s, want the same earthen one", a, b)
	}
}

func TestParseName(t *testing.T) {
	for _, good := range []string{"boot-rust", "card-oat"} {
		if name, ok := ParseName(good); !ok || name.String() != good {
			t.Errorf("%q is read as %v, %v", good, name, ok)
		}
	}
	for _, bad := range []string{"", "boot", "boot-", "-rust", "boot-nothing", "nothing-rust", "boot-rust-", "../boot-rust"} {
		if _, ok := ParseName(bad); ok {
			t.Errorf("%q can be drawn", bad)
		}
	}
}

func TestPNG(t *testing.T) {
	var album Album
	var wait sync.WaitGroup
	drawn := make([][]byte, 8)
	for i := range drawn {
		wait.Go(func() { drawn[i] = album.PNG(Name{"mug", "rust"}) })
	}
	wait.Wait()
	for _, other := range drawn[1:] {
		if !bytes.Equal(drawn[0], other) {
			t.Fatal("the same name gave two pictures")
		}
	}
	img, err := png.Decode(bytes.NewReader(drawn[0]))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[color.Color]int{}
	for y := range Size {
		for x := range Size {
			counts[img.At(x, y)]++
		}
	}
	if n := counts[palette["rust"]]; n < Size*Size/20 {
		t.Errorf("a rust mug has %d pixels of rust", n)
	}
	if album.PNG(Name{"mug", "nothing"}) != nil || album.PNG(Name{}) != nil {
		t.Error("something was drawn for a name that is none")
	}
	for _, name := range slices.Sorted(maps.Keys(palette)) {
		if name != strings.ToLower(name) || strings.Contains(name, "-") {
			t.Errorf("colour %q cannot stand in a name", name)
		}
	}
}
