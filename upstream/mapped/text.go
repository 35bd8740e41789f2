package mapped

import (
	"strings"

	"github.com/storeware/caddy-storeware/internal/plaintext"
)

// plain returns the text of what may be HTML. Some shops escape what is escaped
// already, so each line of it is read once more.
func plain(text string) string {
	lines := strings.Split(plaintext.FromHTML(text), "\n")
	for i, line := range lines {
		lines[i] = plaintext.FromHTML(line)
	}
	return plaintext.Tidy(strings.Join(lines, "\n"))
}
