package mapped

// Value says where a value stands, or what it is made of, and what is done to it
// on the way. It works in both directions: read from an answer (paths are gjson's),
// and written into a request, where it has a text and no path. The zero Value is
// not mapped.
type Value struct {
	At Position `json:"at,omitzero"`
	// From are tried in turn, and the first that is there and not empty counts.
	From []Source `json:"from,omitempty"`
	// Split makes a list of a text, and Join a text of a list; a list that is
	// wanted as a text is joined by ", " anyway.
	Split string `json:"split,omitempty"`
	Join  string `json:"join,omitempty"`
	// Via looks the value up in another part of the same answer.
	Via *Via `json:"via,omitempty"`
	// Table is the name of a table to look the value up in. What is not in it is
	// nothing.
	Table string `json:"table,omitempty"`
	// Is makes it true or false: whether it is one of these words.
	Is []string `json:"is,omitempty"`
	// Default takes the place of nothing.
	Default string `json:"default,omitempty"`
	// Case is upper or lower.
	Case Case `json:"case,omitempty"`
	// Scale says what a number of money counts, if not what the mapping says.
	Scale Scale `json:"scale,omitempty"`
	// As says what a written value becomes, where that is not plain.
	As As `json:"as,omitempty"`
}

// Source is a gjson path, or a text with {placeholders}. In what is read these
// are paths too; in what is written they are names.
type Source struct {
	Path string `json:"path,omitempty"`
	Text string `json:"text,omitempty"`
}

// Via looks a value up in a list: it becomes what stands at Name in the item of
// In whose Key it is.
type Via struct {
	In   string `json:"in"`
	Key  string `json:"key"`
	Name string `json:"name"`
}

// Setting is a value that is written: its name is an sjson path, a header's or a
// parameter's.
type Setting struct {
	Name string `json:"name"`
	Value
}

// mapped reports whether the value stands anywhere.
func (v Value) mapped() bool { return len(v.From) > 0 || v.Default != "" }

// The words that a mapping may choose of.
type (
	// Tax says how tax stands to prices.
	Tax string
	// Scale says what a number of money counts.
	Scale string
	// Codes says how many discount codes a basket takes.
	Codes string
	// Session says how the shop knows a visitor again.
	Session string
	// Name says which of a product's names it is.
	Name string
	// Test says what has to be at a path.
	Test string
	// Case says how letters are written.
	Case string
	// As says what a written value becomes.
	As string
)

// The values of these words.
const (
	TaxIncluded Tax = "included"
	TaxExcluded Tax = "excluded"
	TaxUnknown  Tax = "unknown"

	// ScaleMajor counts whole units with decimals: 12.50. ScaleMinor counts the
	// currency's smallest units, and ScaleHundredths hundredths in any currency.
	ScaleMajor      Scale = "major"
	ScaleMinor      Scale = "minor"
	ScaleHundredths Scale = "hundredths"

	CodesOne  Codes = "one"
	CodesMany Codes = "many"

	SessionCookie Session = "cookie"

	NameID      Name = "id"
	NameVariant Name = "variant"
	NameHandle  Name = "handle"
	NameSKU     Name = "sku"

	// TestIs holds for one of the words, TestHas for a text that holds one of
	// them, TestThere for anything but null, nothing and the empty text, and
	// TestMissing for the opposite.
	TestIs      Test = "is"
	TestHas     Test = "has"
	TestThere   Test = "there"
	TestMissing Test = "missing"

	CaseUpper Case = "upper"
	CaseLower Case = "lower"

	// AsText writes a text even where a number would do, AsNumber a number or
	// true or false, and AsJSON what the text says as JSON.
	AsText   As = "text"
	AsNumber As = "number"
	AsJSON   As = "json"
)
