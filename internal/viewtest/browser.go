package viewtest

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"testing"
	"time"
)

// Browser is a headless Chromium that is told what to do over a pipe, in the DevTools
// protocol. One goroutine uses it.
type Browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	// Events are those that came with the answers to calls.
	Events []Event
}

// Event is something that the browser tells.
type Event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Start starts Chromium, or skips the test where there is none.
func Start(t *testing.T) *Browser {
	t.Helper()
	path := os.Getenv("STOREWARE_CHROMIUM")
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); path == "" && err == nil {
			path = found
		}
	}
	if path == "" {
		t.Skip("no Chromium: set STOREWARE_CHROMIUM, or have chromium or google-chrome in PATH")
	}
	ctx, stop := context.WithTimeout(context.WithoutCancel(t.Context()), 5*time.Minute)
	theirs, to := pipe(t)
	from, theirOut := pipe(t)
	c := exec.CommandContext(ctx, path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		// A frame with an opaque origin would otherwise be a target of its own.
		"--disable-features=IsolateSandboxedIframes", "--user-data-dir="+t.TempDir(), "about:blank")
	c.ExtraFiles = []*os.File{theirs, theirOut}
	c.Env = append(os.Environ(), "TZ=UTC")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	theirOut.Close()
	b := &Browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil) // which it may do before it answers
		_ = c.Wait()
		stop()
	})
	var target struct{ TargetID string }
	b.Call("Target.createTarget", Object{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.Call("Target.attachToTarget", Object{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.Call(domain+".enable", nil, nil)
	}
	return b
}

func pipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return r, w
}

// Object is a value of JSON.
type Object map[string]any

// send calls a method.
func (b *Browser) send(method string, params Object) {
	b.t.Helper()
	b.last++
	if params == nil {
		params = Object{}
	}
	message := Object{"id": b.last, "method": method, "params": params}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	if err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.to.Write(append(text, 0)); err != nil {
		b.t.Fatalf("%s: %v", method, err)
	}
}

// Call calls a method and reads messages until it is answered.
func (b *Browser) Call(method string, params Object, into any) {
	b.t.Helper()
	b.send(method, params)
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var got struct {
			Event
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &got); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case got.Method != "":
			b.Events = append(b.Events, got.Event)
		case got.ID != b.last:
		case got.Error != nil:
			b.t.Fatalf("%s: %s", method, got.Error.Message)
		default:
			if into != nil {
				if err := json.Unmarshal(got.Result, into); err != nil {
					b.t.Fatalf("%s: %v", method, err)
				}
			}
			return
		}
	}
}

// Evaluate runs an expression in an execution context, zero for that of the page, and
// waits for a promise.
func (b *Browser) Evaluate(where int, expression string, into any) {
	b.t.Helper()
	params := Object{"expression": expression, "awaitPromise": true, "returnByValue": true}
	if where != 0 {
		params["contextId"] = where
	}
	var got struct {
		Result struct {
			Value json.RawMessage
		}
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	b.Call("Runtime.evaluate", params, &got)
	if e := got.ExceptionDetails; e != nil {
		b.t.Fatalf("%.200s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if into != nil && got.Result.Value != nil {
		if err := json.Unmarshal(got.Result.Value, into); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
}

// Press presses and releases a key.
func (b *Browser) Press(key, text string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := Object{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		b.Call("Input.dispatchKeyEvent", params, nil)
	}
}
