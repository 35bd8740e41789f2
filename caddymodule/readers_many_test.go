package caddymodule_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/caddymodule"
)

// readMany runs storeware read --jsonl on lines.
func readMany(t *testing.T, lines string) (string, error) {
	t.Helper()
	cmd := &cobra.Command{Use: "read", SilenceUsage: true, SilenceErrors: true}
	for _, known := range caddymodule.Commands() {
		if known.Name == "read" {
			known.CobraFunc(cmd)
		}
	}
	var out bytes.Buffer
	cmd.SetIn(strings.NewReader(lines))
	cmd.SetOut(&out)
	cmd.SetErr(&out)
	cmd.SetArgs([]string{"--jsonl", "--currency", "EUR"})
	err := cmd.ExecuteContext(t.Context())
	return out.String(), err
}

// TestReadMany: a row for each question, as the scorer of labelled rows wants it.
func TestReadMany(t *testing.T) {
	out, err := readMany(t, `{"id": "a", "query": "boots under 50 €, not black"}`+"\n\n"+`{"id": "b", "query": "eine wasserdichte Jacke und warme Handschuhe", "lang": "de"}`+"\n")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"0.id": "a", "0.passes.0.noun": "boot", "0.passes.0.max_price_minor": "5000", "0.passes.0.min_price_minor": "", "0.passes.0.currency": "EUR",
		"0.passes.0.excluded.0.value": "black", "1.id": "b", "1.passes.#": "2", "1.passes.0.required.0.key": "waterproof", "1.language": "de", "#": "2",
	} {
		if got := gjson.Get(out, ".."+path).String(); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	if _, err := readMany(t, "{}\n[]\n"); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a line that is no question: %v", err)
	}
}
