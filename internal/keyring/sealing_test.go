package keyring

import (
	"errors"
	"strings"
	"testing"
)

func TestSealingKey(t *testing.T) {
	storage, clock := newMemory(), newClock()
	first, err := SealingKey(t.Context(), storage, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	second, err := SealingKey(t.Context(), storage, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	if first != second || first == [32]byte{} {
		t.Errorf("got %x, then %x, want the same random key twice", first, second)
	}
	other, err := SealingKey(t.Context(), newMemory(), clock.now)
	if err != nil {
		t.Fatal(err)
	}
	if other == first {
		t.Error("another installation has the same key")
	}
}

func TestASpoiltSealingKeyIsLeftAlone(t *testing.T) {
	key := strings.Repeat("A", 42) + "A="
	for _, data := range []string{"", "{", "null", `{"version":2,"key":"` + key + `"}`, `{"version":1,"key":"AAAA"}`, `{"version":1,"key":7}`} {
		storage := newMemory()
		storage.files[sealingKey] = []byte(data)
		_, err := SealingKey(t.Context(), storage, newClock().now)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || !strings.Contains(err.Error(), sealingKey) {
			t.Errorf("%q: got %v, want a CorruptError that names the file", data, err)
		}
		if string(storage.files[sealingKey]) != data {
			t.Errorf("%q was written over", data)
		}
	}
}
