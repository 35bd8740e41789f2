package plaintext

import (
	"strings"
	"unicode/utf8"
)

// Cut shortens a text to at most so many bytes, between words where it can.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	const ellipsis = "…"
	end := most - len(ellipsis)
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	if space := strings.LastIndexAny(text[:end], " \n\t"); space > end*3/4 {
		end = space
	}
	return strings.TrimRight(text[:end], " \n\t,;:") + ellipsis
}
