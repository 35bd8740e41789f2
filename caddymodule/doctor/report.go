package doctor

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Status says how a check went.
type Status string

// The outcomes of a check.
const (
	// OK: as it should be.
	OK Status = "ok"
	// Warning: it works, but something should be known or done.
	Warning Status = "warning"
	// Failure: agents cannot do what they should.
	Failure Status = "failure"
)

// Finding is the outcome of one check.
type Finding struct {
	// Check names what was checked; the package's documentation lists the names.
	Check string `json:"check"`
	// Shop is the name of the shop, empty for what all shops share.
	Shop string `json:"shop,omitempty"`
	// Site is the origin that agents reach the shop at, such as
	// https://shop.example.com, empty for what all sites of the shop share.
	Site   string `json:"site,omitempty"`
	Status Status `json:"status"`
	// Found is what was found, for people.
	Found string `json:"found"`
	// Advice is what to do about it, empty if there is nothing to do.
	Advice string `json:"advice,omitempty"`
}

// Report is the outcome of an examination.
type Report struct {
	// Examined is when it began, in UTC.
	Examined time.Time `json:"examined"`
	// OK says that no check failed; there may be warnings.
	OK bool `json:"ok"`
	// Findings are in the order of the checks, shop by shop.
	Findings []Finding `json:"findings"`
}

// add adds a finding.
func (r *Report) add(f Finding) { r.Findings = append(r.Findings, f) }

// Count returns how many checks had an outcome.
func (r *Report) Count(s Status) int {
	n := 0
	for _, f := range r.Findings {
		if f.Status == s {
			n++
		}
	}
	return n
}

// Write writes the report for people: one line for each finding, and a last one
// that sums up.
func (r *Report) Write(w io.Writer) error {
	var b strings.Builder
	for _, f := range r.Findings {
		where := f.Shop
		if f.Site != "" {
			where = f.Site
		}
		fmt.Fprintf(&b, "%-7s  %s: %s", f.Status, strings.TrimSpace(where+" "+f.Check), oneLine(f.Found))
		if f.Advice != "" {
			fmt.Fprintf(&b, " → %s", oneLine(f.Advice))
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "%s, %s, %s\n", count(r.Count(OK), "check is fine", "checks are fine"),
		count(r.Count(Warning), "warning", "warnings"), count(r.Count(Failure), "failure", "failures"))
	_, err := io.WriteString(w, b.String())
	return err
}

// maxLine bounds what is told of one thing, in bytes.
const maxLine = 600

// oneLine makes a text fit into a line of a terminal, whoever wrote it.
func oneLine(text string) string {
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r <= ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 }), " ")
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

// count writes a number with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list writes words as a sentence has them.
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(slices.Clone(words[:last]), ", ") + " and " + words[last]
}
