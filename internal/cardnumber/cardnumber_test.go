package cardnumber

import (
	"testing"

	"github.com/tidwall/gjson"
)

func TestIn(t *testing.T) {
	for text, want := range map[string]bool{
		"4111111111111111":                      true,
		"my card is 4111 1111 1111 1111, 12/29": true,
		"5555-5555-5555-4444":                   true,
		"378282246310005":                       true,
		"30569309025904":                        true,
		"6011000990139424.":                     true,
		"2223003122003222":                      true,
		"4222222222222":                         true,
		"+4111111111111111":                     true,

		"4111111111111112":                     false, // check digit
		"1234567812345670":                     false, // of no network
		"411111111111111":                      false,
		"41111111111111111111":                 false, // more digits than any card has
		"4111  1111 1111 1111":                 false, // two numbers
		"tok_4111111111111111":                 false, // a name
		"550e8400-e29b-41d4-a716-446655440000": false,
		"+44 1539 000001":                      false,
		"":                                     false,
	} {
		if got := In(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// Things of a shop and telephones have numbers of their own, and longer ones are
// refused there too.
func TestOtherNumbers(t *testing.T) {
	for _, c := range []struct {
		in   func(string) bool
		text string
		want bool
	}{
		{InID, "gid://shopify/ProductVariant/36000000000008", false},
		{In, "gid://shopify/ProductVariant/36000000000008", true},
		{InID, "4111111111111111", true},
		{InPhone, "+378282246310005", false},
		{InPhone, "378282246310005", true},
		{InPhone, "+4111111111111111", true},
	} {
		if got := c.in(c.text); got != c.want {
			t.Errorf("%q: %t, want %t", c.text, got, c.want)
		}
	}
}

func anywhere(string) func(string) bool { return In }

func TestFind(t *testing.T) {
	for json, want := range map[string]string{
		`{"a":[{"b":"x"},{"b":"4111111111111111"}]}`: "$.a[1].b",
		`{"a":{"b":4111111111111111}}`:               "$.a.b",
		`{"a":{"4111111111111111":1}}`:               "$.a",
		`{"4111-1111-1111-1111":1}`:                  "$",
		`{"a":"\u00344111111111111111"}`:             "",
		`{"a":"\u0034111111111111111"}`:              "$.a",
		`{"a":"4111111111111112","b":[1,null,true]}`: "",
	} {
		if got, found := Find(gjson.Parse(json), anywhere); got != want || found != (want != "") {
			t.Errorf("%s: %q %t, want %q", json, got, found, want)
		}
	}
}

// Wherever a card number is put, it is found, and no path ever shows one.
func FuzzFind(f *testing.F) {
	f.Add(`{"a":"4111111111111111"}`)
	f.Add(`{"4111111111111111":{"b":[4111111111111111]}}`)
	f.Fuzz(func(t *testing.T, json string) {
		if !gjson.Valid(json) {
			return
		}
		path, _ := Find(gjson.Parse(json), anywhere)
		if In(path) {
			t.Errorf("the path shows a card number: %s", path)
		}
		wrapped := `{"within":[` + json + `,"4111111111111111"]}`
		if _, found := Find(gjson.Parse(wrapped), anywhere); !found {
			t.Errorf("not found in %s", wrapped)
		}
	})
}
