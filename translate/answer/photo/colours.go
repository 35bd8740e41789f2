package photo

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // formats that shops show
	_ "image/png"
	"slices"

	_ "golang.org/x/image/webp"
)

// Limits of a picture.
const (
	// MaxBytes bounds an encoded picture, in bytes.
	MaxBytes = 8 << 20
	// maxPixels bounds a decoded one: four bytes of memory each.
	maxPixels = 24 << 20
)

// dominant is the least share of the thing, in percent, that a colour covers to be
// named.
const dominant = 15

// ErrPicture says that something is no picture that can be read here: another
// format, too large, broken, or transparent all over.
var ErrPicture = errors.New("not a picture that can be read")

// Colour is a colour that a picture shows.
type Colour struct {
	// Name is an English one: black, white, grey, brown, beige, red, orange,
	// yellow, green, turquoise, blue, navy, purple or pink.
	Name string
	// Share is how much of the thing it covers, in percent.
	Share int
}

// Colours returns the dominant colours of what a picture shows, the widest first;
// none where it has many and none of them dominates. The error wraps ErrPicture.
func Colours(encoded []byte) ([]Colour, error) {
	if len(encoded) > MaxBytes {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrPicture, MaxBytes)
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(encoded))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	case size.Width <= 0 || size.Height <= 0 || size.Width > maxPixels/size.Height:
		return nil, fmt.Errorf("%w: %d by %d pixels", ErrPicture, size.Width, size.Height)
	}
	picture, _, err := image.Decode(bytes.NewReader(encoded))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPicture, err)
	}
	pixels := thing(sample(picture))
	if len(pixels) == 0 {
		return nil, fmt.Errorf("%w: it is transparent", ErrPicture)
	}
	return shareOf(pixels), nil
}

// shareOf counts pixels by their colours' names.
func shareOf(pixels []lab) []Colour {
	counts := map[string]int{}
	for _, p := range pixels {
		counts[p.name()]++
	}
	var out []Colour
	for name, n := range counts {
		if share := n * 100 / len(pixels); share >= dominant {
			out = append(out, Colour{name, share})
		}
	}
	slices.SortFunc(out, func(a, b Colour) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name))
	})
	return out
}
