package photo

import "math"

// lab is a colour in OKLab (Björn Ottosson, 2020): lightness from 0 to 1, and two
// axes of colour. Equal distances look about equally far apart.
type lab struct{ l, a, b float64 }

// labOf converts sRGB components of 16 bits.
func labOf(r, g, b uint32) lab {
	lr, lg, lb := linear(r), linear(g), linear(b)
	l := math.Cbrt(0.4122214708*lr + 0.5363325363*lg + 0.0514459929*lb)
	m := math.Cbrt(0.2119034982*lr + 0.6806995451*lg + 0.1073969566*lb)
	s := math.Cbrt(0.0883024619*lr + 0.2817188376*lg + 0.6299787005*lb)
	return lab{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// linear undoes the gamma of sRGB.
func linear(component uint32) float64 {
	c := float64(component) / 0xffff
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// distance is the square of how far two colours are apart.
func (c lab) distance(d lab) float64 {
	return (c.l-d.l)*(c.l-d.l) + (c.a-d.a)*(c.a-d.a) + (c.b-d.b)*(c.b-d.b)
}

// name is what the colour is called from across a room.
func (c lab) name() string {
	chroma := math.Hypot(c.a, c.b)
	hue := math.Mod(math.Atan2(c.b, c.a)*180/math.Pi+360, 360)
	warm := hue > 50 && hue < 110
	switch {
	case c.l < 0.27 && chroma < 0.05, c.l < 0.18:
		return "black"
	case c.l > 0.93 && chroma < 0.03:
		return "white"
	case warm && c.l > 0.72 && chroma > 0.025 && chroma < 0.09:
		return "beige"
	case chroma < 0.03:
		return "grey"
	}
	switch {
	case hue < 12 || hue >= 345:
		if c.l > 0.66 {
			return "pink"
		}
		return "red"
	case hue < 42:
		switch {
		case c.l > 0.72:
			return "pink"
		case chroma < 0.09:
			return "brown"
		}
		return "red"
	case hue < 78:
		if c.l < 0.60 || chroma < 0.09 {
			return "brown"
		}
		return "orange"
	case hue < 112:
		switch {
		case c.l < 0.45:
			return "brown"
		case c.l < 0.62 || chroma < 0.08:
			return "green" // olive and khaki
		}
		return "yellow"
	case hue < 172:
		return "green"
	case hue < 215:
		return "turquoise"
	case hue < 285:
		if c.l < 0.40 {
			return "navy"
		}
		return "blue"
	case hue < 325:
		return "purple"
	}
	if c.l > 0.62 {
		return "pink"
	}
	return "purple"
}
