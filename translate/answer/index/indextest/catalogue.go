// Package indextest has catalogues for the tests and benchmarks of package index
// and of what stands on it. It reads the shared evaluation data, which is not part
// of the repository.
package indextest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream"
)

// row is a line of the catalogue file.
type row struct {
	ID          string         `json:"id"`
	Handle      string         `json:"handle"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Brand       string         `json:"brand"`
	Category    string         `json:"category"`
	Attributes  map[string]any `json:"attributes"`
	EAN         string         `json:"ean"`
}

func (r *row) product() upstream.Product {
	p := upstream.Product{
		ID: r.ID, Handle: r.Handle, Title: r.Title, Description: r.Description, Brand: r.Brand,
		Variants: []upstream.Variant{{ID: r.ID + "/1", SKU: r.ID, Barcode: r.EAN}},
	}
	if r.Category != "" {
		p.Categories = []string{r.Category}
	}
	keys := make([]string, 0, len(r.Attributes))
	for key := range r.Attributes {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		p.Attributes = append(p.Attributes, upstream.Attribute{Key: key, Values: []string{fmt.Sprint(r.Attributes[key])}})
	}
	return p
}

// Products returns the 10,000 real products of catalog_10k.jsonl.gz, or skips the
// test where the file is missing. STOREWARE_SHARED names its folder's parent.
func Products(tb testing.TB) []upstream.Product {
	tb.Helper()
	file, err := os.Open(filepath.Join(shared(tb), "eval", "catalog_10k.jsonl.gz"))
	if errors.Is(err, fs.ErrNotExist) {
		tb.Skipf("SKIPPED: the evaluation data is not here: %v", err)
	}
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	var all []upstream.Product
	lines := bufio.NewScanner(unzipped)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		all = append(all, r.product())
	}
	if err := lines.Err(); err != nil {
		tb.Fatal(err)
	}
	return all
}

// shared finds the folder with the evaluation data, beside the checkout.
func shared(tb testing.TB) string {
	if named := os.Getenv("STOREWARE_SHARED"); named != "" {
		return named
	}
	at, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for ; at != filepath.Dir(at); at = filepath.Dir(at) {
		if found := filepath.Join(at, "shared"); isFolder(filepath.Join(found, "eval")) {
			return found
		}
	}
	return "../shared"
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Grown returns n products made of others by repeating them. Every copy has ids of
// its own, and so are the words that only one or two products have in the original:
// names of models and series, numbers. The vocabulary grows with the catalogue, as
// a real one's does.
func Grown(base []upstream.Product, n int) []upstream.Product {
	count := map[string]int{}
	for i := range base {
		for word := range strings.FieldsSeq(base[i].Title + " " + base[i].Description) {
			count[word]++
		}
	}
	all := make([]upstream.Product, 0, n)
	for i := range n {
		p, round := base[i%len(base)], i/len(base)
		if round > 0 {
			mark := suffix(round)
			vary := func(text string) string {
				fields := strings.Fields(text)
				for j, word := range fields {
					if count[word] <= 2 {
						fields[j] = word + mark
					}
				}
				return strings.Join(fields, " ")
			}
			p.ID += "-" + mark
			p.Title, p.Description = vary(p.Title), vary(p.Description)
			p.Variants = []upstream.Variant{{ID: p.ID + "/1", SKU: p.Variants[0].SKU + mark, Barcode: p.Variants[0].Barcode + mark}}
		}
		all = append(all, p)
	}
	return all
}

// suffix writes a number in letters that no inflection begins with.
func suffix(n int) string {
	var out []byte
	for ; n > 0; n /= 16 {
		out = append(out, "bcdfghjklmpqvwxz"[n%16])
	}
	return string(out) + "x"
}
