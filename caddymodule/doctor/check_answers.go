package doctor

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// clockTolerance is how far apart two clocks may be: verifiers take signatures
// from no later than a minute ahead of them.
const clockTolerance = time.Minute

// verify verifies the signature of an answer with the published keys, by the clock
// of whoever made it: how right that is, clocks says.
func (v *visit) verify(ctx context.Context, method, path string, got *answer) {
	if date, err := http.ParseTime(got.header.Get("Date")); err == nil && v.date.IsZero() {
		v.date, v.asked = date, v.Now()
	}
	if v.unsigned != nil {
		return
	}
	scheme, authority, _ := strings.Cut(v.origin, "://")
	verifier := httpsig.Verifier{
		Keys: func(context.Context, string, bool) ([]httpsig.Key, error) { return v.keys, nil },
		Now:  func() time.Time { return v.Now().Add(v.skew()) },
	}
	verified, err := verifier.VerifyResponse(ctx, &httpsig.Response{
		Status: got.status, Header: got.header, Body: got.body,
		Request: &httpsig.Request{Method: method, Scheme: scheme, Authority: authority, Target: path},
	})
	if err != nil {
		v.unsigned = fmt.Errorf("%s %s: %w", method, path, err)
		return
	}
	v.verified++
	v.signedBy = verified.Key.ID()
	if v.created.IsZero() {
		v.created = verified.Created
	}
}

// skew is how far Caddy's clock is ahead of ours.
func (v *visit) skew() time.Duration {
	if v.date.IsZero() {
		return 0
	}
	return v.date.Sub(v.asked)
}

// signatures says whether all answers were signed.
func (v *visit) signatures() {
	const check = "signature"
	switch {
	case v.unsigned != nil:
		v.add(check, Failure, "of an answer does not verify: "+v.unsigned.Error(),
			"see that nothing around storeware, or in front of Caddy, changes its answers: no directive header, no compression, no cache")
	case v.verified > 0:
		v.add(check, OK, fmt.Sprintf("of %s verifies with the key %s", count(v.verified, "answer", "answers"), v.signedBy), "")
	}
}

// clocks compares the clocks of Caddy and of the shop, whose pages tell it, with
// ours. If all three are one machine's, none is known to be right.
func (v *visit) clocks(ctx context.Context) {
	const check = "clock"
	if v.date.IsZero() {
		return
	}
	const advice = "let time be kept by NTP (timedatectl set-ntp true) on both machines"
	if skew := v.skew(); skew.Abs() > clockTolerance {
		v.add(check, Failure, fmt.Sprintf("Caddy's clock is %s of this machine's: agents refuse what seems to be signed in the future", ahead(skew)), advice)
		return
	}
	if skew := v.created.Sub(v.date); !v.created.IsZero() && skew.Abs() > clockTolerance {
		v.add(check, Failure, fmt.Sprintf("signatures are dated %s of their answers", ahead(skew)), "see what changes the field Date, or keeps old answers")
		return
	}
	page, err := v.send(ctx, http.MethodHead, v.origin+"/", http.Header{}, "")
	if err == nil {
		now := v.Now()
		date, err := http.ParseTime(page.header.Get("Date"))
		if skew := date.Sub(now) - v.skew(); err == nil && page.header.Get("Age") == "" && skew.Abs() > clockTolerance {
			v.add(check, Warning, fmt.Sprintf("the shop's clock is %s of Caddy's", ahead(skew)), advice)
			return
		}
	}
	v.add(check, OK, "Caddy's and the shop's agree with this machine's", "")
}

// ahead says how far a clock is ahead of another.
func ahead(skew time.Duration) string {
	if skew < 0 {
		return skew.Abs().Round(time.Second).String() + " behind"
	}
	return skew.Round(time.Second).String() + " ahead"
}
