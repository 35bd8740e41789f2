package woocommerce

import (
	"html"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/storeware/caddy-storeware/internal/plaintext"
)

// maxText bounds a text that is handed on, in bytes, and maxTitle one that names
// something.
const (
	maxText  = 16 << 10
	maxTitle = 500
)

// maxMarkup is how much of a text with mark-up is read, and maxEscapes how often
// it may have been escaped.
const (
	maxMarkup  = 128 << 10
	maxEscapes = 8
)

// plain returns the text of what may be HTML. WooCommerce escapes its titles,
// keeps descriptions as its editor wrote them, and escapes some texts twice: so
// tags are taken out and entities read until there are none.
func plain(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(cut(text, maxMarkup), "\x00", ""), "\uFFFD")
	for range maxEscapes {
		if !strings.ContainsAny(text, "<&") {
			break
		}
		once := html.UnescapeString(strip(text))
		if once == text {
			return cut(plaintext.Tidy(text), maxText)
		}
		text = once
	}
	// What is escaped once more is nobody's text.
	return cut(plaintext.Tidy(strings.NewReplacer("<", "", "&", "", "\x00", "").Replace(text)), maxText)
}

// title is plain for what stands on one line.
func title(text string) string {
	return cut(strings.ReplaceAll(plain(text), "\n", " "), maxTitle)
}

// strip takes out tags and comments, and what stands in scripts and styles.
// Blocks end lines.
func strip(text string) string {
	var out strings.Builder
	for {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:at])
		text = text[at:]
		length, name := tag(text)
		if length == 0 { // A mere less-than sign.
			out.WriteByte('<')
			text = text[1:]
			continue
		}
		opens := text[1] != '/'
		text = text[length:]
		switch {
		case opens && (name == "script" || name == "style"):
			text = after(text, "</"+name)
		case isBlock(name):
			out.WriteByte('\n')
		}
	}
}

// tag returns the length of the tag or comment that text begins with, and the
// name of the element in small letters; 0 if it begins with none.
func tag(text string) (length int, name string) {
	if strings.HasPrefix(text, "<!--") {
		if end := strings.Index(text, "-->"); end >= 0 {
			return end + len("-->"), ""
		}
		return len(text), ""
	}
	rest := strings.TrimPrefix(text[1:], "/")
	if rest == "" || !isLetter(rest[0]) && rest[0] != '!' && rest[0] != '?' {
		return 0, ""
	}
	end := strings.IndexAny(text[1:], "<>") + 1
	if end == 0 || text[end] == '<' {
		return 0, ""
	}
	n := 0
	for n < len(rest) && (isLetter(rest[n]) || rest[n] >= '0' && rest[n] <= '9') {
		n++
	}
	return end + 1, strings.ToLower(rest[:n])
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// after returns what follows the next tag that begins with such letters.
func after(text, tag string) string {
	for at := range len(text) {
		if len(text)-at >= len(tag) && strings.EqualFold(text[at:at+len(tag)], tag) {
			return text[at:]
		}
	}
	return ""
}

// isBlock reports whether an element begins or ends a line.
func isBlock(element string) bool {
	switch element {
	case "p", "br", "div", "ul", "ol", "li", "table", "tr", "hr", "blockquote", "pre", "h1", "h2", "h3", "h4", "h5", "h6",
		"section", "article", "dl", "dt", "dd":
		return true
	}
	return false
}

// cut bounds a text without breaking a character.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return strings.TrimSpace(text[:limit])
}

// link returns an address of the web, or nothing where the shop has none.
func link(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return address
}
