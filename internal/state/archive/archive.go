package archive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/storeware/caddy-storeware/internal/state"
)

// Store is what backing up and restoring need of a store.
type Store interface {
	// Records yields everything that has not expired, reading it page by page.
	Records(ctx context.Context) iter.Seq2[Record, error]

	// Load writes records into the store, which has been cleared. What has
	// expired is left out.
	Load(ctx context.Context, records []Record) error

	// Clear removes all records, also those that have expired.
	Clear(ctx context.Context) error

	// Fence returns a fencing token that no lease given out so far exceeds.
	Fence(ctx context.Context) (uint64, error)

	// RaiseFence makes all later fencing tokens exceed fence.
	RaiseFence(ctx context.Context, fence uint64) error
}

// Backup writes an archive of store to w.
func Backup(ctx context.Context, store Store, w io.Writer) error {
	if err := backup(ctx, store, w); err != nil {
		return fmt.Errorf("backing up: %w", err)
	}
	return nil
}

func backup(ctx context.Context, store Store, w io.Writer) error {
	out, err := newWriter(w)
	if err != nil {
		return err
	}
	for record, err := range store.Records(ctx) {
		if err != nil {
			return err
		}
		if err := out.write(record); err != nil {
			return err
		}
	}
	// The fence is read last, so that it covers the leases under which the
	// records were written.
	fence, err := store.Fence(ctx)
	if err != nil {
		return err
	}
	return out.close(fence)
}

// Check reads an archive to its end. The error says what is wrong with it.
func Check(r io.Reader) error {
	in, err := newReader(r)
	for err == nil {
		_, err = in.next()
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return fmt.Errorf("reading a backup: %w", err)
}

// Restore fills store from the archive in r, as state.Store's Restore promises.
func Restore(ctx context.Context, store Store, r io.Reader, mode state.RestoreMode) error {
	if err := restore(ctx, store, r, mode); err != nil {
		return fmt.Errorf("restoring a backup: %w", err)
	}
	return nil
}

func restore(ctx context.Context, store Store, r io.Reader, mode state.RestoreMode) error {
	in, err := newReader(r)
	if err != nil {
		return err
	}
	first, err := in.next()
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if mode != state.Replace {
		if err := checkEmpty(ctx, store); err != nil {
			return err
		}
	}
	if clearErr := store.Clear(ctx); clearErr != nil {
		return clearErr
	}
	if err := load(ctx, store, in, first, err); err != nil {
		// Half a backup is worse than none: it would be taken for whole.
		return errors.Join(err, store.Clear(context.WithoutCancel(ctx)))
	}
	return nil
}

func checkEmpty(ctx context.Context, store Store) error {
	for record, err := range store.Records(ctx) {
		if err != nil {
			return err
		}
		if record.Kind == Message || !state.Learned(record.Key) {
			return state.ErrNotEmpty
		}
	}
	return nil
}

// load writes the records of one block after another, beginning with those that
// next returned together with err.
func load(ctx context.Context, store Store, in *reader, records []Record, err error) error {
	for ; err == nil; records, err = in.next() {
		if err := store.Load(ctx, records); err != nil {
			return err
		}
	}
	if !errors.Is(err, io.EOF) {
		return err
	}
	return store.RaiseFence(ctx, in.fence)
}
