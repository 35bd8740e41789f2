// Package locale reads what callers say of where they are and what they speak. All
// of it is hints: what is not understood is left out.
package locale

import (
	"strings"
	"unicode"

	"golang.org/x/text/language"
)

// How long, in bytes, a hint may be that is taken at all.
const (
	maxPlace    = 64
	maxLanguage = 256
)

// Country returns the ISO 3166-1 alpha-2 code for one of two or three letters,
// nothing for what is no country.
func Country(code string) string {
	if len(code) != 2 && len(code) != 3 {
		return ""
	}
	region, err := language.ParseRegion(code)
	if err != nil || !region.IsCountry() {
		return ""
	}
	return region.String()
}

// Place returns the name of a place if it could be one.
func Place(name string) string {
	if len(name) > maxPlace || strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return strings.TrimSpace(name)
}

// Language returns the BCP 47 tag of what is preferred.
func Language(tag string, acceptLanguage []string) string {
	if tag != "" && len(tag) <= maxLanguage {
		if parsed, err := language.Parse(tag); err == nil {
			return parsed.String()
		}
	}
	header := strings.Join(acceptLanguage, ",")
	if header == "" || len(header) > maxLanguage {
		return ""
	}
	tags, _, err := language.ParseAcceptLanguage(header)
	if err != nil || len(tags) == 0 {
		return ""
	}
	// An asterisk is read as "mul", any language.
	preferred := tags[0].String()
	if preferred == "mul" || preferred == "und" {
		return ""
	}
	return preferred
}
