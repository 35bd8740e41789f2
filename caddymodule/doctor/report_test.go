package doctor

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	r := Report{Findings: []Finding{
		{Check: "state", Status: OK, Found: "is a file"},
		{Check: "shop", Shop: "a", Status: Failure, Found: "is\ndown \x1b[31m" + strings.Repeat("é", maxLine), Advice: "start it"},
		{Check: "tls", Shop: "a", Site: "https://a.example", Status: Warning, Found: "ends soon", Advice: "renew it"},
	}}
	var text strings.Builder
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text.String(), "\n")
	lines[1] = strings.Replace(lines[1], strings.Repeat("é", (maxLine-len("is down [31m"))/2), "…", 1)
	want := []string{
		"ok       state: is a file",
		"failure  a shop: is down [31m…… → start it",
		"warning  https://a.example tls: ends soon → renew it",
		"1 check is fine, 1 warning, 1 failure",
		"",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("lines (-want +got):\n%s", diff)
	}
}

// The names of the fields are a promise.
func TestReportIsStable(t *testing.T) {
	encoded, err := json.Marshal(Report{OK: true, Findings: []Finding{
		{Check: "tls", Shop: "a", Site: "https://a.example", Status: Warning, Found: "f", Advice: "d"}, {Check: "state", Status: OK, Found: "f"},
	}})
	want := `{"examined":"0001-01-01T00:00:00Z","ok":true,"findings":[` +
		`{"check":"tls","shop":"a","site":"https://a.example","status":"warning","found":"f","advice":"d"},` +
		`{"check":"state","status":"ok","found":"f"}]}`
	if err != nil || string(encoded) != want {
		t.Errorf("got %s, %v", encoded, err)
	}
}
