package safehttp

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	minFresh = time.Minute
	maxFresh = 24 * time.Hour
)

// freshFor returns for how long an answer may be used without asking again:
// max-age less the age that it had on arrival (RFC 9111, section 4.2), but at
// least a minute, whatever else is said, and at most a day.
func freshFor(header http.Header) time.Duration {
	fresh := maxAge(header) - seconds(header.Get("Age"))
	return min(max(fresh, minFresh), maxFresh)
}

// maxAge returns the max-age of Cache-Control, zero if there is none.
func maxAge(header http.Header) time.Duration {
	for _, line := range header.Values("Cache-Control") {
		for directive := range strings.SplitSeq(line, ",") {
			name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
			if strings.EqualFold(name, "max-age") {
				// RFC 9111, section 5.2 asks for tolerance of the quoted form.
				return seconds(strings.Trim(value, `"`))
			}
		}
	}
	return 0
}

// seconds reads a delta-seconds (RFC 9111, section 1.2.2), at most maxFresh. What
// is none counts as zero.
func seconds(s string) time.Duration {
	n, err := strconv.ParseUint(strings.TrimSpace(s), 10, 31)
	if err != nil {
		// A number too large to read means for ever.
		if s != "" && strings.Trim(s, "0123456789") == "" {
			return maxFresh
		}
		return 0
	}
	return min(time.Duration(n)*time.Second, maxFresh)
}
