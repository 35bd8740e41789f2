package ucp

// Severity says who can mend an error.
type Severity string

// The severities of errors.
const (
	Recoverable         Severity = "recoverable"
	RequiresBuyerInput  Severity = "requires_buyer_input"
	RequiresBuyerReview Severity = "requires_buyer_review"
	Unrecoverable       Severity = "unrecoverable"
)

// Message tells the platform something about a response
// (schemas/common/types/message.json).
type Message struct {
	// Type is error, warning or info.
	Type string `json:"type"`
	// Code is empty on an info message without one.
	Code string `json:"code,omitempty"`
	// Path is a JSONPath (RFC 9535) from the root of the response, empty for the
	// whole of it.
	Path string `json:"path,omitempty"`
	// Content is plain text.
	Content string `json:"content"`
	// Severity stands on errors alone.
	Severity Severity `json:"severity,omitempty"`
}

// errorMessage, warning and info are the three types of message.
func errorMessage(code, path, content string, severity Severity) Message {
	return Message{Type: "error", Code: code, Path: path, Content: content, Severity: severity}
}

func warning(code, path, content string) Message {
	return Message{Type: "warning", Code: code, Path: path, Content: content}
}

func info(code, path, content string) Message {
	return Message{Type: "info", Code: code, Path: path, Content: content}
}
