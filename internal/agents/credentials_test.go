package agents_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/agents"
)

func TestFromRequest(t *testing.T) {
	const key, other, shopper = "swa_one", "swa_two", "shopper-token.abc_~+/=="
	for name, test := range map[string]struct {
		authorization, apiKey []string
		key, shopper          string
		err                   error
	}{
		"nothing":                     {},
		"bearer":                      {authorization: []string{"Bearer " + key}, key: key},
		"small bearer":                {authorization: []string{"bearer " + key}, key: key},
		"odd bearer":                  {authorization: []string{" \tBEARER \t  " + key + " "}, key: key},
		"API key":                     {apiKey: []string{key}, key: key},
		"API key with spaces":         {apiKey: []string{" " + key + "\t"}, key: key},
		"the same in both":            {authorization: []string{"Bearer " + key}, apiKey: []string{key}, key: key},
		"the same twice":              {apiKey: []string{key, key}, key: key},
		"two in both":                 {authorization: []string{"Bearer " + key}, apiKey: []string{other}, err: agents.ErrTwoKeys},
		"two bearers":                 {authorization: []string{"Bearer " + key, "Bearer " + other}, err: agents.ErrTwoKeys},
		"two API keys":                {apiKey: []string{key, other}, err: agents.ErrTwoKeys},
		"one a prefix of the other":   {apiKey: []string{key, key + "x"}, err: agents.ErrTwoKeys},
		"a shopper's token":           {authorization: []string{"Bearer " + shopper}, apiKey: []string{key}, key: key, shopper: shopper},
		"a shopper's token alone":     {authorization: []string{"Bearer " + shopper}, shopper: shopper},
		"a shopper's token and a key": {authorization: []string{"Bearer " + shopper, "Bearer " + key}, key: key, shopper: shopper},
		"a shopper's token twice":     {authorization: []string{"Bearer " + shopper, "bearer  " + shopper}, shopper: shopper},
		"two shoppers":                {authorization: []string{"Bearer " + shopper, "Bearer x"}, err: agents.ErrCredentials},
		"an API key of another kind":  {apiKey: []string{"sk_live"}, key: "sk_live"},
		"two of another kind":         {apiKey: []string{"sk_live", "sk_test"}, err: agents.ErrTwoKeys},
		"another kind beside a key":   {authorization: []string{"Bearer " + key}, apiKey: []string{"sk_live"}, key: key},
		"Basic is not ours":           {authorization: []string{"Basic dXNlcjpwYXNz"}, apiKey: []string{key}, key: key},
		"Digest is not ours":          {authorization: []string{`Digest username="a, b"`, "Bearer " + key}, key: key},
		"a key without a scheme":      {authorization: []string{key}},
		"Bearers is no scheme":        {authorization: []string{"Bearers " + key}},
		"bearer without a token":      {authorization: []string{"Bearer"}, err: agents.ErrCredentials},
		"bearer and spaces":           {authorization: []string{"Bearer  \t"}, err: agents.ErrCredentials},
		"an empty API key":            {authorization: []string{"Bearer " + key}, apiKey: []string{""}, key: key},
		"an empty Authorization":      {authorization: []string{""}, apiKey: []string{key}, key: key},
		"two words":                   {authorization: []string{"Bearer " + key + " " + other}, err: agents.ErrCredentials},
		"a list":                      {apiKey: []string{key + ", " + other}, err: agents.ErrCredentials},
		"quotes":                      {authorization: []string{`Bearer "` + key + `"`}, err: agents.ErrCredentials},
		"bearer in an API key":        {apiKey: []string{"Bearer " + key}, err: agents.ErrCredentials},
		"not ASCII":                   {apiKey: []string{"swa_ключ"}, err: agents.ErrCredentials},
		"a NUL":                       {apiKey: []string{"swa_\x00"}, err: agents.ErrCredentials},
		"very long":                   {apiKey: []string{"swa_" + strings.Repeat("x", 8<<10)}, err: agents.ErrCredentials},
		"very many":                   {apiKey: []string{key, key, key, key, key}, err: agents.ErrCredentials},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := agents.FromRequest(header(test.authorization, test.apiKey))
			if !errors.Is(err, test.err) || got.Key.Reveal() != test.key || got.ShopperToken.Reveal() != test.shopper {
				t.Errorf("got key %q, shopper's token %q, %v; want %q, %q, %v",
					got.Key.Reveal(), got.ShopperToken.Reveal(), err, test.key, test.shopper, test.err)
			}
			if err != nil && strings.Contains(err.Error(), "swa_") {
				t.Errorf("the error repeats the key: %v", err)
			}
		})
	}
}

func header(authorization, apiKey []string) http.Header {
	h := make(http.Header)
	for _, value := range authorization {
		h.Add("Authorization", value)
	}
	for _, value := range apiKey {
		h.Add("X-API-Key", value)
	}
	return h
}

func FuzzFromRequest(f *testing.F) {
	for _, seed := range [][3]string{
		{"Bearer swa_a", "", ""},
		{"bearer\tswa_a", "swa_a", "swa_b"},
		{"Basic eDp5", "swa_a", ""},
		{"Bearer shopper", "swa_a", ""},
		{"Bearer", "", "x y"},
		{"Bearer a==", "é", "\x00"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, authorization, apiKey, second string) {
		got, err := agents.FromRequest(header([]string{authorization}, []string{apiKey, second}))
		if err != nil {
			if !errors.Is(err, agents.ErrCredentials) && !errors.Is(err, agents.ErrTwoKeys) {
				t.Fatalf("an error of no kind: %v", err)
			}
			if len(err.Error()) > 100 {
				t.Fatalf("the error repeats what was sent: %v", err)
			}
			return
		}
		for _, found := range []string{got.Key.Reveal(), got.ShopperToken.Reveal()} {
			if strings.ContainsAny(found, " \t\r\n,\"\x00") || !strings.Contains(authorization+"\n"+apiKey+"\n"+second, found) {
				t.Fatalf("found %q, which is not what was sent", found)
			}
		}
		if strings.HasPrefix(got.ShopperToken.Reveal(), "swa_") {
			t.Fatal("an agent key was taken for a shopper's token")
		}
		if strings.HasPrefix(strings.Trim(apiKey, " \t"), "swa_") && got.Key.Reveal() != strings.Trim(apiKey, " \t") {
			t.Fatalf("the key is %q, but X-API-Key was %q", got.Key.Reveal(), apiKey)
		}
	})
}
