package ucp

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

func TestAgentProfile(t *testing.T) {
	for name, test := range map[string]struct {
		lines       []string
		development bool
		want        string // empty for a refusal
	}{
		"as usual":                {[]string{`profile="https://platform.example/.well-known/ucp"`}, false, "https://platform.example/.well-known/ucp"},
		"any path":                {[]string{`profile="https://agent.example/profiles/a.json?v=2"`}, false, "https://agent.example/profiles/a.json?v=2"},
		"normalized":              {[]string{`profile="HTTPS://Platform.Example:443"`}, false, "https://platform.example/"},
		"other members":           {[]string{`v=1, profile="https://platform.example/p";q=0.5, x=(a b)`}, false, "https://platform.example/p"},
		"in two lines":            {[]string{`v=1`, `profile="https://platform.example/p"`}, false, "https://platform.example/p"},
		"twice, the last counts":  {[]string{`profile="https://a.example/", profile="https://b.example/"`}, false, "https://b.example/"},
		"http on loopback":        {[]string{`profile="http://127.0.0.1:8080/p"`}, true, "http://127.0.0.1:8080/p"},
		"http on localhost":       {[]string{`profile="http://localhost:8080/p"`}, true, "http://localhost:8080/p"},
		"http on IPv6 loopback":   {[]string{`profile="http://[::1]/p"`}, true, "http://[::1]/p"},
		"https while developing":  {[]string{`profile="https://platform.example/p"`}, true, "https://platform.example/p"},
		"absent":                  {nil, false, ""},
		"empty":                   {[]string{""}, false, ""},
		"no dictionary":           {[]string{`https://platform.example/`}, false, ""},
		"no profile":              {[]string{`agent="https://platform.example/"`}, false, ""},
		"a token":                 {[]string{`profile=platform`}, false, ""},
		"a bare key":              {[]string{`profile`}, false, ""},
		"a number":                {[]string{`profile=1`}, false, ""},
		"bytes":                   {[]string{`profile=:aGk=:`}, false, ""},
		"a list":                  {[]string{`profile=("https://platform.example/")`}, false, ""},
		"without quotes":          {[]string{`profile=https://platform.example/`}, false, ""},
		"cut":                     {[]string{`profile="https://platform.example/`}, false, ""},
		"http":                    {[]string{`profile="http://platform.example/"`}, false, ""},
		"http on loopback, live":  {[]string{`profile="http://127.0.0.1/"`}, false, ""},
		"http elsewhere":          {[]string{`profile="http://192.168.0.1/"`}, true, ""},
		"http at a like name":     {[]string{`profile="http://localhost.example/"`}, true, ""},
		"ftp":                     {[]string{`profile="ftp://platform.example/"`}, true, ""},
		"relative":                {[]string{`profile="/.well-known/ucp"`}, false, ""},
		"no host":                 {[]string{`profile="https:///p"`}, false, ""},
		"user information":        {[]string{`profile="https://ucp.dev@evil.example/p"`}, false, ""},
		"longer than any URL":     {[]string{`profile="https://platform.example/` + strings.Repeat("a", 3000) + `"`}, false, ""},
		"longer than any header":  {[]string{`profile="https://platform.example/", x="` + strings.Repeat("a", 5000) + `"`}, false, ""},
		"a later one that is bad": {[]string{`profile="https://platform.example/", profile=?1`}, false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, failure := agentProfile(http.Header{"Ucp-Agent": test.lines}, test.development)
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if (failure == nil) != (test.want != "") {
				t.Fatalf("failure %v", failure)
			}
			if failure != nil && (failure.Status != http.StatusBadRequest || failure.Code != InvalidProfileURL || failure.Content == "") {
				t.Errorf("failure %+v", failure)
			}
		})
	}
}

func FuzzAgentProfile(f *testing.F) {
	for _, seed := range []string{
		`profile="https://platform.example/.well-known/ucp"`, `profile="http://[::1]:80/"`, `a, profile="https://x";q`,
		`profile="https://a\"b/"`, `profile=("https://x")`, `profile="https://xn--p1ai/%zz"`,
	} {
		f.Add(seed, true)
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, line string, development bool) {
		got, failure := agentProfile(http.Header{"Ucp-Agent": {line}}, development)
		if failure != nil {
			return
		}
		u, err := url.Parse(got)
		if err != nil || u.Host == "" || u.User != nil || u.Scheme != "https" && !development {
			t.Fatalf("accepted %q as %q", line, got)
		}
		if again, failure := profileURL(got, development); again != got || failure != nil {
			t.Errorf("%q becomes %q, %v when it is read again", got, again, failure)
		}
	})
}
