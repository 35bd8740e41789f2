package outbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
)

// SignACP returns the signature of ACP's order webhooks under a secret that the
// receiver knows too:
//
//	Merchant-Signature: t=<Unix seconds>,v1=<HMAC-SHA256 of "t.body" in hex>
//
// A receiver takes it for 300 seconds before and after that time.
func SignACP(key secret.String) Sign {
	return func(r *http.Request, e Event, at time.Time) error {
		t := strconv.FormatInt(at.Unix(), 10)
		mac := hmac.New(sha256.New, []byte(key.Reveal()))
		mac.Write([]byte(t + "."))
		mac.Write(e.Body)
		r.Header.Set("Merchant-Signature", "t="+t+",v1="+hex.EncodeToString(mac.Sum(nil)))
		return nil
	}
}
