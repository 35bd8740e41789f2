package upstream_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestDoubtPayments(t *testing.T) {
	for name, test := range map[string]struct {
		named, has, want []string
	}{
		"nothing named": {nil, []string{"cod"}, nil},
		"all there":     {[]string{"cod"}, []string{"bacs", "cod"}, nil},
		"one not":       {[]string{"cod", "dummy"}, []string{"bacs", "cod"}, []string{"payment names dummy, which the shop does not have: it has bacs, cod"}},
		"none at all":   {[]string{"dummy", "cod"}, nil, []string{"payment names dummy, cod, which the shop does not have: it has none that is switched on"}},
	} {
		if diff := cmp.Diff(test.want, upstream.DoubtPayments(test.named, test.has)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
