package viewtest

import (
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

//go:embed host.html
var hostPage []byte

// Host is a browser that shows the page of a host, which shows views.
type Host struct {
	*Browser
	// Address is where the host's page is, without a slash at the end.
	Address string
	views   map[string]string
}

// OpenHost opens the host's page. The views, HTML by path, are served as a host serves
// them: with the policy that MCP Apps names for a page that declares no origins.
func OpenHost(t *testing.T, views map[string]string) Host {
	t.Helper()
	b := Start(t)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(hostPage)
	})
	for path, html := range views {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Header().Set("Content-Security-Policy",
				"default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; media-src 'self' data:; connect-src 'none'")
			fmt.Fprint(w, html)
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b.Open(server.URL+"/", "typeof start === 'function'")
	return Host{Browser: b, Address: server.URL, views: views}
}

// Show has the host show a view, and returns the execution context of the view once
// it has drawn. The options are those of host.html: page (a path), result (of the
// tool), context and capabilities of the host; silent, for a host that does not speak
// MCP Apps, refuses, for one that refuses what it is asked for, and waiting, to
// return before there is a result.
func (h Host) Show(options Object) int {
	h.t.Helper()
	h.Evaluate(0, "start("+JSON(h.t, options)+")", nil)
	h.Evaluate(0, Until("loaded"), nil)
	view := h.Frame()
	if options["waiting"] == nil {
		h.Evaluate(view, Until("document.getElementById('view').getAttribute('aria-busy') === 'false'"), nil)
	}
	if options["silent"] == nil { // the frame is as high as its page
		h.Evaluate(view, Until("Math.ceil(document.documentElement.getBoundingClientRect().height) <= innerHeight"), nil)
	}
	return view
}

// Drawn returns the text of what a view shows, unseen parts of it too.
func (b *Browser) Drawn(view int) string {
	b.t.Helper()
	var text string
	b.Evaluate(view, "document.getElementById('view').innerText.replace(/\\s+/g, ' ')", &text)
	return text
}

// Quiet fails the test when a view fetched something, broke its policy or threw.
func (h Host) Quiet() {
	h.t.Helper()
	h.Evaluate(0, "1", nil) // what was still to be said has been
	for _, address := range h.Fetched() {
		path, own := strings.CutPrefix(address, h.Address)
		if _, view := h.views[path]; !own || path != "/" && !view {
			h.t.Errorf("%s was fetched", address)
		}
	}
	for _, complaint := range h.Complaints() {
		h.t.Error(complaint)
	}
}
