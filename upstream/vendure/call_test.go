package vendure

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSessionFollows(t *testing.T) {
	cookies := http.Header{"Set-Cookie": {"session=abc; path=/; httponly", "session.sig=def; path=/; httponly"}}
	both := cookies.Clone()
	both.Set(sessionHeader, "new")
	for name, test := range map[string]struct {
		before session
		answer http.Header
		want   session
		sent   map[string]string
	}{
		"a token":            {session{}, both, session{Token: "new"}, map[string]string{"Authorization": "Bearer new"}},
		"a token again":      {session{Token: "old"}, http.Header{}, session{Token: "old"}, map[string]string{"Authorization": "Bearer old"}},
		"a new token":        {session{Token: "old"}, both, session{Token: "new"}, map[string]string{"Authorization": "Bearer new"}},
		"a token and cookie": {session{Token: "old"}, cookies, session{Token: "old"}, map[string]string{"Authorization": "Bearer old"}},
		"cookies":            {session{}, cookies, session{Cookie: "session=abc; session.sig=def"}, map[string]string{"Cookie": "session=abc; session.sig=def"}},
		"cookies again":      {session{Cookie: "session=abc"}, http.Header{}, session{Cookie: "session=abc"}, map[string]string{"Cookie": "session=abc"}},
		"nothing":            {session{}, http.Header{}, session{}, map[string]string{}},
	} {
		got := test.before.follow(test.answer)
		if got != test.want {
			t.Errorf("%s: got %+v, want %+v", name, got, test.want)
		}
		sent := map[string]string{}
		for header, value := range got.headers() {
			sent[header] = value.Reveal()
		}
		if diff := cmp.Diff(test.sent, sent); diff != "" {
			t.Errorf("%s: headers (-want +got):\n%s", name, diff)
		}
	}
}
