package shop

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"sync"
	"time"
)

// customer is somebody with an account.
type customer struct {
	email     string
	firstName string
	lastName  string
	// salt and hash are of the password, in base64: PBKDF2 with SHA-256.
	salt string
	hash string
}

// passwordRounds are the iterations of PBKDF2.
const passwordRounds = 600_000

// accounts are the shop's customers. The password of the first is
// "Fell-and-Ford-1", of the second "Salt-and-Slip-2": they are for trying out.
var accounts = []customer{
	{"ada@example.com", "Ada", "Thwaite", "qkTuIOKK3+c40j63/5+aug", "D3ekeFbsA7nDX7w+BPEVzHmFIpatoEC1KjzlcjdyZZM"},
	{"ben@example.com", "Ben", "Okafor", "kSJ/LPT3Cea74uB4hB/Nhg", "L2WaHY0Zs0UJbnqs+rQoLy5hQoNU+mP5fyO/UpPw0SM"},
}

// Bounds of signing in.
const (
	sessionLife = 12 * time.Hour
	maxSessions = 1000
	maxPassword = 200
)

// customers know who is signed in. Sessions end with the process. The zero value is
// ready for use.
type customers struct {
	// checking lets one password be checked at a time, since each costs the
	// processor a tenth of a second.
	checking sync.Mutex

	mu       sync.Mutex
	sessions map[string]session
}

type session struct {
	email string
	ends  time.Time
}

// signIn returns the token of a new session, or false for a wrong address or
// password.
func (c *customers) signIn(email, password string, now time.Time) (token string, ok bool) {
	if len(password) > maxPassword {
		return "", false
	}
	// An unknown address takes as long as a known one.
	who, known := accounts[0], false
	for _, account := range accounts {
		if strings.EqualFold(account.email, strings.TrimSpace(email)) {
			who, known = account, true
		}
	}
	c.checking.Lock()
	hash, err := hashPassword(password, who.salt)
	c.checking.Unlock()
	if err != nil || subtle.ConstantTimeCompare([]byte(hash), []byte(who.hash)) != 1 || !known {
		return "", false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil {
		c.sessions = map[string]session{}
	}
	c.sweep(now)
	token = randomToken()
	c.sessions[token] = session{who.email, now.Add(sessionLife)}
	return token, true
}

// sweep makes room for a session.
func (c *customers) sweep(now time.Time) {
	for token, s := range c.sessions {
		if !now.Before(s.ends) || len(c.sessions) >= maxSessions {
			delete(c.sessions, token)
		}
	}
}

// who returns the customer of a session.
func (c *customers) who(token string, now time.Time) (customer, bool) {
	c.mu.Lock()
	s, ok := c.sessions[token]
	c.mu.Unlock()
	if !ok || !now.Before(s.ends) {
		return customer{}, false
	}
	for _, account := range accounts {
		if account.email == s.email {
			return account, true
		}
	}
	return customer{}, false
}

// signOut ends a session.
func (c *customers) signOut(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.sessions, token)
}

func hashPassword(password, salt string) (string, error) {
	raw, err := base64.RawStdEncoding.DecodeString(salt)
	if err != nil {
		return "", fmt.Errorf("reading a salt: %w", err)
	}
	hash, err := pbkdf2.Key(sha256.New, password, raw, passwordRounds, sha256.Size)
	if err != nil {
		return "", fmt.Errorf("hashing a password: %w", err)
	}
	return base64.RawStdEncoding.EncodeToString(hash), nil
}
