package state

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"fmt"
	"iter"
	"time"
)

// sealed encrypts the values of the Store it wraps.
type sealed struct {
	Store
	aead  cipher.AEAD
	keyID byte
}

// Sealed returns store with every value encrypted by AES-256-GCM under key, so
// that nobody who reads the file, the Redis or a backup learns it or can change
// it or move it to another key of the store unnoticed. Keys, times and counters
// stay plain. Processes that share a store need the same key. Closing the
// returned Store closes store.
//
// A sealed value is one byte that names the key (so that a later release can
// unseal with several), a random nonce of 12 bytes, the encrypted value, and a
// tag of 16 bytes; the additional data is the key in the store. Random nonces
// are safe for about 2^32 values (NIST SP 800-38D, 8.3): more than a hundred
// million purchases.
func Sealed(store Store, key [32]byte) (Store, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("sealing the store: %w", err)
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fmt.Errorf("sealing the store: %w", err)
	}
	id := sha256.Sum256(append([]byte("storeware state key id\x00"), key[:]...))
	return &sealed{Store: store, aead: aead, keyID: id[0]}, nil
}

func (s *sealed) Get(ctx context.Context, key string) (Entry, error) {
	entry, err := s.Store.Get(ctx, key)
	if err != nil {
		return Entry{}, err
	}
	entry.Value, err = s.unseal(key, entry.Value)
	if err != nil {
		return Entry{}, err
	}
	return entry, nil
}

func (s *sealed) Put(ctx context.Context, key string, value []byte, ttl time.Duration) (Version, error) {
	if err := s.check(key, value, ttl); err != nil {
		return Absent, err
	}
	return s.Store.Put(ctx, key, s.seal(key, value), ttl)
}

func (s *sealed) CompareAndSwap(ctx context.Context, key string, old Version, value []byte, ttl time.Duration) (Version, error) {
	if err := s.check(key, value, ttl); err != nil {
		return Absent, err
	}
	return s.Store.CompareAndSwap(ctx, key, old, s.seal(key, value), ttl)
}

func (s *sealed) Scan(ctx context.Context, prefix, after string) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for item, err := range s.Store.Scan(ctx, prefix, after) {
			if err == nil {
				item.Value, err = s.unseal(item.Key, item.Value)
			}
			if err != nil {
				yield(Item{}, err)
				return
			}
			if !yield(item, nil) {
				return
			}
		}
	}
}

// overhead is what sealing adds to a value, in bytes.
func (s *sealed) overhead() int { return 1 + s.aead.Overhead() }

// check refuses what would be too large once sealed, and what is out of bounds
// anyway before work is spent on it.
func (s *sealed) check(key string, value []byte, ttl time.Duration) error {
	if err := s.checkSize(value); err != nil {
		return err
	}
	return CheckEntry(key, value, ttl)
}

// checkSize refuses a value that would be too large once sealed.
func (s *sealed) checkSize(value []byte) error {
	if limit := MaxValue - s.overhead(); len(value) > limit {
		return fmt.Errorf("%w: a value of %d bytes, where %d are the most once sealed", ErrInvalid, len(value), limit)
	}
	return nil
}

func (s *sealed) seal(key string, value []byte) []byte {
	out := make([]byte, 1, len(value)+s.overhead())
	out[0] = s.keyID
	return s.aead.Seal(out, nil, value, []byte(key))
}

func (s *sealed) unseal(key string, value []byte) ([]byte, error) {
	if len(value) < s.overhead() {
		return nil, fmt.Errorf("%w: %q holds a value that was never sealed", ErrSealed, key)
	}
	if value[0] != s.keyID {
		return nil, fmt.Errorf("%w: %q was sealed under another key (do all nodes share one?)", ErrSealed, key)
	}
	plain, err := s.aead.Open(nil, nil, value[1:], []byte(key))
	if err != nil {
		return nil, fmt.Errorf("%w: %q was sealed under another key, or changed since", ErrSealed, key)
	}
	return plain, nil
}
