package keyring

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// sealingKey is where the sealing key is stored.
const sealingKey = "storeware/keys/sealing.json"

// sealingFile is the stored form of the sealing key.
type sealingFile struct {
	Version int       `json:"version"` // 1
	Created time.Time `json:"created"`
	Key     []byte    `json:"key"` // 32 random bytes, base64
}

// SealingKey gives the key that seals stored data, the same for every node. It
// is made when there is none. What was sealed can be read with no other key, so
// a file that is not usable is an error and is never replaced.
func SealingKey(ctx context.Context, storage Storage, now func() time.Time) ([32]byte, error) {
	data, err := loadOrMake(ctx, storage, sealingKey, func() ([]byte, error) {
		key := make([]byte, 32)
		if _, err := rand.Read(key); err != nil {
			return nil, err
		}
		return json.Marshal(sealingFile{Version: 1, Created: now().UTC(), Key: key})
	})
	if err != nil {
		return [32]byte{}, err
	}
	key, err := parseSealing(data)
	if err != nil {
		return [32]byte{}, &CorruptError{Key: sealingKey, Err: err}
	}
	return key, nil
}

func parseSealing(data []byte) ([32]byte, error) {
	var file sealingFile
	if err := json.Unmarshal(data, &file); err != nil {
		return [32]byte{}, err
	}
	if file.Version != 1 {
		return [32]byte{}, fmt.Errorf("its version is %d, this release knows 1", file.Version)
	}
	if len(file.Key) != 32 {
		return [32]byte{}, errors.New("its key does not have 32 bytes")
	}
	return [32]byte(file.Key), nil
}
