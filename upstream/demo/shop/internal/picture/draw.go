package picture

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"strconv"
	"strings"
)

// grid is the width and height that shapes are written in.
const grid = 100

// samples is how many lines are drawn for one line of pixels, against steps.
const samples = 4

// layer is a part of a shape: an outline and how it is coloured. The outline is
// written like SVG's path data, in absolute M, L, C and Z only, with O cx cy rx ry
// for an ellipse.
type layer struct {
	outline string
	tone    tone
}

type point struct{ x, y float64 }

// paint puts the layers over each other, the first one at the bottom.
func paint(layers []layer, c color.RGBA) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, Size, Size))
	draw.Draw(img, img.Bounds(), image.NewUniform(ground(c)), image.Point{}, draw.Src)
	fill(img, contours("O 50 88 34 4"), mix(ground(c), color.RGBA{0, 0, 0, 0xff}, 10))
	for _, l := range layers {
		fill(img, contours(l.outline), l.tone.of(c))
	}
	return img
}

// contours reads an outline into closed polygons in pixels. What is not an outline
// is left out: shapes are constants, and a test reads each.
func contours(outline string) [][]point {
	var out [][]point
	var at point
	scanner := pathScanner{strings.Fields(outline)}
	for {
		command, n := scanner.next()
		switch command {
		case "M":
			at = n[0]
			out = append(out, []point{at})
		case "L":
			at = n[0]
			out[len(out)-1] = append(out[len(out)-1], at)
		case "C":
			out[len(out)-1] = append(out[len(out)-1], curve(at, n[0], n[1], n[2])...)
			at = n[2]
		case "O":
			out = append(out, ellipse(n[0], n[1]))
		case "Z":
		default:
			return out
		}
	}
}

// pathScanner reads commands with their points. A command without a letter is the
// one before again.
type pathScanner struct{ words []string }

func (s *pathScanner) next() (command string, n []point) {
	if len(s.words) == 0 {
		return "", nil
	}
	command, s.words = s.words[0], s.words[1:]
	count := map[string]int{"M": 1, "L": 1, "C": 3, "O": 2}[command]
	for range count {
		if len(s.words) < 2 {
			return "", nil
		}
		x, errX := strconv.ParseFloat(s.words[0], 64)
		y, errY := strconv.ParseFloat(s.words[1], 64)
		if errX != nil || errY != nil {
			return "", nil
		}
		s.words = s.words[2:]
		n = append(n, point{x * Size / grid, y * Size / grid})
	}
	return command, n
}

// curve returns points on a cubic Bézier curve after its first.
func curve(a, b, c, d point) []point {
	const steps = 24
	out := make([]point, 0, steps)
	for i := 1; i <= steps; i++ {
		t := float64(i) / steps
		u := 1 - t
		p, q, r, s := u*u*u, 3*u*u*t, 3*u*t*t, t*t*t
		out = append(out, point{p*a.x + q*b.x + r*c.x + s*d.x, p*a.y + q*b.y + r*c.y + s*d.y})
	}
	return out
}

func ellipse(centre, radius point) []point {
	const steps = 72
	out := make([]point, steps)
	for i := range out {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		out[i] = point{centre.x + radius.x*cos, centre.y + radius.y*sin}
	}
	return out
}

// fill colours what is inside the contours (the rule is even-odd, so that a
// contour within another is a hole), with soft edges.
func fill(img *image.RGBA, shape [][]point, c color.RGBA) {
	from, to := bounds(shape)
	cover := make([]float64, to.x-from.x)
	for y := from.y; y < to.y; y++ {
		clear(cover)
		for s := range samples {
			xs := crossings(shape, float64(y)+(float64(s)+0.5)/samples)
			for i := 0; i+1 < len(xs); i += 2 {
				span(cover, xs[i]-float64(from.x), xs[i+1]-float64(from.x))
			}
		}
		for x, part := range cover {
			if part > 0 {
				percent := int(math.Round(min(part/samples, 1) * 100))
				img.SetRGBA(from.x+x, y, mix(img.RGBAAt(from.x+x, y), c, percent))
			}
		}
	}
}

// pixel is a place on the picture.
type pixel struct{ x, y int }

// bounds returns the pixels that a shape lies between, within the picture.
func bounds(shape [][]point) (from, to pixel) {
	from, to = pixel{Size, Size}, pixel{0, 0}
	for _, contour := range shape {
		for _, p := range contour {
			from = pixel{min(from.x, int(p.x)), min(from.y, int(p.y))}
			to = pixel{max(to.x, int(p.x)+1), max(to.y, int(p.y)+1)}
		}
	}
	from = pixel{max(from.x, 0), max(from.y, 0)}
	return from, pixel{max(min(to.x, Size), from.x), min(to.y, Size)}
}

// crossings returns where the contours cross a horizontal line, from left to right.
func crossings(shape [][]point, y float64) []float64 {
	var xs []float64
	for _, contour := range shape {
		for i, a := range contour {
			b := contour[(i+1)%len(contour)]
			if (a.y <= y) != (b.y <= y) {
				xs = append(xs, a.x+(y-a.y)/(b.y-a.y)*(b.x-a.x))
			}
		}
	}
	slices.Sort(xs)
	return xs
}

// span adds what of each pixel lies between two places.
func span(cover []float64, from, to float64) {
	from, to = max(from, 0), min(to, float64(len(cover)))
	for x := int(from); x < len(cover) && float64(x) < to; x++ {
		cover[x] += min(to, float64(x+1)) - max(from, float64(x))
	}
}
