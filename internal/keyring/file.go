package keyring

import (
	"cmp"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// ringFile is the stored form of one shop's signing keys.
type ringFile struct {
	Version int      `json:"version"` // 1
	Shop    string   `json:"shop"`
	Keys    []record `json:"keys"` // by the time from which they sign
}

// record is a signing key as stored.
type record struct {
	Key
	PrivateKey string `json:"private_key"` // PKCS #8, PEM
}

// Key tells about a signing key. Times are UTC, zero when not set.
type Key struct {
	ID             string    `json:"kid"` // RFC 7638 thumbprint
	Created        time.Time `json:"created"`
	SignsFrom      time.Time `json:"signs_from"`
	Retired        time.Time `json:"retired,omitzero"`         // when another key takes over; maybe to come
	PublishedUntil time.Time `json:"published_until,omitzero"` // set together with Retired
}

// published says whether verifiers can find the key.
func (k *Key) published(now time.Time) bool {
	return k.PublishedUntil.IsZero() || now.Before(k.PublishedUntil)
}

// newRecord makes a key that signs from some time on.
func newRecord(now, signsFrom time.Time) (record, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return record{}, fmt.Errorf("generating a key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return record{}, fmt.Errorf("encoding a key: %w", err)
	}
	id, err := httpsig.Thumbprint(private.Public())
	if err != nil {
		return record{}, err
	}
	return record{
		Key:        Key{ID: id, Created: now, SignsFrom: signsFrom},
		PrivateKey: string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})),
	}, nil
}

// private decodes the private key and checks that it is the one named.
func (r *record) private() (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode([]byte(r.PrivateKey))
	if block == nil {
		return nil, errors.New("its private key is not in PEM")
	}
	decoded, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("its private key is not in PKCS #8: %w", err)
	}
	key, ok := decoded.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("its private key is not an EC key")
	}
	id, err := httpsig.Thumbprint(key.Public())
	if err != nil {
		return nil, err
	}
	if id != r.ID {
		return nil, errors.New("its private key is another one than its kid says")
	}
	return key, nil
}

// encode orders the keys and renders the file.
func (f *ringFile) encode() ([]byte, error) {
	slices.SortFunc(f.Keys, bySignsFrom)
	return json.MarshalIndent(f, "", "\t")
}

func bySignsFrom(a, b record) int {
	return cmp.Or(a.SignsFrom.Compare(b.SignsFrom), a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
}

// decodeFile reads a shop's file and checks it as far as it can be checked.
func decodeFile(data []byte, shop string) (*ringFile, error) {
	var f ringFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, err
	}
	if f.Version != 1 {
		return nil, fmt.Errorf("its version is %d, this release knows 1", f.Version)
	}
	if f.Shop != shop {
		return nil, fmt.Errorf("it belongs to the shop %q", f.Shop)
	}
	active := false
	for i := range f.Keys {
		k := &f.Keys[i]
		if k.Created.IsZero() || k.SignsFrom.IsZero() || k.Retired.IsZero() != k.PublishedUntil.IsZero() {
			return nil, fmt.Errorf("key %s lacks a time", k.ID)
		}
		active = active || k.Retired.IsZero()
	}
	if !active {
		return nil, errors.New("it has no key that is not retired")
	}
	slices.SortFunc(f.Keys, bySignsFrom)
	return &f, nil
}

// fileKey is where a shop's keys are stored. The name may hold anything, and
// storages differ in what they make of capitals, dots and slashes, so all but
// plain letters, digits, inner dots and hyphens is written as _ and two hex
// digits for each byte.
func fileKey(shop string) string {
	var b strings.Builder
	b.WriteString("storeware/keys/shops/")
	for i := range len(shop) {
		c := shop[i]
		if 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '.' && i > 0 && shop[i-1] != '.' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "_%02x", c)
		}
	}
	b.WriteString(".json")
	return b.String()
}
