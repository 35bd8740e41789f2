package ucp

import (
	"net/http"

	"github.com/dunglas/httpsfv"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// maxAgentHeader bounds UCP-Agent, in bytes.
const maxAgentHeader = 4 << 10

// agentProfile returns the URL of the calling platform's profile: the string
// "profile" of UCP-Agent, which is a dictionary of RFC 8941 (signatures.md,
// "UCP-Agent parsing rules"), in the form that safehttp.ParseURL gives it. Other
// members of the dictionary are ignored. Plain http is for a development's own
// machine.
func agentProfile(header http.Header, development bool) (string, *Failure) {
	lines := header.Values("UCP-Agent")
	if len(lines) == 0 {
		return "", invalidProfileURL(`The header UCP-Agent is missing: send UCP-Agent: profile="https://…"`)
	}
	size := 0
	for _, line := range lines {
		size += len(line)
	}
	if size > maxAgentHeader {
		return "", invalidProfileURL("UCP-Agent is longer than %d bytes", maxAgentHeader)
	}
	dictionary, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return "", invalidProfileURL(`UCP-Agent is not a dictionary of RFC 8941: send profile="https://…", with the quotes`)
	}
	member, _ := dictionary.Get("profile")
	item, _ := member.(httpsfv.Item)
	raw, ok := item.Value.(string)
	if !ok {
		return "", invalidProfileURL(`UCP-Agent has no profile that is a string: send profile="https://…", with the quotes`)
	}
	return profileURL(raw, development)
}

// profileURL checks the URL of a platform profile, wherever it was named.
func profileURL(raw string, development bool) (string, *Failure) {
	u, err := safehttp.ParseURL(raw)
	switch {
	case err != nil:
		return "", invalidProfileURL("The platform profile must be at an absolute https URL without user information")
	case u.Scheme == "https":
	case !development:
		return "", invalidProfileURL("The platform profile must be at an https URL")
	case !safehttp.IsLoopback(u):
		return "", invalidProfileURL("The platform profile must be at an https URL, or at http on this machine's loopback address")
	}
	return u.String(), nil
}

func invalidProfileURL(format string, args ...any) *Failure {
	return refuse(http.StatusBadRequest, InvalidProfileURL, format, args...)
}
