package safehttp_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

func TestMain(m *testing.M) {
	// net/http reads these once. A client that heeded them would reach nothing.
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"} {
		os.Setenv(name, "http://127.0.0.1:1")
	}
	os.Unsetenv("NO_PROXY")
	os.Unsetenv("no_proxy")
	goleak.VerifyTestMain(m)
}

// names is a resolver's view of the world: each look-up of a name takes the next
// of its answers, and the last one stays.
type names struct {
	mu      sync.Mutex
	answers map[string][][]string
}

// resolver returns a resolver that knows these names and no others.
func (n *names) resolver() *net.Resolver {
	return &net.Resolver{
		PreferGo: true,
		Dial: func(context.Context, string, string) (net.Conn, error) {
			client, server := net.Pipe()
			go n.serve(server) // It ends when the resolver closes its side.
			return client, nil
		},
	}
}

// serve answers DNS messages in the framing of TCP, which is what the resolver
// speaks over anything that is no packet connection.
func (n *names) serve(conn net.Conn) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		question := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, question); err != nil {
			return
		}
		var message dnsmessage.Message
		if message.Unpack(question) != nil || len(message.Questions) != 1 {
			return
		}
		answer, err := n.answer(message)
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...)); err != nil {
			return
		}
	}
}

func (n *names) answer(message dnsmessage.Message) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	question := message.Questions[0]
	message.Response, message.RecursionAvailable = true, true
	message.Additionals = nil
	answers, ok := n.answers[question.Name.String()]
	if !ok {
		message.RCode = dnsmessage.RCodeNameError
		return message.Pack()
	}
	for _, text := range answers[0] {
		addr := netip.MustParseAddr(text)
		header := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET}
		switch {
		case question.Type == dnsmessage.TypeA && addr.Is4():
			message.Answers = append(message.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case question.Type == dnsmessage.TypeAAAA && addr.Is6():
			message.Answers = append(message.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	// A look-up asks for A and AAAA; the former turns the page.
	if len(answers) > 1 && question.Type == dnsmessage.TypeA {
		n.answers[question.Name.String()] = answers[1:]
	}
	return message.Pack()
}

// resolve returns a resolver with one answer for one name.
func resolve(name string, addrs ...string) *net.Resolver {
	return (&names{answers: map[string][][]string{name + ".": {addrs}}}).resolver()
}

// tlsServer starts a server on loopback. Its certificate is for example.com; the
// pool trusts it.
func tlsServer(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, pool *x509.CertPool) {
	t.Helper()
	server = httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	pool = x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return server, pool
}

// oldTLSServer starts a server that speaks no more than TLS 1.1.
func oldTLSServer(t *testing.T) (server *httptest.Server, pool *x509.CertPool) {
	t.Helper()
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("the server was reached")
	}))
	server.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}
	server.Config.ErrorLog = quiet()
	server.StartTLS()
	t.Cleanup(server.Close)
	pool = x509.NewCertPool()
	pool.AddCert(server.Certificate())
	return server, pool
}

// quiet returns a logger for servers whose clients misbehave on purpose.
func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

// at returns the server's URL with another host in it.
func at(t *testing.T, server *httptest.Server, host string) string {
	t.Helper()
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = net.JoinHostPort(host, u.Port())
	return u.String()
}

func get(t *testing.T, client *safehttp.Client, rawURL string) (*safehttp.Response, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, rawURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client.Do(req)
}

// clock is a clock that a test sets.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func newClock() *clock { return &clock{now: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)} }

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
