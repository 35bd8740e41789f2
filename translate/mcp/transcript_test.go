package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/sjson"
)

// A transcript is what a client and the shop say to each other: a line that begins
// with # is a remark, one with > a header field of the request, one with { the
// message; < and what follows is the answer. BASKET and ORDER stand for the last
// basket and order, and CHANCE for what is new in every run. UPDATE_GOLDEN=1 writes
// the answers anew.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/transcripts/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, file, converse(t, newDesk(t), string(text)))
		})
	}
}

// What the tools look like to a client.
func TestToolsGolden(t *testing.T) {
	d := newDesk(t)
	got := d.send(d.message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	golden(t, "testdata/tools.json", pretty(t, got.text)+"\n")
}

// golden compares a text with a file.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

// converse plays the client's part of a transcript and returns it with the answers
// of a desk.
func converse(t *testing.T, d *desk, transcript string) string {
	var out strings.Builder
	header := map[string]string{}
	answering := false
	basket, order := "no basket yet", "no order yet"
	for line := range strings.Lines(transcript) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "<"):
			answering = true
			continue
		case answering && line != "":
			continue
		}
		answering = false
		out.WriteString(line + "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			name, value, _ := strings.Cut(line[2:], ": ")
			header[name] = value
		case strings.HasPrefix(line, "{"):
			r := d.message("scout", strings.NewReplacer("BASKET", basket, "ORDER", order).Replace(line))
			for name, value := range header {
				r.Header.Set(name, value)
			}
			clear(header)
			got := d.send(r)
			if id := got.content().Get("basket_id").Str; id != "" {
				basket = id
			}
			if id := got.content().Get("order.order_id").Str; id != "" {
				order = id
			}
			fmt.Fprintf(&out, "< %d\n", got.StatusCode)
			if got.content().Exists() {
				if got.repeated() != got.content().Raw {
					t.Errorf("the first text is not the structuredContent: %s", got.text)
				}
				got.text, _ = sjson.Set(got.text, "result.content.0.text", "(the structuredContent)")
			}
			if got.text != "" {
				text := strings.NewReplacer(basket, "BASKET", order, "ORDER", d.upstream.Listener.Addr().String(), "UPSTREAM").Replace(pretty(t, got.text))
				out.WriteString(chance.ReplaceAllString(text, "${1}CHANCE") + "\n")
			}
		}
	}
	return out.String()
}

func pretty(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(text), "", "\t"); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return strings.TrimSpace(out.String())
}

// chance is what is new in every run.
var chance = regexp.MustCompile(`(/basket/|\?key=)[A-Z2-7]{20,}`)
