package photo

import (
	"image"
	"slices"
)

// side is how many pixels of a picture are looked at in each direction.
const side = 96

// grid is a picture made small.
type grid struct {
	wide, high int
	pixels     []lab
	visible    []bool // what is not transparent
}

// sample looks at pixels of a picture at equal distances.
func sample(picture image.Image) grid {
	bounds := picture.Bounds()
	g := grid{wide: min(bounds.Dx(), side), high: min(bounds.Dy(), side)}
	g.pixels = make([]lab, 0, g.wide*g.high)
	g.visible = make([]bool, 0, g.wide*g.high)
	for y := range g.high {
		for x := range g.wide {
			// The middle of the pixel's cell.
			r, green, b, a := picture.At(
				bounds.Min.X+(2*x+1)*bounds.Dx()/(2*g.wide),
				bounds.Min.Y+(2*y+1)*bounds.Dy()/(2*g.high),
			).RGBA()
			g.visible = append(g.visible, a > 0x8000)
			if a > 0 && a < 0xffff { // undo the premultiplication
				r, green, b = r*0xffff/a, green*0xffff/a, b*0xffff/a
			}
			g.pixels = append(g.pixels, labOf(r, green, b))
		}
	}
	return g
}

// How alike, as a squared distance in OKLab, pixels of one background are, and
// which part of the border has to be alike for the picture to have one, in percent.
const (
	alike    = 0.04 * 0.04
	mostEdge = 60
)

// thing returns the pixels of what is shown: those that are connected with the
// border by nothing but background are left out. A picture whose border is of
// many colours, or that is of one alone, is taken as a whole.
func thing(g grid) []lab {
	edge := g.edge()
	background, ok := g.background(edge)
	outside := make([]bool, len(g.pixels))
	if ok {
		g.flood(edge, outside, background)
	}
	var inside, all []lab
	for i, p := range g.pixels {
		if !g.visible[i] {
			continue
		}
		all = append(all, p)
		if !outside[i] {
			inside = append(inside, p)
		}
	}
	// A few pixels that are left are noise, or a watermark.
	if len(inside)*100 < len(all) {
		return all
	}
	return inside
}

// edge returns the places of the outermost pixels.
func (g grid) edge() []int {
	var edge []int
	for i := range g.pixels {
		x, y := i%g.wide, i/g.wide
		if x == 0 || y == 0 || x == g.wide-1 || y == g.high-1 {
			edge = append(edge, i)
		}
	}
	return edge
}

// background returns the colour that most of the edge has.
func (g grid) background(edge []int) (lab, bool) {
	var seen []lab
	for _, i := range edge {
		if g.visible[i] {
			seen = append(seen, g.pixels[i])
		}
	}
	if len(seen) == 0 {
		return lab{}, false
	}
	// The middle of each coordinate is near the colour that most have, if most have
	// one.
	middle := lab{}
	for _, c := range []struct {
		to *float64
		of func(lab) float64
	}{
		{&middle.l, func(p lab) float64 { return p.l }},
		{&middle.a, func(p lab) float64 { return p.a }},
		{&middle.b, func(p lab) float64 { return p.b }},
	} {
		values := make([]float64, len(seen))
		for i, p := range seen {
			values[i] = c.of(p)
		}
		slices.Sort(values)
		*c.to = values[len(values)/2]
	}
	same := 0
	for _, p := range seen {
		if p.distance(middle) < alike {
			same++
		}
	}
	return middle, same*100 >= len(seen)*mostEdge
}

// flood marks what is connected with the edge by pixels that are like the
// background, or transparent.
func (g grid) flood(edge []int, outside []bool, background lab) {
	empty := func(i int) bool { return !g.visible[i] || g.pixels[i].distance(background) < alike }
	var todo []int
	visit := func(i int) {
		if !outside[i] && empty(i) {
			outside[i] = true
			todo = append(todo, i)
		}
	}
	for _, i := range edge {
		visit(i)
	}
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if x := i % g.wide; x > 0 {
			visit(i - 1)
		}
		if x := i % g.wide; x < g.wide-1 {
			visit(i + 1)
		}
		if i >= g.wide {
			visit(i - g.wide)
		}
		if i+g.wide < len(g.pixels) {
			visit(i + g.wide)
		}
	}
}
