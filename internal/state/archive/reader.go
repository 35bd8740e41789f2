package archive

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/storeware/caddy-storeware/internal/state"
)

// reader reads an archive.
type reader struct {
	from   *bufio.Reader
	digest [sha256.Size]byte
	count  uint64
	fence  uint64 // known at the end
}

func newReader(r io.Reader) (*reader, error) {
	in := &reader{from: bufio.NewReader(r)}
	start := make([]byte, len(magic)+1)
	if err := in.fill(start); err != nil {
		return nil, err
	}
	if string(start[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin like one", ErrDamaged)
	}
	if found := start[len(magic)]; found == 0 || found > version {
		return nil, fmt.Errorf("%w: the archive has format %d, this release knows up to %d", state.ErrSchema, found, version)
	}
	in.digest = sha256.Sum256(start)
	return in, nil
}

// next returns the records of the next block, or io.EOF after the last one if
// the archive is whole.
func (in *reader) next() ([]Record, error) {
	header := make([]byte, blockHeader)
	if err := in.fill(header); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(header[1:])
	if size > maxPayload {
		return nil, fmt.Errorf("%w: a block of %d bytes", ErrDamaged, size)
	}
	block := append(header, make([]byte, size)...)
	if err := in.fill(block[blockHeader:]); err != nil {
		return nil, err
	}
	var digest [sha256.Size]byte
	if err := in.fill(digest[:]); err != nil {
		return nil, err
	}
	in.digest = chain(in.digest, block)
	if digest != in.digest {
		return nil, fmt.Errorf("%w: a digest does not match", ErrDamaged)
	}
	payload := block[blockHeader:]
	switch block[0] {
	case blockData:
		found, err := records(payload)
		in.count += uint64(len(found))
		return found, err
	case blockEnd:
		return nil, in.end(payload)
	default:
		return nil, fmt.Errorf("%w: a block of unknown kind %q", ErrDamaged, block[:1])
	}
}

// end returns io.EOF if the end block is as it should be.
func (in *reader) end(payload []byte) error {
	d := decoder{rest: payload}
	in.fence = d.uvarint()
	count := d.uvarint()
	if d.failed || len(d.rest) > 0 || count != in.count {
		return fmt.Errorf("%w: it should hold %d records, not %d", ErrDamaged, count, in.count)
	}
	switch _, err := in.from.ReadByte(); {
	case err == nil:
		return fmt.Errorf("%w: something follows its end", ErrDamaged)
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("reading the archive: %w", err)
	}
	return io.EOF
}

func (in *reader) fill(buf []byte) error {
	_, err := io.ReadFull(in.from, buf)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	}
	if err != nil {
		return fmt.Errorf("reading the archive: %w", err)
	}
	return nil
}
