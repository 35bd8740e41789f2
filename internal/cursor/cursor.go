// Package cursor writes where the next page of a search begins, for adapters to
// shops whose pages are not named by anything that could be handed on. A cursor
// is bound to its search: it leads nowhere in another one. It is no secret.
package cursor

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
)

// Errors about cursors that came from outside.
var (
	ErrForeign = errors.New("the cursor is not one of this search")
	ErrTooFar  = errors.New("the cursor leads too far")
)

const (
	// MaxOffset bounds how far a cursor of an offset leads.
	MaxOffset = 1_000_000

	// digestSize is how much of a search's hash is in a cursor, in bytes.
	digestSize = 8
	// maxCursor bounds a cursor, in bytes.
	maxCursor = 2000
)

// Write returns the cursor of a place in a search. What the search is is told by
// its JSON; it must hold nothing that JSON cannot.
func Write(search any, place []byte) string {
	return base64.RawURLEncoding.EncodeToString(append(digest(search), place...))
}

// Read returns the place of a cursor. The error is [ErrForeign], if it was not
// written for that search, or [ErrTooFar], if it is longer than cursors are.
func Read(search any, cursor string) ([]byte, error) {
	if len(cursor) > maxCursor {
		return nil, ErrTooFar
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) <= digestSize || !bytes.Equal(raw[:digestSize], digest(search)) {
		return nil, ErrForeign
	}
	return raw[digestSize:], nil
}

// WriteOffset returns the cursor for what follows the first offset places of a
// search.
func WriteOffset(search any, offset int) string {
	return Write(search, binary.BigEndian.AppendUint32(nil, uint32(offset)))
}

// ReadOffset returns how many places to skip: none without a cursor, and never
// more than [MaxOffset]. Its errors are those of [Read].
func ReadOffset(search any, cursor string) (int, error) {
	if cursor == "" {
		return 0, nil
	}
	place, err := Read(search, cursor)
	switch {
	case err != nil:
		return 0, err
	case len(place) != 4:
		return 0, ErrForeign
	}
	offset := binary.BigEndian.Uint32(place)
	if offset > MaxOffset {
		return 0, ErrTooFar
	}
	return int(offset), nil
}

// digest tells one search from another.
func digest(search any) []byte {
	sum := sha256.New()
	// A hash takes what it is given, and a search is strings, numbers and booleans.
	_ = json.NewEncoder(sum).Encode(search)
	return sum.Sum(nil)[:digestSize]
}
