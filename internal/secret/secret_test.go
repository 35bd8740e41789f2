package secret_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
)

const plain = "hunter2-hunter2"

type open struct{ Key secret.String }

type closed struct{ key secret.String }

// leaks reports whether out holds the secret as text or as its hex digits.
func leaks(out string) bool {
	return strings.Contains(out, plain) ||
		strings.Contains(strings.ToLower(out), fmt.Sprintf("%x", plain))
}

func TestFormattingNeverLeaks(t *testing.T) {
	s := secret.New(plain)
	values := map[string]any{
		"value":            s,
		"pointer":          &s,
		"exported field":   open{s},
		"unexported field": closed{s},
		"pointer to field": &closed{s},
		"slice":            []secret.String{s},
		"map":              map[string]secret.String{"key": s},
		"any in a map":     map[string]any{"key": closed{s}},
	}
	verbs := []string{"%v", "%+v", "%#v", "%s", "%q", "%+q", "%x", "%X", "% x", "%d", "%T", "%p", "%t", "%c", "%U", "%w", "%20s", "%.3s", "%!"}
	for name, value := range values {
		t.Run(name, func(t *testing.T) {
			for _, verb := range verbs {
				if out := fmt.Sprintf(verb, value); leaks(out) {
					t.Errorf("%s printed %q", verb, out)
				}
				if out := fmt.Errorf("opening shop: "+verb, value).Error(); leaks(out) {
					t.Errorf("an error with %s printed %q", verb, out)
				}
			}
			if out := fmt.Sprintln(value); leaks(out) {
				t.Errorf("Sprintln printed %q", out)
			}
		})
	}
}

func TestFormattingSaysRedacted(t *testing.T) {
	s := secret.New(plain)
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		if got := fmt.Sprintf(verb, s); got != "[redacted]" {
			t.Errorf("%s printed %q, want [redacted]", verb, got)
		}
	}
	if got := fmt.Sprint(secret.String{}); got != "[redacted]" {
		t.Errorf("an empty secret printed %q: whether one is set is no one's business", got)
	}
}

func TestEncodersNeverLeak(t *testing.T) {
	s := secret.New(plain)

	got, err := json.Marshal(map[string]any{"field": open{s}, "pointer": &s})
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"field":{"Key":"[redacted]"},"pointer":"[redacted]"}`; string(got) != want {
		t.Errorf("json: got %s, want %s", got, want)
	}

	got, err = xml.Marshal(open{s})
	if err != nil {
		t.Fatal(err)
	}
	if want := `<open><Key>[redacted]</Key></open>`; string(got) != want {
		t.Errorf("xml: got %s, want %s", got, want)
	}

	for name, handler := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var log bytes.Buffer
		slog.New(handler(&log)).Info("calling the shop",
			"key", s, "pointer", &s, "open", open{s}, "closed", closed{s}, slog.Group("g", "key", s),
			"err", errors.Join(fmt.Errorf("refused: %v", s)))
		if leaks(log.String()) {
			t.Errorf("slog %s printed %s", name, log.String())
		}
		if !strings.Contains(log.String(), "[redacted]") {
			t.Errorf("slog %s does not say [redacted]: %s", name, log.String())
		}
	}
}

func TestDecodingIsRefused(t *testing.T) {
	var into open
	if err := json.Unmarshal([]byte(`{"Key":"[redacted]"}`), &into); err == nil {
		t.Error("a redacted secret was read back as a secret")
	}
}

func TestComparisonLeaksNothing(t *testing.T) {
	if diff := cmp.Diff(open{secret.New(plain)}, open{secret.New("other")}); diff == "" || leaks(diff) {
		t.Errorf("go-cmp shows %q, want a difference without the secret", diff)
	}
}

func TestEqual(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{plain, plain, true},
		{plain, "", false},
		{"", plain, false},
		{plain, plain + "x", false},
		{plain, "Hunter2-hunter2", false},
	} {
		if got := secret.New(test.a).Equal(secret.New(test.b)); got != test.want {
			t.Errorf("New(%q).Equal(New(%q)) = %v, want %v", test.a, test.b, got, test.want)
		}
	}
}

func TestRevealAndIsZero(t *testing.T) {
	if s := secret.New(plain); s.Reveal() != plain || s.IsZero() {
		t.Errorf("New(%q): Reveal %q, IsZero %v", plain, s.Reveal(), s.IsZero())
	}
	var zero secret.String
	if zero.Reveal() != "" || !zero.IsZero() || !secret.New("").IsZero() {
		t.Error("the zero String and New(\"\") must both be the empty secret")
	}
	type optional struct {
		Key secret.String `json:"key,omitzero"`
	}
	if got, err := json.Marshal(optional{}); err != nil || string(got) != "{}" {
		t.Errorf("omitzero: got %s, %v, want {}", got, err)
	}
}
