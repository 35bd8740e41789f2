package shopclient_test

import (
	"errors"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// marker stands in every body and every odd header of the shops in these tests.
// It must never be read in the text of an error.
const marker = "MARKER"

// checkError fails unless err has the code and a text with nothing of the shop's.
func checkError(t *testing.T, err error, code upstream.Code) *upstream.Error {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %s", code)
	}
	if strings.Contains(err.Error(), marker) {
		t.Errorf("the error quotes the shop: %v", err)
	}
	var e *upstream.Error
	if !errors.As(err, &e) {
		t.Fatalf("%T %v is no *upstream.Error", err, err)
	}
	if e.Code != code {
		t.Errorf("code %s, want %s (%v)", e.Code, code, err)
	}
	return e
}
