package view

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// browser is a headless Chromium that is told what to do over a pipe, in the DevTools
// protocol. One goroutine uses it.
type browser struct {
	t       *testing.T
	to      *os.File
	from    *bufio.Reader
	session string
	last    int
	// events are those that came with the answers to calls.
	events []event
}

type event struct {
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// startBrowser starts Chromium, or skips the test where there is none.
func startBrowser(t *testing.T) *browser {
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
	ctx, stop := context.WithTimeout(context.WithoutCancel(t.Context()), 2*time.Minute)
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
	b := &browser{t: t, to: to, from: bufio.NewReader(from)}
	t.Cleanup(func() {
		b.session = ""
		b.send("Browser.close", nil) // which it may do before it answers
		_ = c.Wait()
		stop()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", object{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Network", "Log"} {
		b.call(domain+".enable", nil, nil)
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

type object map[string]any

// send calls a method.
func (b *browser) send(method string, params object) {
	b.t.Helper()
	b.last++
	message := object{"id": b.last, "method": method, "params": cmp.Or(&params, &object{})}
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

// call calls a method and reads messages until it is answered.
func (b *browser) call(method string, params object, into any) {
	b.t.Helper()
	b.send(method, params)
	for {
		text, err := b.from.ReadBytes(0)
		if err != nil {
			b.t.Fatalf("%s: %v", method, err)
		}
		var got struct {
			event
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if err := json.Unmarshal(text[:len(text)-1], &got); err != nil {
			b.t.Fatal(err)
		}
		switch {
		case got.Method != "":
			b.events = append(b.events, got.event)
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

// evaluate runs an expression in an execution context, zero for that of the page, and
// waits for a promise.
func (b *browser) evaluate(where int, expression string, into any) {
	b.t.Helper()
	params := object{"expression": expression, "awaitPromise": true, "returnByValue": true}
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
	b.call("Runtime.evaluate", params, &got)
	if e := got.ExceptionDetails; e != nil {
		b.t.Fatalf("%.200s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if into != nil && got.Result.Value != nil {
		if err := json.Unmarshal(got.Result.Value, into); err != nil {
			b.t.Fatalf("%s: %v", expression, err)
		}
	}
}

// press presses and releases a key.
func (b *browser) press(key, text string) {
	b.t.Helper()
	codes := map[string]int{"Tab": 9, "Enter": 13}
	for _, kind := range []string{"keyDown", "keyUp"} {
		params := object{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": codes[key]}
		if kind == "keyDown" && text != "" {
			params["text"] = text
		}
		b.call("Input.dispatchKeyEvent", params, nil)
	}
}

// hostPage is the page of a host with views to show.
type hostPage struct {
	*browser
	address string
}

// openHost opens the host's page. The views are served as a host serves them: with
// the policy that MCP Apps names for a page that declares no origins.
func openHost(t *testing.T) hostPage {
	t.Helper()
	b := startBrowser(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, "testdata/host.html") })
	for path, page := range map[string]Page{"/search": Search(), "/product": Product()} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			html := page.HTML
			if output := r.URL.Query().Get("chatgpt"); output != "" {
				html = strings.Replace(html, "<head>", "<head><script>"+chatGPT(t, output)+"</script>", 1)
			}
			w.Header().Set("Content-Security-Policy",
				"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'")
			fmt.Fprint(w, html)
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	h := hostPage{browser: b, address: server.URL}
	b.call("Page.navigate", object{"url": server.URL + "/"}, nil)
	h.evaluate(0, until("typeof start === 'function'"), nil)
	return h
}

// until is a promise that is kept when a condition holds, and broken after ten seconds.
func until(condition string) string {
	return "new Promise((kept, broken) => { const end = Date.now() + 10000; const look = () => { let is = false; try { is = " + condition +
		" } catch {} if (is) kept(); else if (Date.now() > end) broken(Error('it never was')); else setTimeout(look, 10); }; look(); })"
}

// show has the host show a page, and returns the execution context of the view once
// it has drawn.
func (h hostPage) show(options object) int {
	h.t.Helper()
	h.evaluate(0, "start("+text(h.t, options)+")", nil)
	h.evaluate(0, until("loaded"), nil)
	view := h.view()
	if options["waiting"] == nil {
		h.evaluate(view, until("document.getElementById('view').getAttribute('aria-busy') === 'false'"), nil)
	}
	if options["silent"] == nil { // the frame is as high as its page
		h.evaluate(view, until("Math.ceil(document.documentElement.getBoundingClientRect().height) <= innerHeight"), nil)
	}
	return view
}

// view returns the execution context of the newest frame of the page.
func (h hostPage) view() int {
	h.t.Helper()
	var tree struct {
		FrameTree struct {
			ChildFrames []struct{ Frame struct{ ID string } }
		}
	}
	h.call("Page.getFrameTree", nil, &tree)
	if len(tree.FrameTree.ChildFrames) != 1 {
		h.t.Fatalf("%d frames", len(tree.FrameTree.ChildFrames))
	}
	found := 0
	for _, e := range h.events {
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
			h.t.Fatal(err)
		}
		if aux := created.Context.AuxData; aux.IsDefault && aux.FrameID == tree.FrameTree.ChildFrames[0].Frame.ID {
			found = created.Context.ID
		}
	}
	if found == 0 {
		h.t.Fatal("the view has no execution context")
	}
	return found
}

// text is a value as JSON, which is also an expression.
func text(t *testing.T, value any) string {
	t.Helper()
	encoded, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(encoded)
}

// chatGPT is a script as ChatGPT puts it before all else in a page: what the tool
// returned, which is a file, and what a page may ask for.
func chatGPT(t *testing.T, name string) string {
	return "window.prompts = []; window.openai = { theme: 'dark', locale: 'en-GB', toolOutput: " + text(t, result(t, name)["structuredContent"]) +
		", sendFollowUpMessage: async ({ prompt }) => { window.prompts.push(prompt); } };"
}
