package shape

import (
	"fmt"
	"strings"
)

// maxViolations is how many violations one error lists.
const maxViolations = 20

// Invalid is what is wrong with a document. It is never empty.
type Invalid []Violation

// Violation is one thing that is wrong.
type Violation struct {
	// Path is a JSONPath (RFC 9535) into the document.
	Path string
	// Want says what would be right, as the rest of a sentence that begins with
	// the path.
	Want string
}

// Error lists the violations in one line.
func (i *Invalid) Error() string {
	var text strings.Builder
	for n, v := range *i {
		if n > 0 {
			text.WriteString("; ")
		}
		fmt.Fprintf(&text, "%s %s", v.Path, v.Want)
	}
	return text.String()
}
