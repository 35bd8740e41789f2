package keyring

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io/fs"
	"maps"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// spoilt gives files that must never be used or written over.
func spoilt(t *testing.T, good []byte) map[string][]byte {
	t.Helper()
	edit := func(change func(file map[string]any, key map[string]any)) []byte {
		var file map[string]any
		if err := json.Unmarshal(good, &file); err != nil {
			t.Fatal(err)
		}
		change(file, file["keys"].([]any)[0].(map[string]any))
		data, err := json.Marshal(file)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	p384, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(private crypto.Signer) []byte {
		der, err := x509.MarshalPKCS8PrivateKey(private)
		if err != nil {
			t.Fatal(err)
		}
		id, err := httpsig.Thumbprint(private.Public())
		if err != nil {
			t.Fatal(err)
		}
		return edit(func(_, k map[string]any) {
			k["kid"] = id
			k["private_key"] = string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
		})
	}
	return map[string][]byte{
		"empty":             {},
		"truncated":         good[:len(good)/2],
		"not JSON":          []byte("not JSON"),
		"null":              []byte("null"),
		"a later version":   edit(func(f, _ map[string]any) { f["version"] = 2 }),
		"another shop":      edit(func(f, _ map[string]any) { f["shop"] = "other.example" }),
		"no keys":           edit(func(f, _ map[string]any) { f["keys"] = []any{} }),
		"no active key":     edit(func(_, k map[string]any) { k["retired"], k["published_until"] = k["created"], k["created"] }),
		"half retired":      edit(func(_, k map[string]any) { k["retired"] = k["created"] }),
		"hidden, active":    edit(func(_, k map[string]any) { k["published_until"] = k["created"] }),
		"no time":           edit(func(_, k map[string]any) { delete(k, "signs_from") }),
		"no private key":    edit(func(_, k map[string]any) { delete(k, "private_key") }),
		"not PKCS #8":       edit(func(_, k map[string]any) { k["private_key"] = strings.Replace(k["private_key"].(string), "M", "N", 1) }),
		"another curve":     replace(p384),
		"another algorithm": replace(ed),
		"another key's kid": edit(func(_, k map[string]any) { k["kid"] = "kid" }),
	}
}

func TestCorruptFilesAreLeftAlone(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ring := open(t, storage, clock.now)
	good, signing := storage.files[fileKey(shop)], ring.Signer().KeyID()
	for name, data := range spoilt(t, good) {
		t.Run(name, func(t *testing.T) {
			storage.files[fileKey(shop)] = data
			for what, do := range map[string]func() error{
				"Open":    func() error { _, err := Open(t.Context(), storage, shop, Options{Now: clock.now}); return err },
				"Refresh": func() error { return ring.Refresh(t.Context()) },
				"Rotate":  func() error { _, err := ring.Rotate(t.Context()); return err },
				"Revoke":  func() error { _, err := ring.Revoke(t.Context(), signing); return err },
			} {
				err := do()
				var corrupt *CorruptError
				if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), fileKey(shop)) {
					t.Errorf("%s: got %v, want a CorruptError that names the file", what, err)
				}
				if err != nil && strings.Contains(err.Error(), "PRIVATE") {
					t.Errorf("%s: the error shows the private key: %v", what, err)
				}
			}
			if string(storage.files[fileKey(shop)]) != string(data) {
				t.Error("the file was written over")
			}
			if ring.Signer().KeyID() != signing {
				t.Error("the running ring lost its key")
			}
			if storage.locked() {
				t.Error("the lock is still held")
			}
		})
	}
}

// TestStorageErrors: each failing call comes back as it is, nothing is half
// done, and the lock is free again.
func TestStorageErrors(t *testing.T) {
	broken := errors.New("storage is away")
	clock := newClock()
	for _, method := range []string{"Load", "Store", "Lock", "Unlock"} {
		t.Run(method, func(t *testing.T) {
			storage := newMemory()
			storage.fail[method] = broken
			if _, err := Open(t.Context(), storage, shop, Options{Now: clock.now}); !errors.Is(err, broken) {
				t.Errorf("Open: got %v", err)
			}
			if _, err := SealingKey(t.Context(), storage, clock.now); !errors.Is(err, broken) {
				t.Errorf("SealingKey: got %v", err)
			}
			delete(storage.fail, method)
			maps.DeleteFunc(storage.locks, func(string, chan struct{}) bool { return true })
			ring := open(t, storage, clock.now)
			before := string(storage.files[fileKey(shop)])
			storage.fail[method] = broken
			if _, err := ring.Rotate(t.Context()); !errors.Is(err, broken) {
				t.Errorf("Rotate: got %v", err)
			}
			if after := string(storage.files[fileKey(shop)]); after != before && method != "Unlock" {
				t.Error("a failed rotation changed the file")
			}
			if storage.locked() && method != "Unlock" {
				t.Error("the lock is still held")
			}
		})
	}
}

// TestAFileThatIsGone: a running ring keeps its keys and says so.
func TestAFileThatIsGone(t *testing.T) {
	storage, clock := newMemory(), newClock()
	ring := open(t, storage, clock.now)
	delete(storage.files, fileKey(shop))
	if err := ring.Refresh(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Refresh: got %v, want fs.ErrNotExist", err)
	}
	if _, err := ring.Rotate(t.Context()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Rotate: got %v, want fs.ErrNotExist", err)
	}
	if len(ring.Published()) != 1 || storage.stores != 1 {
		t.Error("the ring lost its key or stored another")
	}
}

// TestAnEndedContextFreesTheLock: whoever gives up must not leave it locked.
func TestAnEndedContextFreesTheLock(t *testing.T) {
	storage := newMemory()
	ring := open(t, storage, newClock().now)
	ctx, cancel := context.WithCancel(t.Context())
	err := locked(ctx, storage, ring.key, func() error { cancel(); return ctx.Err() })
	if !errors.Is(err, context.Canceled) || storage.locked() {
		t.Errorf("got %v; lock still held: %v", err, storage.locked())
	}
}
