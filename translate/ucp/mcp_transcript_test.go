package ucp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A transcript is what a client and the shop say to each other: a line that begins
// with # is a remark, one with > a header field of the request, one with { the
// message; < and what follows is the answer. UPDATE_GOLDEN=1 writes the answers
// anew.
func TestMCPTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/mcp/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := converse(t, newDesk(t, nil), string(text))
			if os.Getenv("UPDATE_GOLDEN") != "" {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", file, diff)
			}
		})
	}
}

// converse plays the client's part of a transcript and returns it with the answers
// of a desk.
func converse(t *testing.T, d *desk, transcript string) string {
	var out strings.Builder
	header := map[string]string{}
	answering := false
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
			r := d.message("scout", line)
			for name, value := range header {
				r.Header.Set(name, value)
			}
			clear(header)
			got := d.send(r)
			fmt.Fprintf(&out, "< %d\n", got.StatusCode)
			if got.text != "" {
				var pretty bytes.Buffer
				if err := json.Indent(&pretty, []byte(got.text), "", "\t"); err != nil {
					t.Fatalf("%v\n%s", err, got.text)
				}
				out.WriteString(strings.TrimSpace(pretty.String()) + "\n")
			}
		}
	}
	return out.String()
}

// What the tools look like to a client.
func TestMCPToolsGolden(t *testing.T) {
	d := newDesk(t, nil)
	got := d.send(d.message("", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	golden(t, "tools.json", []byte(got.text))
}
