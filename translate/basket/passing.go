package basket

import (
	"errors"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// busyRetry is when to come back for a basket that another call is working on.
const busyRetry = time.Second

// Passing reports whether an error passes by itself, since another call is working on
// the basket or the shop cannot answer now, and when to try again: zero where nobody
// says.
func Passing(err error) (after time.Duration, passing bool) {
	if errors.Is(err, ErrBusy) {
		return busyRetry, true
	}
	var shop *upstream.Error
	if !errors.As(err, &shop) {
		return 0, false
	}
	switch shop.Code {
	case upstream.CodeUnavailable, upstream.CodeBusy, upstream.CodeDenied:
		return max(shop.RetryAfter, 0), true
	}
	return 0, false
}
