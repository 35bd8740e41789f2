package view

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"testing"
)

// TestLook makes pictures of every outcome, for people to look at.
func TestLook(t *testing.T) {
	into := os.Getenv("STOREWARE_VIEW_SHOTS")
	if into == "" {
		t.Skip("STOREWARE_VIEW_SHOTS names no folder for pictures")
	}
	h := openHost(t)
	h.call("Emulation.setScrollbarsHidden", object{"hidden": true}, nil)
	for _, name := range outcomes {
		for _, theme := range []string{"light", "dark"} {
			for width, called := range map[int]string{320: "narrow", 900: "wide"} {
				h.call("Emulation.setDeviceMetricsOverride", object{"width": width, "height": 700, "deviceScaleFactor": 1, "mobile": false}, nil)
				h.show(object{
					"page": pageOf(name), "result": result(t, name), "capabilities": everything,
					"context": object{"theme": theme, "locale": "en-GB", "timeZone": "Europe/London"},
				})
				h.evaluate(0, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))", nil)
				var picture struct{ Data string }
				h.call("Page.captureScreenshot", object{"captureBeyondViewport": true}, &picture)
				png, err := base64.StdEncoding.DecodeString(picture.Data)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(into, name+"-"+called+"-"+theme+".png"), png, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
