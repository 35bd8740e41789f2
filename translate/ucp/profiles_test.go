package ucp

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

// A profile that cannot be had is the failure that the specification names
// (overview, "Error Codes").
func TestFetchedProfiles(t *testing.T) {
	small := `{"ucp":{"version":"2026-08-25","services":{},"payment_handlers":{}}}`
	var requests int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		switch r.URL.Path {
		case "/fine":
			_, _ = w.Write([]byte(small))
		case "/gone":
			w.WriteHeader(http.StatusNotFound)
		case "/moved":
			http.Redirect(w, r, "/fine", http.StatusFound)
		case "/broken":
			_, _ = w.Write([]byte(`{`))
		case "/wrong":
			_, _ = w.Write([]byte(`{"ucp":{"services":{},"payment_handlers":{}}}`))
		case "/large":
			_, _ = w.Write([]byte(small + strings.Repeat(" ", MaxProfile)))
		}
	}))
	defer server.Close()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()

	profiles := FetchProfiles(
		safehttp.Options{AllowLoopback: true, MaxBody: 10},
		// Each of the seven URLs on this host may be fetched once.
		safehttp.FetcherOptions{Now: func() time.Time { return time.Unix(0, 0) }, HostBurst: 7},
	)
	for _, test := range []struct {
		url     string
		status  int // zero for a profile
		code    FailureCode
		content string
	}{
		{server.URL + "/fine", 0, "", ""},
		{server.URL + "/fine", 0, "", ""},
		{server.URL + "/gone", http.StatusFailedDependency, ProfileUnreachable, "status 200"},
		{server.URL + "/moved", http.StatusFailedDependency, ProfileUnreachable, "redirect"},
		{closed.URL + "/", http.StatusFailedDependency, ProfileUnreachable, "could not be fetched"},
		{server.URL + "/broken", http.StatusUnprocessableEntity, ProfileMalformed, "complete JSON"},
		{server.URL + "/wrong", http.StatusUnprocessableEntity, ProfileMalformed, "$.ucp.version is missing"},
		{server.URL + "/large", http.StatusUnprocessableEntity, ProfileMalformed, "larger"},
		{"http://192.168.0.1/", http.StatusBadRequest, InvalidProfileURL, "public"},
		{"https://10.0.0.1/", http.StatusBadRequest, InvalidProfileURL, "public"},
		{server.URL + "/one-too-many", http.StatusServiceUnavailable, Unavailable, "Too many"},
	} {
		platform, err := profiles.Platform(t.Context(), test.url, false)
		if test.status == 0 {
			if err != nil || platform.Version != Release {
				t.Errorf("%s: %v, %v", test.url, platform, err)
			}
			continue
		}
		var f *Failure
		if !errors.As(err, &f) || f.Status != test.status || f.Code != test.code || !strings.Contains(f.Content, test.content) {
			t.Errorf("%s: got %v, want %d %s with %q", test.url, err, test.status, test.code, test.content)
			continue
		}
		if strings.Contains(f.Content, "127.0.0.1") {
			t.Errorf("%s: the content names an address: %s", test.url, f.Content)
		}
		if (f.RetryAfter > 0) != (f.Status == http.StatusServiceUnavailable) {
			t.Errorf("%s: retry after %v", test.url, f.RetryAfter)
		}
	}
	if requests != 6 {
		t.Errorf("%d requests, want 6: one for each document", requests)
	}
}

func TestFetchedProfilesPassOnTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := profileFailure(ctx, safehttp.ErrUnreachable)
	var f *Failure
	if !errors.Is(err, context.Canceled) || errors.As(err, &f) {
		t.Errorf("got %v", err)
	}
}

// none is Profiles without any.
type none struct{ asked []string }

func (n *none) Platform(_ context.Context, url string, _ bool) (*Platform, error) {
	n.asked = append(n.asked, url)
	return nil, refuse(http.StatusFailedDependency, ProfileUnreachable, "none")
}

func TestPinnedProfiles(t *testing.T) {
	var others none
	profiles, err := PinProfiles(map[string][]byte{
		"https://Platform.example": []byte(wholeProfile),
	}, &others)
	if err != nil {
		t.Fatal(err)
	}
	platform, err := profiles.Platform(t.Context(), "https://platform.example/", true)
	if err != nil || platform.Version != Release {
		t.Errorf("pinned: %v, %v", platform, err)
	}
	if _, err := profiles.Platform(t.Context(), "https://other.example/", false); err == nil || len(others.asked) != 1 {
		t.Errorf("not pinned: %v, asked for %v", err, others.asked)
	}
	for name, documents := range map[string]map[string][]byte{
		"no URL":     {"platform": []byte(wholeProfile)},
		"no profile": {"https://platform.example/": []byte(`{}`)},
	} {
		if _, err := PinProfiles(documents, &others); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
