package upstream_test

import (
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

func TestMarketOr(t *testing.T) {
	kendal := upstream.Market{Country: "GB", Region: "Cumbria", PostalCode: "LA9", Currency: "GBP", Language: "en"}
	for name, test := range map[string]struct{ now, want upstream.Market }{
		"nothing said":     {upstream.Market{}, kendal},
		"another language": {upstream.Market{Language: "fr"}, upstream.Market{Country: "GB", Region: "Cumbria", PostalCode: "LA9", Currency: "GBP", Language: "fr"}},
		"another country":  {upstream.Market{Country: "JP"}, upstream.Market{Country: "JP", Currency: "GBP", Language: "en"}},
	} {
		if got := test.now.Or(kendal); got != test.want {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
