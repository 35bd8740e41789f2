package view

import (
	"os"
	"testing"

	"github.com/storeware/caddy-storeware/internal/viewtest"
)

// TestLook makes pictures of every outcome, for people to look at.
func TestLook(t *testing.T) {
	if os.Getenv("STOREWARE_VIEW_SHOTS") == "" {
		t.Skip("STOREWARE_VIEW_SHOTS names no folder for pictures")
	}
	h := openHost(t)
	for _, name := range outcomes {
		for _, theme := range []string{"light", "dark"} {
			for width, called := range map[int]string{320: "narrow", 900: "wide"} {
				h.Resize(width, 700)
				h.Show(viewtest.Object{
					"page": pageOf(name), "result": result(t, name), "capabilities": everything,
					"context": viewtest.Object{"theme": theme, "locale": "en-GB", "timeZone": "Europe/London"},
				})
				h.Shoot(name + "-" + called + "-" + theme)
			}
		}
	}
}
