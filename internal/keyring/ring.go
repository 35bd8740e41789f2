package keyring

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpsig"
)

// Defaults of [Options].
const (
	DefaultLead  = time.Hour
	DefaultGrace = 7 * 24 * time.Hour
)

// pollInterval is how often Watch looks for changes by other nodes.
const pollInterval = time.Minute

// Options set the times of a Ring; zero means the default.
type Options struct {
	Lead  time.Duration    // how long a new key is published before it signs
	Grace time.Duration    // how long an old key stays published after it signed last
	Now   func() time.Time // the clock; time.Now by default
}

// Ring holds one shop's signing keys. It is safe for concurrent use, and
// reading from it does no I/O. [Open] makes one.
type Ring struct {
	storage Storage
	shop    string
	key     string // of the file in the storage
	options Options

	writing sync.Mutex // orders what replaces keys
	keys    atomic.Pointer[keys]
}

// keys is what one version of the file says.
type keys struct {
	data []byte // the file
	held []held // by the time from which they sign, never empty
}

// held is a key ready for use.
type held struct {
	Key
	signer *httpsig.Signer
	jwk    httpsig.JWK
}

// Open gives the ring of a shop and makes its first key when there is none. The
// name of a shop is its identity: another name has other keys.
func Open(ctx context.Context, storage Storage, shop string, options Options) (*Ring, error) {
	if shop == "" || len(shop) > 64 {
		return nil, fmt.Errorf("opening the keys of a shop: its name %q does not have 1 to 64 bytes", shop)
	}
	if options.Lead == 0 {
		options.Lead = DefaultLead
	}
	if options.Grace == 0 {
		options.Grace = DefaultGrace
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	r := &Ring{storage: storage, shop: shop, key: fileKey(shop), options: options}
	data, err := loadOrMake(ctx, storage, r.key, func() ([]byte, error) {
		now := r.now()
		first, err := newRecord(now, now)
		if err != nil {
			return nil, err
		}
		return (&ringFile{Version: 1, Shop: shop, Keys: []record{first}}).encode()
	})
	if err != nil {
		return nil, err
	}
	if err := r.use(data); err != nil {
		return nil, err
	}
	return r, nil
}

// now is the time in whole seconds, as the file shows it.
func (r *Ring) now() time.Time { return r.options.Now().UTC().Truncate(time.Second) }

// use makes the keys in a file those of the ring.
func (r *Ring) use(data []byte) error {
	file, err := decodeFile(data, r.shop)
	if err != nil {
		return &CorruptError{Key: r.key, Err: err}
	}
	next := &keys{data: data}
	for i := range file.Keys {
		k, err := r.hold(&file.Keys[i])
		if err != nil {
			return &CorruptError{Key: r.key, Err: fmt.Errorf("key %s: %w", file.Keys[i].ID, err)}
		}
		next.held = append(next.held, k)
	}
	r.keys.Store(next)
	return nil
}

func (r *Ring) hold(stored *record) (held, error) {
	private, err := stored.private()
	if err != nil {
		return held{}, err
	}
	signer, err := httpsig.NewSigner(private, stored.ID, r.options.Now)
	if err != nil {
		return held{}, err
	}
	jwk, err := httpsig.PublicJWK(stored.ID, private.Public())
	if err != nil {
		return held{}, err
	}
	return held{Key: stored.Key, signer: signer, jwk: jwk}, nil
}

// signing is the index of the key that signs now: the last whose time has come.
// Should a node's clock be behind that of the node which made the first key,
// that key signs all the same.
func (k *keys) signing(now time.Time) int {
	signing := 0
	for i := range k.held {
		if !k.held[i].SignsFrom.After(now) {
			signing = i
		}
	}
	return signing
}

// Signer signs with the key whose turn it is. It is meant to be asked for anew
// for each message.
func (r *Ring) Signer() *httpsig.Signer {
	k := r.keys.Load()
	return k.held[k.signing(r.now())].signer
}

// Published gives the public keys for the shop's profile: those that sign, will
// sign or signed lately, the newest first.
func (r *Ring) Published() []httpsig.JWK {
	now, k := r.now(), r.keys.Load()
	var out []httpsig.JWK
	for i := len(k.held) - 1; i >= 0; i-- {
		if k.held[i].published(now) {
			out = append(out, k.held[i].jwk)
		}
	}
	return out
}

// Keys tells about the published keys, in the order of Published.
func (r *Ring) Keys() []Key {
	now, k := r.now(), r.keys.Load()
	var out []Key
	for i := len(k.held) - 1; i >= 0; i-- {
		if k.held[i].published(now) {
			out = append(out, k.held[i].Key)
		}
	}
	return out
}

// Refresh takes over what other nodes have changed. After an error the ring
// goes on with the keys it has.
func (r *Ring) Refresh(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	data, err := r.storage.Load(ctx, r.key)
	if err != nil {
		return wrap("loading", r.key, err)
	}
	if bytes.Equal(data, r.keys.Load().data) {
		return nil
	}
	return r.use(data)
}

// Watch refreshes the ring every minute until ctx ends, and tells report what
// went wrong. It belongs into a goroutine whose owner waits for it.
func (r *Ring) Watch(ctx context.Context, report func(error)) {
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if err := r.Refresh(ctx); err != nil && ctx.Err() == nil {
				report(err)
			}
		}
	}
}
