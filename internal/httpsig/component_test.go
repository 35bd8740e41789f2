package httpsig

import (
	"net/http"
	"strings"
	"testing"

	"github.com/dunglas/httpsfv"
)

// componentOf parses one identifier as it stands in Signature-Input.
func componentOf(t testing.TB, identifier string) (component, error) {
	t.Helper()
	item, err := httpsfv.UnmarshalItem([]string{identifier})
	if err != nil {
		t.Fatal(err)
	}
	return parseComponent(item)
}

// TestComponentValues follows the examples of RFC 9421 section 2.
func TestComponentValues(t *testing.T) {
	fields := readRequest(t, strings.Join([]string{
		"", "GET /path?param=value&foo=bar&baz=batman&qux= HTTP/1.1",
		"Host: www.Example.com:443",
		"Date: Tue, 20 Apr 2021 02:07:56 GMT",
		"X-OWS-Header:   Leading and trailing whitespace.   ",
		"X-Obs-Fold-Header: Obsolete",
		"    line folding.",
		"Cache-Control: max-age=60",
		"Cache-Control:    must-revalidate",
		"Example-Dict:  a=1,    b=2;x=1;y=2,   c=(a   b   c), d",
		"UCP-Agent:  profile=\"https://agent.example\",   x=(a   b)",
		"Example-Header: value, with, lots",
		"Example-Header: of, commas",
		"X-Empty-Header: ", "", "",
	}, "\n"))
	fields.Scheme = "HTTPS"
	encoded := &Request{
		Method: "GET", Scheme: "https", Authority: "www.example.com",
		Target: "/parameters?var=this%20is%20a%20big%0Amultiline%20value&bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something&&broken=%zz%4&control=%\x11\x12",
	}
	untrimmed := &Request{Header: http.Header{"Accept": {" a\t", "\tb "}, "Date": {" now "}}}
	tests := []struct {
		request    *Request
		identifier string
		want       string
	}{
		{fields, `"host"`, "www.Example.com:443"},
		{fields, `"date"`, "Tue, 20 Apr 2021 02:07:56 GMT"},
		{fields, `"x-ows-header"`, "Leading and trailing whitespace."},
		{fields, `"x-obs-fold-header"`, "Obsolete line folding."},
		{fields, `"cache-control"`, "max-age=60, must-revalidate"},
		{fields, `"example-dict"`, "a=1,    b=2;x=1;y=2,   c=(a   b   c), d"},
		{fields, `"example-dict";key="a"`, "1"},
		{fields, `"example-dict";key="d"`, "?1"},
		{fields, `"example-dict";key="b"`, "2;x=1;y=2"},
		{fields, `"example-dict";key="c"`, "(a b c)"},
		{fields, `"ucp-agent";sf`, `profile="https://agent.example", x=(a b)`},
		{fields, `"ucp-agent";sf;key="x"`, `(a b)`},
		{fields, `"example-header";bs`, ":dmFsdWUsIHdpdGgsIGxvdHM=:, :b2YsIGNvbW1hcw==:"},
		{fields, `"x-empty-header"`, ""},
		{untrimmed, `"accept"`, "a, b"},
		{untrimmed, `"date"`, "now"},
		{untrimmed, `"accept";bs`, ":YQ==:, :Yg==:"},
		{fields, `"@method"`, "GET"},
		{fields, `"@scheme"`, "https"},
		{fields, `"@authority"`, "www.example.com"},
		{fields, `"@target-uri"`, "https://www.example.com/path?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@request-target"`, "/path?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@path"`, "/path"},
		{fields, `"@query"`, "?param=value&foo=bar&baz=batman&qux="},
		{fields, `"@query-param";name="baz"`, "batman"},
		{fields, `"@query-param";name="qux"`, ""},
		{encoded, `"@query-param";name="var"`, "this%20is%20a%20big%0Amultiline%20value"},
		{encoded, `"@query-param";name="bar"`, "with%20plus%20whitespace"},
		{encoded, `"@query-param";name="fa%C3%A7ade%22%3A%20"`, "something"},
		{encoded, `"@query-param";name="broken"`, "%25zz%254"},
		{encoded, `"@query-param";name="control"`, "%25%11%12"},
	}
	for _, test := range tests {
		t.Run(test.identifier, func(t *testing.T) {
			c, err := componentOf(t, test.identifier)
			if err != nil {
				t.Fatal(err)
			}
			got, err := message{request: test.request}.value(&c)
			if err != nil {
				t.Fatal(err)
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestTargetForms(t *testing.T) {
	tests := []struct {
		target, path, query, uri string
	}{
		{"/", "/", "?", "http://h/"},
		{"", "/", "?", "http://h/"},
		{"*", "/", "?", "http://h/"},
		{"?", "/", "?", "http://h/?"},
		{"?a=1", "/", "?a=1", "http://h/?a=1"},
		{"/a?", "/a", "?", "http://h/a?"},
		{"/a%2Fb/%7euser/../x?q=%20+", "/a%2Fb/%7euser/../x", "?q=%20+", "http://h/a%2Fb/%7euser/../x?q=%20+"},
		{"//twice//?a?b", "//twice//", "?a?b", "http://h//twice//?a?b"},
		{"http://proxy.example/p?q", "/p", "?q", "http://h/p?q"},
		{"http://proxy.example", "/", "?", "http://h/"},
		{"http://proxy.example?q=/x", "/", "?q=/x", "http://h/?q=/x"},
		{"example.com:80", "/", "?", "http://h/"},
		{"/caf\xc3\xa9?\xff", "/caf%C3%A9", "?%FF", "http://h/caf%C3%A9?%FF"},
		{"/!~ \x7f\x00\x1f", "/!~%20%7F%00%1F", "?", "http://h/!~%20%7F%00%1F"},
	}
	for _, test := range tests {
		r := &Request{Scheme: "http", Authority: "H:80", Target: test.target}
		if got := r.path(); got != test.path {
			t.Errorf("%q: path %q, want %q", test.target, got, test.path)
		}
		if got := r.query(); got != test.query {
			t.Errorf("%q: query %q, want %q", test.target, got, test.query)
		}
		if got := r.targetURI(); got != test.uri {
			t.Errorf("%q: target URI %q, want %q", test.target, got, test.uri)
		}
	}
}

func TestAuthority(t *testing.T) {
	tests := []struct{ scheme, authority, want string }{
		{"https", "Shop.Example:443", "shop.example"},
		{"https", "shop.example:80", "shop.example:80"},
		{"http", "shop.example:80", "shop.example"},
		{"http", "shop.example:8080", "shop.example:8080"},
		{"http", "[::1]:80", "[::1]"},
		{"https", "[2001:DB8::443]", "[2001:db8::443]"},
	}
	for _, test := range tests {
		r := &Request{Scheme: test.scheme, Authority: test.authority}
		if got := r.authority(); got != test.want {
			t.Errorf("%s://%s: got %q, want %q", test.scheme, test.authority, got, test.want)
		}
	}
}

// TestIdentifiersRefused holds what is wrong whatever the message.
func TestIdentifiersRefused(t *testing.T) {
	for _, identifier := range []string{
		`content-type`, `1`, `""`, `"Content-Type"`, `"content type"`, `"content-type:"`,
		`"@signature-params"`, `"date";tr`, `"date";unknown`, `"date";sf=?0`, `"date";sf="x"`,
		`"date";key=1`, `"date";key`, `"date";bs;sf`, `"date";bs;key="a"`, `"date";name="a"`,
		`"@path";sf`, `"@path";key="a"`, `"@path";bs`, `"@query-param"`, `"@query-param";name=1`,
	} {
		if c, err := componentOf(t, identifier); err == nil {
			t.Errorf("%s: accepted as %+v", identifier, c)
		}
	}
}

// TestValuesRefused holds what cannot be taken from a message.
func TestValuesRefused(t *testing.T) {
	r := &Request{
		Method: "GET", Scheme: "https", Authority: "h", Target: "/?twice=1&twice=2&bad=%ff",
		Header: http.Header{
			"Dict": {`a=1`}, "List": {`"a", "b"`}, "Ucp-Agent": {`"not a dictionary"`},
			"Split": {"a\nb: c"}, "Latin": {"caf\xe9"},
		},
	}
	request := message{request: r}
	response := message{request: r, response: &Response{Status: 200, Header: http.Header{}}}
	orphan := message{response: &Response{Status: 200, Header: http.Header{}}}
	tests := []struct {
		name       string
		message    message
		identifier string
	}{
		{"absent field", request, `"absent"`},
		{"absent member", request, `"dict";key="b"`},
		{"member of no dictionary", request, `"list";key="a"`},
		{"unknown type", request, `"dict";sf`},
		{"malformed dictionary", request, `"ucp-agent";sf`},
		{"line break", request, `"split"`},
		{"not ASCII", request, `"latin"`},
		{"status of a request", request, `"@status"`},
		{"unknown derivation", request, `"@unknown"`},
		{"req in a request", request, `"@path";req`},
		{"absent parameter", request, `"@query-param";name="none"`},
		{"parameter given twice", request, `"@query-param";name="twice"`},
		{"parameter not in UTF-8", request, `"@query-param";name="bad"`},
		{"path of a response", response, `"@path"`},
		{"authority of a response", response, `"@authority"`},
		{"status of the request", response, `"@status";req`},
		{"field of the request only", response, `"dict"`},
		{"no request at hand", orphan, `"@path";req`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := componentOf(t, test.identifier)
			if err != nil {
				t.Fatal(err)
			}
			if base, err := signatureBase(test.message, []component{c}, "()"); err == nil {
				t.Errorf("%s: got the base %q, want an error", test.identifier, base)
			}
		})
	}
}

// TestListedTwice compares identifiers without regard to parameter order.
func TestListedTwice(t *testing.T) {
	tests := []struct {
		list string
		ok   bool
	}{
		{`("date" "date")`, false},
		{`("date";req "date")`, true},
		{`("d";key="a" "d";key="b")`, true},
		{`("d";key="a";req "d";req;key="a")`, false},
		{`("d";key="a" "d";key="a";sf)`, false},
		{`("@query-param";name="a" "@query-param";name="b")`, true},
		{`("@query-param";name="a" "@query-param";name="a")`, false},
		{`("ucp-agent" "ucp-agent";sf)`, true},
	}
	for _, test := range tests {
		dict, err := httpsfv.UnmarshalDictionary([]string{"x=" + test.list})
		if err != nil {
			t.Fatal(err)
		}
		member, _ := dict.Get("x")
		_, err = parseComponents(member.(httpsfv.InnerList).Items)
		if (err == nil) != test.ok {
			t.Errorf("%s: error %v, want ok %v", test.list, err, test.ok)
		}
	}
}
