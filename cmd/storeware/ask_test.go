package main_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/viewtest"
)

// demoSite is a running demo.
type demoSite struct {
	*process
	// url is that of the site, key the one that it printed.
	url, key string
}

// startDemo runs the demo until the test ends.
func startDemo(t *testing.T, args ...string) *demoSite {
	t.Helper()
	_, port, err := net.SplitHostPort(freeAddress(t))
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, t.TempDir(), append([]string{"demo", "--port", port, "--data", t.TempDir()}, args...)...)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	printed, err := p.log.wait(ctx, "Ctrl-C ends it.")
	if err != nil {
		t.Fatal(err)
	}
	key := regexp.MustCompile(`Agent key: +(\S+)`).FindStringSubmatch(printed)
	if key == nil {
		t.Fatalf("no key was printed:\n%s", printed)
	}
	return &demoSite{process: p, url: "http://localhost:" + port, key: key[1]}
}

// read gets an address below the site.
func (d *demoSite) read(t *testing.T, path string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.url+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

// person is somebody before a browser.
type person struct {
	*viewtest.Browser
}

// visit opens the front page of the demo.
func (d *demoSite) visit(t *testing.T) person {
	t.Helper()
	p := person{viewtest.Start(t)}
	p.open(d)
	return p
}

// open opens the front page.
func (p person) open(d *demoSite) {
	p.Open(d.url+"/", "document.readyState === 'complete' && document.getElementById('ask') !== null")
}

// ask types a question, presses Enter, and returns the execution context of the view
// that draws the answer.
func (p person) ask(question string) int {
	p.typed(question)
	p.Evaluate(0, viewtest.Until("document.querySelector('#ask-answer:not([hidden]) iframe') !== null && document.getElementById('ask-status').textContent.includes('below')"), nil)
	p.Evaluate(0, viewtest.Until("document.querySelector('#ask-answer iframe').style.height !== ''"), nil)
	view := p.Frame()
	p.Evaluate(view, viewtest.Until("document.getElementById('view').getAttribute('aria-busy') === 'false'"), nil)
	p.Evaluate(view, viewtest.Until("Math.ceil(document.documentElement.getBoundingClientRect().height) <= innerHeight"), nil)
	return view
}

func (p person) typed(question string) {
	p.Evaluate(0, "{ const q = document.getElementById('ask-q'); q.focus(); q.select(); }", nil)
	if question == "" {
		p.Evaluate(0, "document.getElementById('ask-q').value = ''", nil)
	} else {
		p.Call("Input.insertText", viewtest.Object{"text": question}, nil)
	}
	p.Press("Enter", "\r")
}

// told waits for what the box says in words.
func (p person) told(text string) {
	p.Evaluate(0, viewtest.Until("document.getElementById('ask-status').textContent.includes("+fmt.Sprintf("%q", text)+")"), nil)
}

// holds fails the test for texts that are not drawn.
func holds(t *testing.T, drawn string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(drawn, text) {
			t.Errorf("%q is not in %q", text, drawn)
		}
	}
}

// A person opens the demo's front page and asks as an agent would.
func TestAskBox(t *testing.T) {
	d := startDemo(t)
	p := d.visit(t)
	p.Resize(1280, 900)
	view := p.ask("waterproof walking boots under £150")
	holds(t, p.Drawn(view),
		"Understood as Waterproof walking boots", "up to £150.00", "waterproof", "1 product meets all of it, 4 ruled out",
		"Fjell Trail GTX £120.00", "Meets: Within £150.00 £120.00, read live at", "Meets: Waterproof recorded by the shop",
		"Ruled out", "Alpine Summit GTX £180.00", "Does not meet: £30.00 over £150.00",
		"See it at the shop",
	)
	var focused string
	if p.Evaluate(0, "document.activeElement.id", &focused); focused != "ask-q" {
		t.Errorf("after the question the focus is on %q", focused)
	}

	t.Run("the key stays where it is", func(t *testing.T) {
		for _, path := range []string{"/", "/ask.js", "/ask/view", "/ask?q=boots"} {
			response, text := d.read(t, path)
			if response.StatusCode != http.StatusOK || strings.Contains(text, "swa_") || strings.Contains(fmt.Sprint(response.Header), "swa_") {
				t.Errorf("%s: %d %s", path, response.StatusCode, text)
			}
		}
	})
	t.Run("what nobody recorded", func(t *testing.T) {
		holds(t, p.Drawn(p.ask("waterproof wellington boots")), "Tarn Wellington Boot", "Not known: Waterproof not among what the shop has recorded")
	})
	t.Run("another question takes its place", func(t *testing.T) {
		holds(t, p.Drawn(p.ask("an espresso machine")), "This shop does not sell anything of the kind.")
	})
	t.Run("an example is a question", func(t *testing.T) {
		p.Evaluate(0, "[...document.querySelectorAll('#ask-examples button')].find((b) => b.textContent.includes('and warm gloves')).click()", nil)
		p.Evaluate(p.Frame(), viewtest.Until("document.querySelector('.eyebrow').textContent === 'Understood as 2 things'"), nil)
	})
	t.Run("text is no markup", func(t *testing.T) {
		const evil = `<img src=x onerror="parent.ran=1"></script><script>ran=1</script> boots`
		view := p.ask(evil)
		var made bool
		p.Evaluate(view, "document.querySelector('main img, main script') !== null || window.ran !== undefined", &made)
		if made {
			t.Error("a question became markup")
		}
		var origin string
		if p.Evaluate(view, "window.origin", &origin); origin != "null" {
			t.Errorf("the view has the origin %s", origin)
		}
	})
	t.Run("what is no question is told", func(t *testing.T) {
		p.typed("")
		p.told("Write what you are looking for.")
		p.Evaluate(0, "document.getElementById('ask-q').removeAttribute('maxlength')", nil)
		p.typed(strings.Repeat("boots ", 200))
		p.told("too long for a question")
		var hidden bool
		if p.Evaluate(0, "document.getElementById('ask-answer').hidden", &hidden); !hidden {
			t.Error("an answer to another question is still there")
		}
	})
	t.Run("a product is at the shop", func(t *testing.T) {
		view := p.ask("Fjell Trail GTX")
		p.Evaluate(view, "document.querySelector('.link').click()", nil)
		p.Arrives(d.url + "/products/fjell-trail-gtx")
	})
	t.Run("nobody is there any more", func(t *testing.T) {
		p.open(d)
		d.kill()
		p.typed("boots")
		p.told("could not be reached")
	})
	for _, address := range p.Fetched() {
		if !strings.HasPrefix(address, d.url+"/") {
			t.Errorf("%s was fetched", address)
		}
	}
	for _, complaint := range p.Complaints() {
		// The browser logs the questions that were refused, and the one that nobody heard.
		if !strings.Contains(complaint, "status of 400") && !strings.Contains(complaint, "ERR_CONNECTION_REFUSED") {
			t.Error(complaint)
		}
	}
}

// Keyboard alone: from the field to the button, the examples, and into the answer.
func TestAskBoxByKeyboard(t *testing.T) {
	p := startDemo(t).visit(t)
	p.Resize(1280, 900)
	p.Evaluate(0, "document.getElementById('ask-q').focus()", nil)
	for _, want := range []string{"Ask", "waterproof walking boots under £150", "a waterproof jacket and warm gloves"} {
		p.Press("Tab", "")
		var focused struct{ Text, Outline string }
		p.Evaluate(0, "({ Text: document.activeElement.innerText, Outline: getComputedStyle(document.activeElement).outlineStyle })", &focused)
		if focused.Text != want || focused.Outline != "solid" {
			t.Errorf("Tab went to %+v, want %q", focused, want)
		}
	}
	p.Press("Enter", "\r")
	p.told("below")
	p.Evaluate(0, viewtest.Until("document.querySelector('#ask-answer iframe')?.style.height"), nil)
	var focused string
	for range 6 { // over the other examples and the answer's frame
		p.Press("Tab", "")
		if p.Evaluate(0, "document.activeElement.tagName", &focused); focused == "IFRAME" {
			break
		}
	}
	if focused != "IFRAME" {
		t.Errorf("Tab goes to %s, not into the answer", focused)
	}
}

// Everybody can use it: axe-core on the page and on the view in it, nothing that is
// wider than the window, and pictures for people to look at.
func TestAskBoxLooks(t *testing.T) {
	d := startDemo(t)
	p := d.visit(t)
	for _, theme := range []string{"light", "dark"} {
		p.Prefer("prefers-color-scheme", theme)
		for _, width := range []int{360, 1280} {
			p.Resize(width, 900)
			p.open(d)
			p.Shoot(fmt.Sprintf("front-%d-%s", width, theme))
			view := p.ask("waterproof walking boots under £150")
			for where, what := range map[int]string{0: "the page", view: "the view"} {
				for _, violation := range p.Violations(where) {
					t.Errorf("%s, %d pixels, %s: %s", theme, width, what, violation)
				}
				var wide int
				if p.Evaluate(where, "document.documentElement.scrollWidth - innerWidth", &wide); wide > 0 {
					t.Errorf("%s, %d pixels: %s is %d pixels wider", theme, width, what, wide)
				}
			}
			p.Shoot(fmt.Sprintf("asked-%d-%s", width, theme))
			p.ask("a waterproof jacket and warm gloves")
			p.Shoot(fmt.Sprintf("two-%d-%s", width, theme))
		}
	}
}

// The shop of other currencies and other catalogues has a box too, and a shop that
// nothing stands before has none.
func TestAskBoxElsewhere(t *testing.T) {
	t.Run("yen", func(t *testing.T) {
		d := startDemo(t, "--currency", "JPY")
		_, front := d.read(t, "/")
		holds(t, front, "waterproof walking boots under ¥28,500")
		response, answer := d.read(t, "/ask?q=waterproof+walking+boots+under+%C2%A528,500")
		holds(t, answer, `"max_price_minor":28500`, `"currency":"JPY"`, `"handle":"fjell-trail-gtx"`)
		if kind := response.Header.Get("Content-Type"); kind != "application/json" {
			t.Errorf("the answer is %s", kind)
		}
	})
	t.Run("another catalogue", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "catalogue.jsonl")
		row := `{"id":"1","handle":"lamp","title":"<b>Desk</b> lamp","description":"A lamp.","brand":"B","category":"Lamps","price_minor":4000,"currency":"EUR","in_stock":true}`
		if err := os.WriteFile(file, []byte(row+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		d := startDemo(t, "--catalogue", file)
		if _, front := d.read(t, "/"); strings.Contains(front, "ask-examples") || !strings.Contains(front, `id="ask"`) {
			t.Errorf("the front page is %s", front)
		}
		_, answer := d.read(t, "/ask?q=lamp+under+50+euros")
		holds(t, answer, `"max_price_minor":5000`, `"price_minor":4000`)
	})
	t.Run("the shop alone", func(t *testing.T) {
		address := freeAddress(t)
		serve(t, t.TempDir(), address, "demo-shop", "--listen", address)
		d := &demoSite{url: "http://" + address}
		response, front := d.read(t, "/")
		if strings.Contains(front, `id="ask"`) || strings.Contains(response.Header.Get("Content-Security-Policy"), "script-src") {
			t.Error("the shop alone has a box")
		}
		for _, path := range []string{"/ask", "/ask?q=boots", "/ask.js", "/ask/view"} {
			if response, _ := d.read(t, path); response.StatusCode != http.StatusNotFound {
				t.Errorf("%s: %d", path, response.StatusCode)
			}
		}
	})
}
