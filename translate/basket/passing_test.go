package basket_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

func TestPassing(t *testing.T) {
	for name, test := range map[string]struct {
		err     error
		after   time.Duration
		passing bool
	}{
		"nothing":            {nil, 0, false},
		"anything":           {errors.New("x"), 0, false},
		"a basket at work":   {fmt.Errorf("the basket: %w", basket.ErrBusy), time.Second, true},
		"a shop away":        {fmt.Errorf("x: %w", &upstream.Error{Code: upstream.CodeUnavailable}), 0, true},
		"a shop to be left":  {&upstream.Error{Code: upstream.CodeBusy, RetryAfter: 7 * time.Second}, 7 * time.Second, true},
		"a time in the past": {&upstream.Error{Code: upstream.CodeBusy, RetryAfter: -time.Second}, 0, true},
		"a shop that denies": {&upstream.Error{Code: upstream.CodeDenied}, 0, true},
		"a refusal":          {&upstream.Error{Code: upstream.CodeInvalid}, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			if after, passing := basket.Passing(test.err); after != test.after || passing != test.passing {
				t.Errorf("got %v, %t", after, passing)
			}
		})
	}
}
