package redis

import (
	"errors"
	"net"
	"sync"
	"time"
)

// link is the network between a store and its Redis.
type link struct {
	mu    sync.Mutex
	cut   bool
	delay time.Duration // of replies
}

func (s *server) cut(store *Store)  { s.links[store].set(true, 0) }
func (s *server) mend(store *Store) { s.links[store].set(false, 0) }

func (s *server) delay(store *Store, d time.Duration) { s.links[store].set(false, d) }

func (l *link) set(cut bool, delay time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut, l.delay = cut, delay
}

// pass waits for as long as replies take, and returns an error if there is no
// way through.
func (l *link) pass(reply bool) error {
	l.mu.Lock()
	cut, delay := l.cut, l.delay
	l.mu.Unlock()
	if cut {
		return errors.New("network is unreachable")
	}
	if reply {
		time.Sleep(delay) // in a bubble
	}
	return nil
}

func (l *link) dial(dial func() (net.Conn, error)) (net.Conn, error) {
	if err := l.pass(false); err != nil {
		return nil, err
	}
	conn, err := dial()
	if err != nil {
		return nil, err
	}
	return &linked{conn, l}, nil
}

// linked is a connection over a link.
type linked struct {
	net.Conn
	link *link
}

func (c *linked) Read(b []byte) (int, error) {
	if err := c.link.pass(true); err != nil {
		return 0, err
	}
	return c.Conn.Read(b)
}

func (c *linked) Write(b []byte) (int, error) {
	if err := c.link.pass(false); err != nil {
		return 0, err
	}
	return c.Conn.Write(b)
}
