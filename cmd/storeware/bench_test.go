package main_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The bars of a translated, doubly signed search of 10 kB beside a plain
// reverse_proxy of 10 kB from the same endpoint of the same shop, in the same run
// on the same machine. On a machine that others use too, STOREWARE_BENCH_SLACK
// widens them by that factor.
const (
	mostCPU     = 2.2                    // times its CPU per request
	leastRate   = 0.45                   // of its requests per second at 16 connections
	mostLatency = 300 * time.Microsecond // more than its median at one connection
	// mostGrowth is how much the memory in use may grow between the first tenth
	// of the long run and its end.
	mostGrowth = 1.25
)

// door is one way to the same shop: what is sent where, and the process that
// answers.
type door struct {
	name    string
	server  *process
	request []byte
}

// TestBars measures what the module costs. It is for make bench: a quiet machine
// matters more than anything it could assert in passing.
func TestBars(t *testing.T) {
	if os.Getenv("STOREWARE_BENCH") == "" {
		t.Skip("SKIPPED: the bars of the benchmark are measured by make bench (STOREWARE_BENCH=1)")
	}
	slack := 1.0
	if text := os.Getenv("STOREWARE_BENCH_SLACK"); text != "" {
		var err error
		if slack, err = strconv.ParseFloat(text, 64); err != nil {
			t.Fatalf("STOREWARE_BENCH_SLACK: %v", err)
		}
	}
	b := newBenchShop(t)
	search := b.translated("/catalog/search", object{"filters": object{"price": object{"min": 0}}, "context": object{"address_country": "GB"}, "pagination": object{"limit": 2}})
	for _, pair := range []struct {
		name  string
		doors [2]door
	}{
		{"catalog/search", [2]door{b.through("GET", "/api/products?limit=5&min=0&country=GB", ""), search}},
		{"catalog/product", [2]door{b.through("GET", "/api/lookup?ref=fjell-trail-gtx&country=GB", ""), b.translated("/catalog/product", object{"id": "fjell-trail-gtx"})}},
		{"checkout create", [2]door{b.through("POST", "/api/basket", fmt.Sprintf(`{"lines":[{"key":"1","item":%q,"quantity":1}]}`, b.variant)), b.translated("/checkout-sessions", purchase(b.variant))}},
	} {
		name := pair.name
		plain, ours := compare(t, pair.doors)
		for _, f := range []figures{plain, ours} {
			t.Logf("%-16s %-14s %6d bytes %6.0f requests/s at 16 connections, %8v each at one, %8v of CPU", name, f.door, f.body, f.rate, f.median.Round(time.Microsecond), f.cpu.Round(time.Microsecond))
		}
		t.Logf("%-16s ours/plain: CPU %.2f, rate %.2f, %v longer", name, float64(ours.cpu)/float64(plain.cpu), ours.rate/plain.rate, (ours.median - plain.median).Round(time.Microsecond))
		if name != "catalog/search" {
			continue // the bar is the search's; the others are told
		}
		if ratio := float64(ours.cpu) / float64(plain.cpu); ratio > slack*mostCPU {
			t.Errorf("a search costs %.2f times the CPU of reverse_proxy, more than %v", ratio, slack*mostCPU)
		}
		if ratio := ours.rate / plain.rate; ratio < leastRate/slack {
			t.Errorf("a search reaches %.2f of the rate of reverse_proxy, less than %v", ratio, leastRate/slack)
		}
		if more := ours.median - plain.median; more > time.Duration(slack*float64(mostLatency)) {
			t.Errorf("a search takes %v longer than reverse_proxy, more than %v", more, mostLatency)
		}
	}
	memoryStaysFlat(t, search)
}

// figures are what a door showed.
type figures struct {
	door   string
	body   int
	rate   float64       // requests a second at 16 connections
	median time.Duration // of a request at one connection
	cpu    time.Duration // of the server, a request at 16 connections
}

// compare measures two doors in turn, so that what else the machine does falls
// on both, and returns the median figures of each.
func compare(t *testing.T, doors [2]door) (plain, ours figures) {
	t.Helper()
	const rounds = 5
	var all [2][]figures
	for round := range rounds + 1 {
		for i, d := range doors {
			f := d.measure(t)
			if round > 0 { // the first one warms up
				all[i] = append(all[i], f)
			}
		}
	}
	return medianOf(all[0]), medianOf(all[1])
}

func medianOf(all []figures) figures {
	middle := all[0]
	middle.rate = median(all, func(f figures) float64 { return f.rate })
	middle.median = median(all, func(f figures) time.Duration { return f.median })
	middle.cpu = median(all, func(f figures) time.Duration { return f.cpu })
	return middle
}

func median[T cmp.Ordered](all []figures, of func(figures) T) T {
	values := make([]T, len(all))
	for i, f := range all {
		values[i] = of(f)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func (d door) measure(t *testing.T) figures {
	t.Helper()
	const alone, together = 300, 3000
	f := figures{door: d.name}
	_, took, body := d.load(t, 1, alone)
	slices.Sort(took)
	f.median, f.body = took[len(took)/2], body
	before := d.server.cpu(t)
	elapsed, _, _ := d.load(t, 16, together)
	f.cpu = (d.server.cpu(t) - before) / together
	f.rate = together / elapsed.Seconds()
	return f
}

// load sends requests over so many connections, and returns how long all of them
// and each of them took, and the size of a body.
func (d door) load(t *testing.T, connections, requests int) (all time.Duration, each []time.Duration, body int) {
	t.Helper()
	each = make([]time.Duration, requests)
	var next, size atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	began := time.Now()
	for range connections {
		wg.Go(func() {
			if err := d.connect(requests, &next, &size, each); err != nil {
				failed.Store(&err)
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		t.Fatalf("%s: %v", d.name, *err)
	}
	return time.Since(began), each, int(size.Load())
}

// connect is one connection: it sends and reads until all requests are sent. It
// speaks HTTP by hand, since a client that costs more than the server would
// measure itself.
func (d door) connect(requests int, next, size *atomic.Int64, each []time.Duration) error {
	conn, err := net.Dial("tcp", d.server.address)
	if err != nil {
		return err
	}
	defer conn.Close()
	r := bufio.NewReaderSize(conn, 64<<10)
	for {
		i := next.Add(1) - 1
		if int(i) >= requests {
			return nil
		}
		began := time.Now()
		if _, err := conn.Write(d.request); err != nil {
			return err
		}
		n, err := readResponse(r)
		if err != nil {
			return err
		}
		each[i] = time.Since(began)
		size.Store(int64(n))
	}
}

// readResponse reads a response with a Content-Length and throws it away.
func readResponse(r *bufio.Reader) (size int, err error) {
	status, err := r.ReadString('\n')
	if err != nil {
		return 0, err
	}
	if !strings.HasPrefix(status, "HTTP/1.1 20") {
		rest, _ := io.ReadAll(io.LimitReader(r, 600))
		return 0, fmt.Errorf("%s%s", status, rest)
	}
	length := -1
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if value, ok := cutHeader(line, "Content-Length"); ok {
			if length, err = strconv.Atoi(value); err != nil {
				return 0, err
			}
		}
	}
	if length < 0 {
		return 0, errors.New("a response without a Content-Length")
	}
	_, err = r.Discard(length)
	return length, err
}

func cutHeader(line []byte, name string) (string, bool) {
	if len(line) <= len(name)+1 || line[len(name)] != ':' || !bytes.EqualFold(line[:len(name)], []byte(name)) {
		return "", false
	}
	return string(bytes.TrimSpace(line[len(name)+1:])), true
}

// memoryStaysFlat sends 200,000 requests and looks at the memory in use.
func memoryStaysFlat(t *testing.T, d door) {
	t.Helper()
	const part, parts = 20_000, 10
	var first, last int64
	for i := range parts {
		d.load(t, 16, part)
		last = d.server.memory(t)
		if i == 0 {
			first = last
		}
	}
	t.Logf("memory in use after %d requests %d MB, after %d %d MB", part, first>>20, part*parts, last>>20)
	if float64(last) > mostGrowth*float64(first) {
		t.Errorf("memory grew from %d to %d bytes over %d requests", first, last, part*(parts-1))
	}
}

// benchShop is the demo shop in a process of its own, behind a Caddy with a plain
// reverse_proxy and behind one with the module.
type benchShop struct {
	t           *testing.T
	agent       *agent
	plain, ours *process
	variant     string
}

func newBenchShop(t *testing.T) *benchShop {
	t.Helper()
	dir, shop := t.TempDir(), freeAddress(t)
	serve(t, dir, shop, "demo-shop", "--listen", shop)
	// The load does not check what it reads; this agent does, before it begins.
	b := &benchShop{t: t, agent: newAgent(t)}
	plainAt, oursAt := freeAddress(t), freeAddress(t)
	b.plain = serve(t, t.TempDir(), plainAt, "run", "--config", write(t, dir, "plain.Caddyfile", fmt.Sprintf(`{
	admin off
	persist_config off
	auto_https off
}

http://%s {
	reverse_proxy %s
}
`, plainAt, shop)))
	b.ours = serve(t, t.TempDir(), oursAt, "run", "--config", caddyfile(t, dir, oursAt, "demo http://"+shop, "", b.agent))
	b.variant = b.agent.checkout(t, "http://"+oursAt+"/api/ucp/v1", "Fjell Trail GTX").Get("line_items.0.item.id").String()
	return b
}

// through is a request through plain reverse_proxy to an endpoint of the shop.
func (b *benchShop) through(method, path, body string) door {
	return door{"reverse_proxy", b.plain, request(b.t, method, "http://"+b.plain.address+path, body, nil)}
}

// translated is a request to the module that makes it call the same endpoint.
func (b *benchShop) translated(path string, payload any) door {
	body, err := json.Marshal(payload)
	if err != nil {
		b.t.Fatal(err)
	}
	return door{"storeware", b.ours, request(b.t, "POST", "http://"+b.ours.address+"/api/ucp/v1"+path, string(body), http.Header{
		"X-Api-Key": {b.agent.key.Reveal()},
		"Ucp-Agent": {fmt.Sprintf("profile=%q", profileURL)},
	})}
}

// request is a request as it stands on the wire.
func request(t *testing.T, method, url, body string, header http.Header) []byte {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}}
	for name, values := range header {
		r.Header[name] = values
	}
	var wire bytes.Buffer
	if err := r.Write(&wire); err != nil {
		t.Fatal(err)
	}
	return wire.Bytes()
}
