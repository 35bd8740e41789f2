package keyring

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrRotating says that a new key is already published and waits to sign.
var ErrRotating = errors.New("a rotation is already under way")

// ErrNoKey says that the ring has no key of that kid.
var ErrNoKey = errors.New("the shop has no such key")

// Rotate makes a new key. It is published at once and signs after Lead; until
// then the current key signs, and after that it stays published for Grace. While
// a new key waits to sign, Rotate gives that key and [ErrRotating].
func (r *Ring) Rotate(ctx context.Context) (Key, error) {
	var made Key
	err := r.change(ctx, func(file *ringFile, now time.Time) error {
		last := &file.Keys[len(file.Keys)-1]
		if last.SignsFrom.After(now) {
			made = last.Key
			return ErrRotating
		}
		next, err := newRecord(now, now.Add(r.options.Lead))
		if err != nil {
			return err
		}
		for i := range file.Keys {
			if k := &file.Keys[i]; k.Retired.IsZero() {
				k.Retired = next.SignsFrom
				k.PublishedUntil = next.SignsFrom.Add(r.options.Grace)
			}
		}
		file.Keys = append(file.Keys, next)
		made = next.Key
		return nil
	})
	if err != nil {
		return made, fmt.Errorf("rotating the keys of the shop %s: %w", r.shop, err)
	}
	return made, nil
}

// Revoke removes a key at once, as UCP demands when it has leaked: nothing that
// it signed can be verified from now on. If it was the signing key, the one that
// waits to sign, or else a new one, signs at once; verifiers that have the
// profile cached meet an unknown kid until they fetch it again. The key that
// signs afterwards is returned. An unknown kid is [ErrNoKey].
func (r *Ring) Revoke(ctx context.Context, kid string) (Key, error) {
	var signing Key
	err := r.change(ctx, func(file *ringFile, now time.Time) error {
		before := len(file.Keys)
		file.Keys = slices.DeleteFunc(file.Keys, func(k record) bool { return k.ID == kid })
		if len(file.Keys) == before {
			return ErrNoKey
		}
		successor, err := file.successor(now)
		if err != nil {
			return err
		}
		signing = successor
		return nil
	})
	if err != nil {
		return Key{}, fmt.Errorf("revoking a key of the shop %s: %w", r.shop, err)
	}
	return signing, nil
}

// successor makes sure that one key signs now and that the newest is not on its
// way out, and gives the former.
func (f *ringFile) successor(now time.Time) (Key, error) {
	alive := func(k record) bool { return k.Retired.IsZero() || k.Retired.After(now) }
	if !slices.ContainsFunc(f.Keys, alive) {
		made, err := newRecord(now, now)
		if err != nil {
			return Key{}, err
		}
		f.Keys = append(f.Keys, made)
		return made.Key, nil
	}
	last := &f.Keys[len(f.Keys)-1]
	last.Retired, last.PublishedUntil = time.Time{}, time.Time{}
	if i := slices.IndexFunc(f.Keys, alive); f.Keys[i].SignsFrom.After(now) {
		f.Keys[i].SignsFrom = now
	}
	return f.Keys[slices.IndexFunc(f.Keys, alive)].Key, nil
}

// change rewrites the file under the storage's lock, from what is stored now.
// Keys whose time is over are left out.
func (r *Ring) change(ctx context.Context, edit func(file *ringFile, now time.Time) error) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return locked(ctx, r.storage, r.key, func() error {
		data, err := r.storage.Load(ctx, r.key)
		if err != nil {
			return wrap("loading", r.key, err)
		}
		if err := r.use(data); err != nil {
			return err
		}
		file, err := decodeFile(data, r.shop)
		if err != nil {
			return &CorruptError{Key: r.key, Err: err}
		}
		now := r.now()
		if err := edit(file, now); err != nil {
			return err
		}
		file.Keys = slices.DeleteFunc(file.Keys, func(k record) bool { return !k.published(now) })
		if data, err = file.encode(); err != nil {
			return fmt.Errorf("encoding the key file %s: %w", r.key, err)
		}
		if err := r.storage.Store(ctx, r.key, data); err != nil {
			return wrap("storing", r.key, err)
		}
		return r.use(data)
	})
}
