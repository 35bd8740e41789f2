package shopify

import (
	"net/url"
	"time"

	"github.com/tidwall/gjson"
)

// texts reads a list of texts.
func texts(list gjson.Result) []string {
	var all []string
	for _, one := range list.Array() {
		all = append(all, one.String())
	}
	return all
}

// unique returns the values without repetition, in their order.
func unique[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	out := make([]T, 0, len(values))
	for _, value := range values {
		if !seen[value] {
			seen[value] = true
			out = append(out, value)
		}
	}
	return out
}

// webAddress reads an address of the web, empty where there is none.
func webAddress(value gjson.Result) string {
	u, err := url.Parse(value.String())
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	return value.String()
}

// readTime reads a time as GraphQL's DateTime has it, zero where there is none.
func readTime(value gjson.Result) time.Time {
	at, err := time.Parse(time.RFC3339Nano, value.String())
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
