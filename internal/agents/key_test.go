package agents_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/secret"
)

func TestNewKey(t *testing.T) {
	form := regexp.MustCompile(`^swa_[0-9A-Za-z]{38}$`)
	seen := make(map[string]bool)
	digits := make(map[rune]int)
	const keys = 2000
	for range keys {
		key := agents.NewKey().Reveal()
		if !form.MatchString(key) || seen[key] {
			t.Fatalf("key %d of %d is malformed or not new", len(seen)+1, keys)
		}
		seen[key] = true
		for _, digit := range key[4:36] {
			digits[digit]++
		}
	}
	// 64,000 digits are 1032 of each, give or take 32. A bias by rounding 256
	// down to 62 would show as a quarter.
	for digit, n := range digits {
		if n < 850 || n > 1210 {
			t.Errorf("digit %c stands %d times in %d keys", digit, n, keys)
		}
	}
	if len(digits) != 62 {
		t.Errorf("%d different digits, want 62", len(digits))
	}
}

func TestHash(t *testing.T) {
	// printf abc | sha256sum
	const text = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	hash := agents.HashKey(secret.New("abc"))
	if hash.String() != text {
		t.Errorf("got %s, want %s", hash, text)
	}
	for _, spelling := range []string{text, "sha256:" + strings.ToUpper(text[7:])} {
		if got, err := agents.ParseHash(spelling); err != nil || got != hash {
			t.Errorf("ParseHash(%q) = %v, %v", spelling, got, err)
		}
	}
	for _, wrong := range []string{
		"", "sha256:", text[7:], text[:70], text + "0", "SHA256:" + text[7:], strings.Replace(text, "b", "g", 1),
		"swa_0123456789abcdefghijABCDEFGHIJ01234567",
	} {
		_, err := agents.ParseHash(wrong)
		if !errors.Is(err, agents.ErrInvalid) {
			t.Errorf("ParseHash(%q): %v, want ErrInvalid", wrong, err)
		}
		if err != nil && wrong != "" && strings.Contains(err.Error(), wrong) && wrong != "sha256:" {
			t.Errorf("the error repeats what may be a key: %v", err)
		}
	}
}
