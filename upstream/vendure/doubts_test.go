package vendure_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
	"github.com/storeware/caddy-storeware/upstream/vendure"
)

// answers are what a shop says to operations, by their names.
type answers map[string]answer

// RoundTrip implements http.RoundTripper.
func (a answers) RoundTrip(request *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	var body struct{ OperationName string }
	if err := json.Unmarshal(text, &body); err != nil {
		return nil, err
	}
	if say := a[body.OperationName]; say != nil {
		return say(request)
	}
	return throws("GRAPHQL_VALIDATION_FAILED")(request)
}

func data(body string) answer { return with(200, "application/json", `{"data":`+body+`}`) }

// TestDoubts: what of the configuration does not fit the shop is said with its
// description, and only that.
func TestDoubts(t *testing.T) {
	for name, test := range map[string]struct {
		channel, key string
		payments     []string
		say          answers
		want         []string // begins of doubts
	}{
		"nothing is asked for": {},
		"all is right": {channel: "fell", key: "key", payments: []string{"test-card"}, say: answers{
			"AdminOutcome": data(`{"orders":{"items":[]}}`),
		}},
		"a payment method":                  {payments: []string{"dummy"}, want: []string{"payment names dummy, which the shop does not have: it has test-card, invoice"}},
		"a channel, of a shop with one":     {channel: "nope", want: []string{"channel is the token of no channel"}},
		"a shop that tells no payments":     {payments: []string{"dummy"}, say: answers{"Payments": throws("FORBIDDEN")}},
		"a key that is refused":             {key: "key", say: answers{"AdminOutcome": throws("FORBIDDEN")}, want: []string{"admin_key is refused: "}},
		"an Admin API that is not there":    {key: "key", say: answers{"AdminOutcome": with(404, "text/html", "<p>no")}, want: []string{"admin_key cannot be used: asking the Admin API: unavailable: this does not look like a Vendure shop (POST /admin-api "}},
		"a shop that tells no channel":      {channel: "nope", say: answers{"Channel": throws("INTERNAL")}},
		"all at once, each of them is told": {channel: "nope", key: "key", payments: []string{"dummy"}, say: answers{"AdminOutcome": throws("FORBIDDEN")}, want: []string{"payment", "channel", "admin_key"}},
	} {
		t.Run(name, func(t *testing.T) {
			all := answers{
				"Shop":     data(`{"activeChannel":{"code":"fell","defaultLanguageCode":"en","defaultCurrencyCode":"GBP"}}`),
				"Payments": data(`{"activePaymentMethods":[{"code":"test-card","name":"Card"},{"code":"invoice","name":"Invoice"}]}`),
				"Channel":  data(`{"activeChannel":{"token":"fell"}}`),
			}
			for operation, say := range test.say {
				all[operation] = say
			}
			shop, err := vendure.New(vendure.Config{
				Client:  shopclient.Config{BaseURL: parse(t, "http://shop.example"), Transport: all},
				Channel: test.channel, AdminKey: secret.New(test.key), Payments: test.payments,
			})
			if err != nil {
				t.Fatal(err)
			}
			d, err := shop.Describe(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got := d.Doubts
			for i := range min(len(got), len(test.want)) {
				if strings.HasPrefix(got[i], test.want[i]) {
					got[i] = test.want[i]
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("doubts (-want +got):\n%s", diff)
			}
		})
	}
}

// TestUnknownChannel: a shop with several channels refuses everything in one that it
// does not have.
func TestUnknownChannel(t *testing.T) {
	shop, err := vendure.New(vendure.Config{
		Client:  shopclient.Config{BaseURL: parse(t, "http://shop.example"), Transport: answers{"Shop": throws("CHANNEL_NOT_FOUND")}},
		Channel: "nope",
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = shop.Describe(t.Context())
	var refused *upstream.Error
	if !errors.As(err, &refused) || refused.Code != upstream.CodeUnavailable || !strings.HasPrefix(refused.Text, "channel is the token of no channel") {
		t.Errorf("got %v", err)
	}
}
