package woocommerce

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The shop's texts hold entities and tags, some escaped twice.
func TestTrapEntitiesAndTags(t *testing.T) {
	for text, want := range map[string]string{
		"Home &amp; Kitchen":                               "Home & Kitchen",
		"Home &amp;amp; Kitchen":                           "Home & Kitchen",
		"&#8220;Mug&#8221; &times; 2":                      "“Mug” × 2",
		"<p>Warm.</p>\n<p>Soft.</p>":                       "Warm.\nSoft.",
		"One<br/>two<BR>three":                             "One\ntwo\nthree",
		"<ul><li>a</li><li>b</li></ul>":                    "a\nb",
		"<p>Black</p>\n":                                   "Black",
		"for <strong>you</strong>":                         "for you",
		`<a href="https://x.example/?a>b">shop</a>`:        `b">shop`,
		"<script>alert('x')</script>Mug":                   "Mug",
		"<SCRIPT>alert('x')</ScRiPt >Mug":                  "Mug",
		"<script>alert('x')":                               "",
		"<style>p{}</style>Mug":                            "Mug",
		"&lt;script&gt;alert(1)&lt;/script&gt;Mug":         "Mug",
		"&amp;lt;b&amp;gt;Mug&amp;lt;/b&amp;gt;":           "Mug",
		"Mug <!-- 1 > 2 --> blue":                          "Mug blue",
		"Mug <!-- never closed":                            "Mug",
		"2 < 3 and 4 > 3":                                  "2 < 3 and 4 > 3",
		"a <3":                                             "a <3",
		"AT&T":                                             "AT&T",
		"Tom &nbsp; Jerry":                                 "Tom Jerry",
		"zero\x00byte&#0;":                                 "zerobyte\uFFFD",
		"<<b>b>Mug</b>":                                    "Mug",
		"  much \t space  \n\n\n here ":                    "much space\nhere",
		"<img src=x onerror=alert(1)>Mug":                  "Mug",
		strings.Repeat("&amp;", 3) + "lt;b" + "&gt;":       "&&",
		"&" + strings.Repeat("amp;", 20) + "lt;i&gt;there": "amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;amp;lt;i>there",
	} {
		if got := plain(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// What one product says is bounded, whatever it is.
func TestTextsAreBounded(t *testing.T) {
	long := strings.Repeat("ö", maxMarkup)
	if got := plain(long); len(got) > maxText || !utf8.ValidString(got) {
		t.Errorf("a text of %d bytes, valid: %v", len(got), utf8.ValidString(got))
	}
	if got := title("a\n" + long); len(got) > maxTitle || strings.Contains(got, "\n") || !utf8.ValidString(got) {
		t.Errorf("a title of %d bytes", len(got))
	}
}

func TestLinks(t *testing.T) {
	for address, want := range map[string]bool{
		"https://shop.example/x": true, "http://127.0.0.1:8093/": true,
		"": false, "/x": false, "javascript:alert(1)": false, "https:///x": false, "data:text/html,x": false, "//shop.example/x": false,
	} {
		if got := link(address) != ""; got != want {
			t.Errorf("%q is a link: %v, want %v", address, got, want)
		}
	}
}

// An id names one thing, and only as it is written here.
func TestIDs(t *testing.T) {
	for _, id := range []string{"25", "65.67", "73.74~pa_size=xl", "1.2~a=b&c=d", "1.2~Gr%C3%B6%C3%9Fe=weit+%26+lang", "9223372036854775807"} {
		if i, ok := parseItem(id); !ok || i.String() != id {
			t.Errorf("%q was read as %+v, %v", id, i, ok)
		}
	}
	for _, id := range []string{
		"", "0", "-1", "025", "25.", "25.0", "65.067", "65.67~", "65.67~a", "1.2~a=%zz", "MUG-01", " 25", "25 ", "65.67.68", "9223372036854775808",
		"+25", "1.2~b%61=c",
	} {
		if i, ok := parseItem(id); ok {
			t.Errorf("%q was read as %+v", id, i)
		}
	}
}
