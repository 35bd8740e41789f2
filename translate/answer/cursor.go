package answer

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
)

// ErrCursor says that a cursor is none of this question's.
var ErrCursor = errors.New("the cursor is not of an answer to this question")

// The sizes of a page of results. More than the most is quietly less.
const (
	defaultLimit = 10
	maxLimit     = 50
)

func (q Query) limit() int {
	if q.Limit <= 0 {
		return defaultLimit
	}
	return min(q.Limit, maxLimit)
}

// A cursor is a place among the results, and a sum of the question, so that it is
// of no use with another one.
const sumSize = 8

func sealCursor(q Query, offset int) string {
	return base64.RawURLEncoding.EncodeToString(binary.AppendUvarint(q.sum(), uint64(offset)))
}

func openCursor(q Query) (offset int, err error) {
	if q.Cursor == "" {
		return 0, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(q.Cursor)
	if err != nil || len(raw) <= sumSize || string(raw[:sumSize]) != string(q.sum()) {
		return 0, ErrCursor
	}
	place, n := binary.Uvarint(raw[sumSize:])
	if n != len(raw)-sumSize || place > DefaultCandidates*maxPasses {
		return 0, ErrCursor
	}
	return int(place), nil
}

// sum is over all that decides which results there are, and in which order.
func (q Query) sum() []byte {
	q.Cursor, q.Limit = "", 0
	encoded, err := json.Marshal(q)
	if err != nil {
		panic(fmt.Sprintf("texts and numbers cannot be encoded: %v", err))
	}
	sum := sha256.Sum256(encoded)
	return sum[:sumSize]
}
