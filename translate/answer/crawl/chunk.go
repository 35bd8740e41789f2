package crawl

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/storeware/caddy-storeware/upstream"
)

// position is where a walk stands.
type position struct {
	// Place is where to go on: at once while More.
	Place upstream.Place `json:"place,omitempty"`
	More  bool           `json:"more,omitempty"`
	// Walk is the number of the walk, Pages how many of its pages were read.
	Walk  uint32 `json:"walk"`
	Pages int    `json:"pages"`
	// Began is when the walk began, At when its last page was read, and Whole when
	// the last one over everything ended.
	Began time.Time `json:"began,omitzero"`
	At    time.Time `json:"at,omitzero"`
	Whole time.Time `json:"whole,omitzero"`
	// Doubted: the last walk over everything missed so much that it was not believed.
	Doubted bool `json:"doubted,omitempty"`
}

// chunk is an entry of the log.
type chunk struct {
	position
	// Documents were added or have changed.
	Documents []json.RawMessage `json:"documents,omitempty"`
	// Seen are the ids of products that were shown as they are known.
	Seen []string `json:"seen,omitempty"`
	// Removed are the ids of products that are gone.
	Removed []string `json:"removed,omitempty"`
}

// errStored says that what is stored was not written by this package, or by a newer
// release.
var errStored = errors.New("the stored documents cannot be read")

// format is the first byte of a chunk.
const format = 1

// maxUnpacked is how large a chunk may be when it is not compressed, in bytes.
const maxUnpacked = 64 << 20

// pack returns a chunk as it is stored: a byte that names the format, then JSON,
// compressed (RFC 1951).
func (c *chunk) pack() ([]byte, error) {
	var out bytes.Buffer
	out.WriteByte(format)
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err == nil {
		err = json.NewEncoder(w).Encode(c)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("packing documents: %w", err)
	}
	return out.Bytes(), nil
}

// unpack reads what pack returned.
func unpack(stored []byte) (*chunk, error) {
	if len(stored) == 0 || stored[0] != format {
		return nil, fmt.Errorf("%w: another format", errStored)
	}
	r := flate.NewReader(bytes.NewReader(stored[1:]))
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxUnpacked+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errStored, err)
	case len(text) > maxUnpacked:
		return nil, fmt.Errorf("%w: more than %d bytes", errStored, maxUnpacked)
	}
	c := new(chunk)
	if err := json.Unmarshal(text, c); err != nil {
		return nil, fmt.Errorf("%w: %w", errStored, err)
	}
	return c, nil
}
