package photo_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer/photo"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestGallery(t *testing.T) {
	store, err := bolt.Open(t.TempDir()+"/state.db", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	picture := image.NewRGBA(image.Rect(0, 0, 60, 60))
	draw.Draw(picture, picture.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(picture, image.Rect(15, 15, 45, 45), image.NewUniform(color.RGBA{0xb3, 0x33, 0x30, 0xff}), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	var fetched atomic.Int64
	fetch := func(_ context.Context, address string) ([]byte, error) {
		fetched.Add(1)
		if address == "https://shop.example/gone.png" {
			return nil, errors.New("gone")
		}
		return b.Bytes(), nil
	}
	product := func(address string) *upstream.Product {
		return &upstream.Product{Media: []upstream.Media{{URL: address}}}
	}
	for round := range 2 { // the second one begins anew, with what the first has kept
		g := photo.NewGallery(store, "shop", fetch)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			g.Run(ctx, func(err error) { t.Error(err) })
		}()
		if got := g.Colours(product("https://shop.example/mug.png")); got != nil {
			t.Errorf("before anybody looked: %v", got)
		}
		for g.Colours(product("https://shop.example/mug.png")) == nil {
			runtime.Gosched()
		}
		if got := g.Colours(product("https://shop.example/mug.png")); !slices.Equal(got, []string{"red"}) {
			t.Errorf("round %d: %v", round, got)
		}
		if got := g.Colours(&upstream.Product{}); got != nil {
			t.Errorf("without a picture: %v", got)
		}
		g.Colours(product("https://shop.example/gone.png"))
		cancel()
		<-done
	}
	if n := fetched.Load(); n > 3 {
		t.Errorf("%d pictures were fetched, want the mug's once", n)
	}
}
