package main_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/storeware/caddy-storeware/internal/state/bolt"
	"github.com/storeware/caddy-storeware/translate/answer/crawl"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

// The bars of a crawl of a shop on the same machine.
const (
	crawled      = 10_000
	mostCrawl    = time.Minute
	mostCrawlMem = 200 << 20 // bytes of memory at the peak, for everything
)

// crawlShop says to a process of this test where the shop is that it shall crawl,
// and crawlStore where it keeps what it finds.
const (
	crawlShop  = "STOREWARE_TEST_CRAWL_SHOP"
	crawlStore = "STOREWARE_TEST_CRAWL_STORE"
)

// TestCrawlTenThousand walks a shop of 10,000 products over HTTP, is killed half-way
// as by a power cut, and goes on where it was.
func TestCrawlTenThousand(t *testing.T) {
	dir := t.TempDir()
	address := freeAddress(t)
	serve(t, dir, address, "demo-shop", "--listen", address, "--data", dir+"/shop", "--catalogue", write(t, dir, "catalogue.jsonl", manyRows(t, crawled)))
	ctx, cancel := context.WithTimeout(t.Context(), 2*mostCrawl)
	defer cancel()

	began := time.Now()
	first := crawler(t, dir, address)
	text, err := first.log.wait(ctx, fmt.Sprintf("documents %d ", crawled/2))
	if err != nil {
		t.Fatal(err)
	}
	first.kill()
	took := time.Since(began)
	if strings.Contains(text, "whole") {
		t.Fatal("the crawl was over before it could be killed")
	}

	again := time.Now()
	second := crawler(t, dir, address)
	if text, err = second.log.wait(ctx, "whole "); err != nil {
		t.Fatal(err)
	}
	took += time.Since(again)
	peak := second.peak(t)
	second.kill()
	if resumed := number(t, text, `documents (\d+) `); resumed < crawled/2 {
		t.Errorf("the second process began with %d products, less than %d", resumed, crawled/2)
	}
	if pages := number(t, text, `whole \d+ products on (\d+) pages`); pages > crawled/100 {
		t.Errorf("the whole walk took %d pages, more than %d", pages, crawled/100)
	}
	if n := number(t, text, `whole (\d+) products`); n != crawled {
		t.Errorf("%d products are known at the end, want %d", n, crawled)
	}
	t.Logf("%d products in %v with two starts, %.0f/s, %d MB of memory at the peak", crawled, took.Round(time.Millisecond), crawled/took.Seconds(), peak>>20)
	if took > mostCrawl {
		t.Errorf("the crawl took %v, more than %v", took, mostCrawl)
	}
	if peak > mostCrawlMem {
		t.Errorf("the crawl had %d MB of memory at its peak, more than %d", peak>>20, mostCrawlMem>>20)
	}
}

// number returns the first number that an expression finds.
func number(t *testing.T, text, expression string) int {
	t.Helper()
	found := regexp.MustCompile(expression).FindStringSubmatch(text)
	if found == nil {
		t.Fatalf("%s is not in:\n%s", expression, text)
	}
	n, err := strconv.Atoi(found[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// peak is the most resident memory that the process had, in bytes.
func (p *process) peak(t *testing.T) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		t.Skipf("SKIPPED: what a process uses is read from /proc: %v", err)
	}
	return int64(number(t, string(text), `VmHWM:\s+(\d+) kB`)) << 10
}

// crawler starts a process of this test that crawls a shop.
func crawler(t *testing.T, dir, address string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrawler$", "-test.v")
	cmd.Env = append(os.Environ(), crawlShop+"=http://"+address, crawlStore+"="+filepath.Join(dir, "state"))
	p := &process{cmd: cmd, log: &transcript{changed: make(chan struct{})}, done: make(chan struct{})}
	p.run(t)
	return p
}

// TestCrawler is what TestCrawlTenThousand runs as processes of their own. It prints
// how it stands until it is killed.
func TestCrawler(t *testing.T) {
	address := os.Getenv(crawlShop)
	if address == "" {
		t.Skip("SKIPPED: this is a part of TestCrawlTenThousand")
	}
	base, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	shop, err := demo.New(demo.Config{Client: shopclient.Config{BaseURL: base}})
	if err != nil {
		t.Fatal(err)
	}
	defer shop.Close()
	store, err := bolt.Open(os.Getenv(crawlStore), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*mostCrawl) // should nobody be left to kill it
	progress := make(chan crawl.Progress)
	c := crawl.New(crawl.Options{Shop: "shop", Walker: shop, Store: store, Sinks: []crawl.Sink{nobody{}}, Changed: func(p crawl.Progress) {
		select {
		case progress <- p:
		case <-ctx.Done():
		}
	}})
	c.Start()
	defer c.Close()
	defer cancel()
	for {
		var p crawl.Progress
		select {
		case p = <-progress:
		case <-ctx.Done():
			return
		}
		if p.Err != nil {
			t.Errorf("crawling: %v", p.Err)
		}
		if p.Documents > 0 {
			fmt.Printf("documents %d of the shop\n", p.Documents)
		}
		if !p.Whole.IsZero() {
			fmt.Printf("whole %d products on %d pages\n", p.Documents, p.Pages)
		}
	}
}

// nobody needs what is crawled.
type nobody struct{}

func (nobody) Put(upstream.Product) {}
func (nobody) Remove(string)        {}

// manyRows is a catalogue of n products as large as those of a shop for clothes.
func manyRows(t *testing.T, n int) string {
	t.Helper()
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	materials := []string{"Wool", "Cotton", "Linen", "Fleece", "Nylon"}
	for i := range n {
		code := fmt.Sprintf("C%05d", i)
		var variants []object
		for _, size := range []string{"S", "M", "L"} {
			for _, color := range []string{"Black", "Blue"} {
				variants = append(variants, object{"sku": code + "-" + size + "-" + color, "size": size, "color": color, "price_minor": 5200 + i, "in_stock": true})
			}
		}
		err := encoder.Encode(object{
			"id": "luma-" + code, "handle": "hoodie-" + strconv.Itoa(i), "title": fmt.Sprintf("Hoodie No. %d", i),
			"description": strings.Repeat("Ideal for cold-weather training or work outdoors, and warm with every wear. ", 4) + code,
			"brand":       "Luma", "category": "Men/Tops/Hoodies", "price_minor": 5200 + i, "currency": "USD", "in_stock": true,
			"attributes": object{"material": materials[i%len(materials)], "climate": []string{"Cool", "Windy"}, "size": []string{"S", "M", "L"}, "color": []string{"Black", "Blue"}},
			"variants":   variants,
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}
