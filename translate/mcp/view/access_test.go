package view

import (
	"testing"

	"github.com/storeware/caddy-storeware/internal/viewtest"
)

func TestThemes(t *testing.T) {
	h := openHost(t)
	const light, dark = "rgb(255, 255, 255)", "rgb(28, 27, 26)"
	background := func(view int) (colour string) {
		h.Evaluate(view, "getComputedStyle(document.body).backgroundColor", &colour)
		return colour
	}
	for _, test := range []struct {
		reader  string
		context viewtest.Object
		want    string
	}{
		{"light", viewtest.Object{}, light},
		{"dark", viewtest.Object{}, dark},
		{"dark", viewtest.Object{"theme": "light"}, light},
		{"light", viewtest.Object{"theme": "dark"}, dark},
		{"light", viewtest.Object{"styles": viewtest.Object{"variables": viewtest.Object{"--color-background-primary": "rgb(1, 2, 3)"}}}, "rgb(1, 2, 3)"},
	} {
		h.Prefer("prefers-color-scheme", test.reader)
		view := h.Show(viewtest.Object{"page": "/search", "result": result(t, "normal"), "context": test.context})
		if got := background(view); got != test.want {
			t.Errorf("%s with %v: the background is %s, want %s", test.reader, test.context, got, test.want)
		}
	}
	view := h.Show(viewtest.Object{"page": "/search", "result": result(t, "normal"), "context": viewtest.Object{"theme": "light"}})
	h.Evaluate(0, "post({ method: 'ui/notifications/host-context-changed', params: { theme: 'dark' } })", nil)
	h.Evaluate(view, viewtest.Until("getComputedStyle(document.body).backgroundColor === '"+dark+"'"), nil)
	h.Quiet()
}

func TestNothingMovesWhereMotionIsReduced(t *testing.T) {
	h := openHost(t)
	h.Prefer("prefers-reduced-motion", "reduce")
	view := h.Show(viewtest.Object{"page": "/search", "result": result(t, "normal"), "capabilities": everything})
	var moving bool
	h.Evaluate(view, "[...document.querySelectorAll('*')].some((e) => ![getComputedStyle(e).transitionDuration, getComputedStyle(e).animationDuration].every((d) => d === '0s'))", &moving)
	if moving {
		t.Error("something moves")
	}
}

// structure lists what is wrong with the structure of a page.
const structure = `(() => {
  const wrong = [];
  let level = 0;
  for (const heading of document.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) wrong.push(heading.tagName + " after H" + level + ": " + heading.textContent);
    if (heading.textContent.trim() === "") wrong.push("an empty heading");
    level = next;
  }
  if (document.querySelectorAll("h1").length !== 1) wrong.push("not one h1");
  if (document.querySelectorAll("main").length !== 1) wrong.push("not one main");
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  if (new Set(ids).size !== ids.length) wrong.push("an id is there twice: " + ids);
  for (const section of document.querySelectorAll("[aria-labelledby]")) {
    if (!document.getElementById(section.getAttribute("aria-labelledby"))) wrong.push("a label is missing");
  }
  for (const list of document.querySelectorAll("ul, ol")) {
    if (list.getAttribute("role") !== "list" || [...list.children].some(({ tagName }) => tagName !== "LI")) wrong.push("a list is none");
  }
  for (const control of document.querySelectorAll("button")) {
    const { width, height } = control.getBoundingClientRect();
    if (width < 24 || height < 24) wrong.push("a target of " + width + "x" + height + ": " + control.textContent);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("it is " + document.documentElement.scrollWidth + " wide in " + innerWidth);
  return wrong;
})()`

// TestEveryoneCanRead looks at every outcome as wide and as narrow as WCAG 2.2 asks
// for (320 pixels, success criterion 1.4.10), in both themes.
func TestEveryoneCanRead(t *testing.T) {
	h := openHost(t)
	for _, name := range outcomes {
		for _, theme := range []string{"light", "dark"} {
			for _, width := range []int{320, 900} {
				h.Resize(width, 800)
				view := h.Show(viewtest.Object{
					"page": pageOf(name), "result": result(t, name), "capabilities": everything, "context": viewtest.Object{"theme": theme, "locale": "en-GB"},
				})
				var wrong []string
				h.Evaluate(view, structure, &wrong)
				wrong = append(wrong, h.Violations(view)...)
				for _, w := range wrong {
					t.Errorf("%s, %s, %d pixels: %s", name, theme, width, w)
				}
			}
		}
	}
	h.Quiet()
}
