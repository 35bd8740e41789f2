package photo

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"testing"
)

// shown draws a thing in the middle of a background.
func shown(background, thing color.Color) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, 300, 400))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(background), image.Point{}, draw.Src)
	draw.Draw(picture, image.Rect(90, 80, 210, 330), image.NewUniform(thing), image.Point{}, draw.Src)
	return picture
}

func encoded(t testing.TB, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func rgb(hex uint32) color.RGBA {
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 0xff}
}

func TestNames(t *testing.T) {
	for name, shades := range map[string][]uint32{
		"black":     {0x000000, 0x1a1a1c, 0x202124},
		"white":     {0xffffff, 0xf8f8f6},
		"grey":      {0x808080, 0x8b8d8f, 0xc0c0c0, 0x54575c},
		"brown":     {0x6d4c35, 0x7a4026, 0x4b3621, 0xa0703c},
		"beige":     {0xf5e6c8, 0xd8cdb4, 0xd3be96, 0xcfbfa1},
		"red":       {0xff0000, 0xb33330, 0xd02030, 0x8b1a1a},
		"orange":    {0xff8c00, 0xdd772a, 0xf28500},
		"yellow":    {0xffd700, 0xffff00, 0xe0b42c},
		"green":     {0x00a000, 0x3c6e47, 0x2c4d3a, 0x5e613a, 0x7fb069},
		"turquoise": {0x40e0d0, 0x2b7f7d, 0x1f9ea0},
		"blue":      {0x0000ff, 0x2f5f9e, 0x84b0d2, 0x4169e1},
		"navy":      {0x000080, 0x24385e, 0x1f2b4d},
		"purple":    {0x800080, 0x6b4a8c, 0x9b59b6},
		"pink":      {0xffc0cb, 0xff69b4, 0xd68fa3},
	} {
		for _, shade := range shades {
			background := color.Color(color.White)
			if name == "white" {
				background = rgb(0x4a6a8a)
			}
			got, err := Colours(encoded(t, shown(background, rgb(shade))))
			if err != nil || len(got) != 1 || got[0].Name != name || got[0].Share < 95 {
				t.Errorf("%06x is %v, %v; want %s alone", shade, got, err, name)
			}
		}
	}
}

// TestBackgroundStaysOut: whatever a thing is photographed on, its own colours are
// those that are named.
func TestBackgroundStaysOut(t *testing.T) {
	for name, background := range map[string]color.Color{
		"white": color.White, "transparent": color.Transparent, "grey": rgb(0xe6e6e6), "black": color.Black, "green": rgb(0x7fb069),
	} {
		picture := shown(background, rgb(0xb33330))
		draw.Draw(picture, image.Rect(90, 80, 210, 180), image.NewUniform(rgb(0x24385e)), image.Point{}, draw.Src)
		got, err := Colours(encoded(t, picture))
		if err != nil || len(got) != 2 || got[0].Name != "red" || got[1].Name != "navy" {
			t.Errorf("on %s: %v, %v; want red, then navy", name, got, err)
		}
	}
}

// TestWhiteOnWhite: what has the colour of its background is not told by its edge.
func TestWhiteOnWhite(t *testing.T) {
	got, err := Colours(encoded(t, shown(color.White, color.White)))
	if err != nil || len(got) != 1 || got[0].Name != "white" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestBusyPicturesAreTakenWhole(t *testing.T) {
	picture := image.NewRGBA(image.Rect(0, 0, 200, 200))
	for x := range 200 {
		for y := range 200 {
			picture.Set(x, y, []color.Color{rgb(0x00a000), rgb(0x0000ff)}[(x/20+y/20)%2])
		}
	}
	got, err := Colours(encoded(t, picture))
	if err != nil || len(got) != 2 {
		t.Errorf("got %v, %v; want two colours", got, err)
	}
}

func TestFormats(t *testing.T) {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, shown(color.White, rgb(0x2f5f9e)), &jpeg.Options{Quality: 80}); err != nil {
		t.Fatal(err)
	}
	webp, err := os.ReadFile("testdata/red.webp")
	if err != nil {
		t.Fatal(err)
	}
	for want, picture := range map[string][]byte{"blue": b.Bytes(), "red": webp} {
		got, err := Colours(picture)
		if err != nil || len(got) != 1 || got[0].Name != want {
			t.Errorf("got %v, %v; want %s", got, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	good := encoded(t, shown(color.White, color.Black))
	// A PNG that says it is as wide as can be.
	wide := bytes.Clone(good)
	copy(wide[16:], []byte{0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff})
	for name, picture := range map[string][]byte{
		"nothing": nil, "text": []byte("<svg/>"), "half": good[:len(good)/2], "too wide": wide,
		"too long": make([]byte, MaxBytes+1), "transparent": encoded(t, image.NewRGBA(image.Rect(0, 0, 9, 9))),
	} {
		if got, err := Colours(picture); !errors.Is(err, ErrPicture) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func FuzzColours(f *testing.F) {
	f.Add(encoded(f, shown(color.White, rgb(0x2f5f9e))))
	if webp, err := os.ReadFile("testdata/red.webp"); err == nil {
		f.Add(webp)
	}
	f.Fuzz(func(t *testing.T, picture []byte) {
		got, err := Colours(picture)
		if err != nil && got != nil {
			t.Errorf("both %v and %v", got, err)
		}
		total := 0
		for _, c := range got {
			total += c.Share
		}
		if total > 100 {
			t.Errorf("shares of %v come to more than the thing", got)
		}
	})
}

func BenchmarkColours(b *testing.B) {
	picture := encoded(b, shown(color.White, rgb(0x2f5f9e)))
	for b.Loop() {
		if _, err := Colours(picture); err != nil {
			b.Fatal(err)
		}
	}
}
