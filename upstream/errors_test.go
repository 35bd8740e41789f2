package upstream_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestCodeOf(t *testing.T) {
	declined := &upstream.Error{Code: upstream.CodePaymentDeclined, Op: "placing the order", Err: io.EOF}
	for _, test := range []struct {
		err  error
		want upstream.Code
	}{
		{nil, ""},
		{declined, upstream.CodePaymentDeclined},
		{fmt.Errorf("completing: %w", declined), upstream.CodePaymentDeclined},
		{io.EOF, upstream.CodeUnavailable},
	} {
		if got := upstream.CodeOf(test.err); got != test.want {
			t.Errorf("CodeOf(%v) = %q, want %q", test.err, got, test.want)
		}
	}
	if !errors.Is(declined, io.EOF) {
		t.Error("the cause is lost")
	}
	if got, want := declined.Error(), "placing the order: payment_declined: EOF"; got != want {
		t.Errorf("Error() = %q, want %q", got, want)
	}
}
