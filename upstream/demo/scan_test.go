package demo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestScanner(t *testing.T) {
	c := &scanner{s: ` { "a" : "x\"\u00e9\\" , "n":-12, "big":9223372036854775807, "f":1.5, "t":true,"z":null,
		"list" : [ "p", 1, ["q"], {"r":"s"}, "" ] , "o": {"k":{}} , "after":"here" }`}
	got := map[string]string{}
	c.object(func(key string) {
		switch key {
		case "n", "big", "f":
			got[key] = fmt.Sprint(c.whole())
		case "t", "z":
			got[key] = fmt.Sprint(c.truth())
		case "list":
			got[key] = strings.Join(c.texts(), "|")
		case "o":
			got[key] = "[" + c.text() + "]"
		default:
			got[key] = c.text()
		}
	})
	want := map[string]string{
		"a": `x"é\`, "n": "-12", "big": "9223372036854775807", "f": "0", "t": "true", "z": "false",
		"list": "p||||", "o": "[]", "after": "here",
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s is read as %q, want %q", key, got[key], value)
		}
	}
	if len(got) != len(want) {
		t.Errorf("read %v", got)
	}
}

// walk takes a value and writes it as gjson's would be written below.
func walk(c *scanner, b *strings.Builder) {
	switch c.next() {
	case '{':
		b.WriteByte('{')
		c.object(func(key string) {
			fmt.Fprintf(b, "%q:", key)
			walk(c, b)
		})
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		c.array(func() { walk(c, b) })
		b.WriteByte(']')
	case '"':
		fmt.Fprintf(b, "%q", c.text())
	default:
		c.skip()
		b.WriteByte('.')
	}
}

func walkResult(r gjson.Result, b *strings.Builder) {
	switch {
	case r.IsObject():
		b.WriteByte('{')
		r.ForEach(func(key, value gjson.Result) bool {
			fmt.Fprintf(b, "%q:", key.Str)
			walkResult(value, b)
			return true
		})
		b.WriteByte('}')
	case r.IsArray():
		b.WriteByte('[')
		r.ForEach(func(_, value gjson.Result) bool {
			walkResult(value, b)
			return true
		})
		b.WriteByte(']')
	case r.Type == gjson.String:
		fmt.Fprintf(b, "%q", r.Str)
	default:
		b.WriteByte('.')
	}
}

// FuzzScanner holds the scanner to gjson where the JSON is valid, and to coming to an
// end where it is not.
func FuzzScanner(f *testing.F) {
	f.Add(`{"a":["x",1,{"b":null}],"c":"\"\u00e9\\","d":-1.5e3,"e":true}`)
	f.Add(`[[[]],{},"",{"":""}]`)
	f.Add(`{"a":"\\"}`)
	f.Add(`{"a`)
	f.Add(`[,,]`)
	f.Fuzz(func(t *testing.T, body string) {
		if strings.Count(body, "[")+strings.Count(body, "{") > 1000 {
			t.Skip("deeper than the client lets pass")
		}
		var got, want strings.Builder
		c := &scanner{s: body}
		walk(c, &got)
		_, _ = (&Shop{public: "http://shop.example"}).readAnswer("searching", body)
		if !gjson.Valid(body) {
			return
		}
		walkResult(gjson.Parse(body), &want)
		if got.String() != want.String() {
			t.Errorf("%q is read as %s, want %s", body, got.String(), want.String())
		}
		if c.next() != 0 {
			t.Errorf("of %q %q is left", body, body[c.at:])
		}
	})
}
