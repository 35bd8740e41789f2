package archive

import (
	"crypto/sha256"
	"encoding/binary"
	"io"

	"github.com/storeware/caddy-storeware/internal/state"
)

const (
	magic   = "storeware state\n"
	version = 2

	blockData = 'D'
	blockEnd  = 'E'

	// blockSize is how many bytes of records a block holds before it ends.
	blockSize = 256 << 10

	// maxPayload is a block that is about to end and gets one more record, the
	// largest there is.
	maxPayload = blockSize + 3*state.MaxKey + state.MaxValue + 64

	blockHeader = 1 + 4
)

// writer writes an archive.
type writer struct {
	to     io.Writer
	digest [sha256.Size]byte
	block  []byte // header and payload
	count  uint64
}

func newWriter(to io.Writer) (*writer, error) {
	start := append([]byte(magic), version)
	if _, err := to.Write(start); err != nil {
		return nil, err
	}
	return &writer{to: to, digest: sha256.Sum256(start), block: make([]byte, blockHeader)}, nil
}

func (w *writer) write(r Record) error {
	w.block = r.append(w.block)
	w.count++
	if len(w.block) < blockSize {
		return nil
	}
	return w.end(blockData)
}

// close writes what is left and the end block.
func (w *writer) close(fence uint64) error {
	if len(w.block) > blockHeader {
		if err := w.end(blockData); err != nil {
			return err
		}
	}
	w.block = binary.AppendUvarint(w.block, fence)
	w.block = binary.AppendUvarint(w.block, w.count)
	return w.end(blockEnd)
}

// end writes the block and begins another one.
func (w *writer) end(kind byte) error {
	w.block[0] = kind
	binary.BigEndian.PutUint32(w.block[1:], uint32(len(w.block)-blockHeader))
	w.digest = chain(w.digest, w.block)
	_, err := w.to.Write(append(w.block, w.digest[:]...))
	w.block = w.block[:blockHeader]
	return err
}

// chain returns the digest of a block, given that of the one before.
func chain(before [sha256.Size]byte, block []byte) (digest [sha256.Size]byte) {
	hash := sha256.New()
	hash.Write(before[:])
	hash.Write(block)
	hash.Sum(digest[:0])
	return digest
}
