package mapped

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
)

// TestHandles: a handle is what was written, or none of this shop's.
func TestHandles(t *testing.T) {
	want := handle{
		Basket: "b-1", Cookies: cookies{"sid": "x"}, Buyer: upstream.Buyer{Email: "a@example.com"}, Address: &upstream.Address{City: "Kendal", Country: "GB"},
		Lines: []keptLine{{Key: "k", Item: "i", Product: "p", Quantity: 2}}, Refused: map[string]upstream.NoticeCode{"NOPE": upstream.NoticeDiscountUnknown},
	}
	written, err := want.write()
	if err != nil {
		t.Fatal(err)
	}
	got, err := readHandle("testing", written)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-written +read):\n%s", err, diff)
	}
	for _, text := range []string{"x", version, version + "[", version + `{"basket":1}`, `mapped9 {"basket":"1"}`, `{"basket":"1"}`} {
		if h, err := readHandle("testing", secret.New(text)); upstream.CodeOf(err) != upstream.CodeInvalid {
			t.Errorf("%q is a handle: %+v, %v", text, h, err)
		}
	}
}
