package viewtest

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Open opens a page of a site and waits for a condition in it.
func (b *Browser) Open(address, condition string) {
	b.t.Helper()
	b.Call("Page.navigate", Object{"url": address}, nil)
	b.Evaluate(0, Until(condition), nil)
}

// Arrives waits until the page is the one at an address.
func (b *Browser) Arrives(address string) {
	b.t.Helper()
	// The browser is asked: a page cannot answer while another takes its place.
	page := b.session
	b.session = ""
	defer func() { b.session = page }()
	var targets struct {
		TargetInfos []struct{ Type, URL string }
	}
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		b.Call("Target.getTargets", nil, &targets)
		for _, target := range targets.TargetInfos {
			if target.Type == "page" && target.URL == address {
				return
			}
		}
	}
	b.t.Fatalf("the pages are %v", targets.TargetInfos)
}

// Until is a promise that is kept when a condition holds, and broken after ten seconds.
func Until(condition string) string {
	return "new Promise((kept, broken) => { const end = Date.now() + 10000; const look = () => { let is = false; try { is = " + condition +
		" } catch {} if (is) kept(); else if (Date.now() > end) broken(Error('it never was')); else setTimeout(look, 10); }; look(); })"
}

// JSON is a value as JSON, which is also an expression.
func JSON(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// Resize makes the window so wide and high, in CSS pixels.
func (b *Browser) Resize(width, height int) {
	b.t.Helper()
	b.Call("Emulation.setDeviceMetricsOverride", Object{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false}, nil)
}

// Prefer says what the person prefers in a media feature, such as a dark
// prefers-color-scheme.
func (b *Browser) Prefer(feature, value string) {
	b.t.Helper()
	b.Call("Emulation.setEmulatedMedia", Object{"features": []Object{{"name": feature, "value": value}}}, nil)
}

// Frame returns the execution context of the one frame in the page.
func (b *Browser) Frame() int {
	b.t.Helper()
	var tree struct {
		FrameTree struct {
			ChildFrames []struct{ Frame struct{ ID string } }
		}
	}
	b.Call("Page.getFrameTree", nil, &tree)
	if len(tree.FrameTree.ChildFrames) != 1 {
		b.t.Fatalf("%d frames", len(tree.FrameTree.ChildFrames))
	}
	found := 0
	for _, e := range b.Events {
		var created struct {
			Context struct {
				ID      int
				AuxData struct {
					FrameID   string
					IsDefault bool
				}
			}
		}
		if e.Method != "Runtime.executionContextCreated" {
			continue
		}
		if err := json.Unmarshal(e.Params, &created); err != nil {
			b.t.Fatal(err)
		}
		if aux := created.Context.AuxData; aux.IsDefault && aux.FrameID == tree.FrameTree.ChildFrames[0].Frame.ID {
			found = created.Context.ID
		}
	}
	if found == 0 {
		b.t.Fatal("the frame has no execution context")
	}
	return found
}

// Fetched are the addresses of all that was fetched.
func (b *Browser) Fetched() []string {
	b.t.Helper()
	var addresses []string
	for _, e := range b.Events {
		if e.Method != "Network.requestWillBeSent" {
			continue
		}
		var sent struct{ Request struct{ URL string } }
		if err := json.Unmarshal(e.Params, &sent); err != nil {
			b.t.Fatal(err)
		}
		addresses = append(addresses, sent.Request.URL)
	}
	return addresses
}

// Complaints are what pages threw and what the browser complained of.
func (b *Browser) Complaints() []string {
	var all []string
	for _, e := range b.Events {
		if e.Method == "Log.entryAdded" || e.Method == "Runtime.exceptionThrown" {
			all = append(all, fmt.Sprintf("%s: %s", e.Method, e.Params))
		}
	}
	return all
}

// Violations are what axe-core finds against WCAG 2.2 AA and good practice in an
// execution context, nothing where there is no axe-core.
func (b *Browser) Violations(where int) []string {
	b.t.Helper()
	path := os.Getenv("STOREWARE_AXE")
	if path == "" {
		b.t.Log("without axe-core: STOREWARE_AXE names no axe.min.js (npm axe-core)")
		return nil
	}
	script, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	var found []string
	b.Evaluate(where, string(script), nil)
	b.Evaluate(where, `axe.run(document, { iframes: false, runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }).then(({ violations }) =>
		violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join("; ")))`, &found)
	return found
}

// Shoot makes a picture of the whole page, where STOREWARE_VIEW_SHOTS names a folder.
func (b *Browser) Shoot(name string) {
	b.t.Helper()
	folder := os.Getenv("STOREWARE_VIEW_SHOTS")
	if folder == "" {
		return
	}
	b.Call("Emulation.setScrollbarsHidden", Object{"hidden": true}, nil)
	b.Evaluate(0, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))", nil)
	var picture struct{ Data string }
	b.Call("Page.captureScreenshot", Object{"captureBeyondViewport": true}, &picture)
	png, err := base64.StdEncoding.DecodeString(picture.Data)
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), png, 0o644); err != nil {
		b.t.Fatal(err)
	}
}
