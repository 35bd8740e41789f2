package goods

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
)

// Bounds of a catalogue.
const (
	maxRow      = 1 << 20
	maxRows     = 200_000
	maxVariants = 1000
	maxValues   = 1000
	maxText     = 64 << 10
	maxName     = 300
	// maxPrice leaves room for a thousand lines of a thousand pieces in an int64.
	maxPrice = 1_000_000_000_000
	maxStock = 1_000_000_000
	// revisionSize is how many bytes of a hash tell catalogues apart.
	revisionSize = 8
)

// RowError says which row of a catalogue cannot be read, and why.
type RowError struct {
	// Row is the line of the file, beginning with 1.
	Row int
	Err error
}

// Error implements error.
func (e *RowError) Error() string { return fmt.Sprintf("row %d of the catalogue: %v", e.Row, e.Err) }

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// Read reads a catalogue of JSON Lines. Empty lines are skipped. A row that cannot
// be read is a [*RowError]; there is no catalogue then.
func Read(r io.Reader) (*Catalogue, error) {
	c := &Catalogue{refs: map[string]Ref{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxRow)
	rows := rowNumbers{}
	written := sha256.New()
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if line == "" {
			continue
		}
		if err := c.add(line, n, &rows); err != nil {
			return nil, &RowError{Row: n, Err: err}
		}
		rows.last = n
		_, _ = fmt.Fprintln(written, line) // A hash does not fail.
	}
	if err := lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("longer than %d bytes", maxRow)
		}
		return nil, &RowError{Row: rows.last + 1, Err: err}
	}
	if len(c.Products) == 0 {
		return nil, errors.New("the catalogue has no products")
	}
	c.Revision = hex.EncodeToString(written.Sum(nil)[:revisionSize])
	c.index()
	return c, nil
}

// rowNumbers remember where things were said, for errors about later rows.
type rowNumbers struct {
	last int
	of   []int // of each product
}

func (c *Catalogue) add(line string, n int, rows *rowNumbers) error {
	if len(c.Products) == maxRows {
		return fmt.Errorf("more than %d products", maxRows)
	}
	product, currency, err := readRow(line)
	if err != nil {
		return err
	}
	if c.Currency == "" {
		c.Currency = currency
	}
	if c.Currency != currency {
		return fmt.Errorf("currency is %s, and %s in the rows before", currency, c.Currency)
	}
	index := len(c.Products)
	for _, name := range []string{product.ID, product.Handle} {
		if err := c.claim(name, Ref{index, Whole}, rows); err != nil {
			return err
		}
	}
	for i := range product.Variants {
		v := &product.Variants[i]
		if err := c.claim(v.SKU, Ref{index, i}, rows); err != nil {
			return err
		}
		if taken, ok := c.refs[v.ID]; ok && taken != (Ref{index, i}) {
			return fmt.Errorf("the SKU %.80q makes the id %.80q, which is taken", v.SKU, v.ID)
		}
		c.refs[v.ID] = Ref{index, i}
	}
	c.Products = append(c.Products, product)
	rows.of = append(rows.of, n)
	return nil
}

// claim makes name a reference. Within one product the first meaning counts, so a
// SKU may be the handle of its own product.
func (c *Catalogue) claim(name string, ref Ref, rows *rowNumbers) error {
	taken, ok := c.refs[name]
	switch {
	case !ok:
		c.refs[name] = ref
		return nil
	case taken.Product != ref.Product:
		return fmt.Errorf("%.80q is the id, handle or SKU of row %d already", name, rows.of[taken.Product])
	case taken.Variant != Whole && taken.Variant != ref.Variant:
		return fmt.Errorf("two variants have the SKU %.80q", name)
	}
	return nil
}

// readRow reads one product.
func readRow(line string) (Product, money.Currency, error) {
	if !utf8.ValidString(line) {
		return Product{}, "", errors.New("not UTF-8")
	}
	if !gjson.Valid(line) {
		return Product{}, "", errors.New("not JSON")
	}
	row := fields{gjson.Parse(line)}
	if !row.IsObject() {
		return Product{}, "", errors.New("not a JSON object")
	}
	reader := &rowReader{row: row}
	product := reader.product()
	currency := reader.currency()
	reader.variants(&product)
	if reader.err != nil {
		return Product{}, "", reader.err
	}
	return product, currency, nil
}

// rowReader reads the fields of a row and keeps the first error.
type rowReader struct {
	row fields
	err error
}

func (r *rowReader) product() Product {
	row := r.row
	p := Product{
		ID:           r.name(row, "id"),
		Handle:       r.name(row, "handle"),
		Title:        r.name(row, "title"),
		Description:  plain(r.text(row, "description", maxText)),
		Brand:        r.text(row, "brand", maxName),
		Categories:   paths(r.text(row, "category", maxName)),
		Tags:         r.texts(row.Get("tags"), "tags"),
		Facts:        r.facts(),
		Shape:        r.text(row, "shape", maxName),
		Digital:      r.flag(row, "digital", false),
		Oversize:     r.flag(row, "oversize", false),
		Discontinued: r.flag(row, "discontinued", false),
		Rating:       r.rating(),
	}
	switch tax := r.text(row, "tax", maxName); tax {
	case "zero":
		p.ZeroRated = true
	case "", "standard":
	default:
		r.fail("tax is %.40q, want standard or zero", tax)
	}
	if strings.Trim(p.Handle, handleLetters) != "" {
		r.fail("handle is %.80q, want letters, digits, '-', '_' and '.' only", p.Handle)
	}
	return p
}

// handleLetters may stand in the path of a product's page as they are.
const handleLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."

func (r *rowReader) currency() money.Currency {
	currency, err := money.ParseCurrency(r.name(r.row, "currency"))
	if err != nil {
		r.fail("currency: %w", err)
	}
	return currency
}

func (r *rowReader) rating() *Rating {
	rating := r.row.Get("rating")
	if !rating.Exists() || rating.Type == gjson.Null {
		return nil
	}
	return &Rating{
		Hundredths: int(r.number(fields{rating}, "hundredths", 0, 500)),
		Count:      int(r.number(fields{rating}, "count", 0, maxStock)),
	}
}

func (r *rowReader) facts() []Fact {
	attributes := r.row.Get("attributes")
	if !attributes.Exists() || attributes.Type == gjson.Null {
		return nil
	}
	if !attributes.IsObject() {
		r.fail("attributes are not an object")
		return nil
	}
	var facts []Fact
	attributes.ForEach(func(key, value gjson.Result) bool {
		values := r.texts(value, "attribute "+key.String())
		if len(values) > 0 {
			facts = append(facts, Fact{Key: key.String(), Values: values})
		}
		return r.err == nil
	})
	return facts
}

// paths turns "Women / Tops/Tees" into "Women", "Women/Tops", "Women/Tops/Tees".
func paths(category string) []string {
	var out []string
	path := ""
	for part := range strings.SplitSeq(category, "/") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		if path != "" {
			path += "/"
		}
		path += part
		out = append(out, path)
	}
	return out
}

// index builds what is looked up.
func (c *Catalogue) index() {
	counts := map[string]int{}
	var order []string
	for i := range c.Products {
		c.words = append(c.words, textOf(&c.Products[i]))
		for _, path := range c.Products[i].Categories {
			if counts[path] == 0 {
				order = append(order, path)
			}
			counts[path]++
		}
	}
	slices.SortStableFunc(order, byTop(order))
	for _, path := range order {
		c.Categories = append(c.Categories, Category{Path: path, Products: counts[path]})
	}
}

// byTop keeps what is below one part together, in the order the parts came up.
func byTop(order []string) func(a, b string) int {
	rank := make(map[string]int, len(order))
	for i, path := range order {
		rank[path] = i
	}
	return func(a, b string) int {
		as, bs := strings.Split(a, "/"), strings.Split(b, "/")
		for i := range min(len(as), len(bs)) {
			x, y := strings.Join(as[:i+1], "/"), strings.Join(bs[:i+1], "/")
			if x != y {
				return rank[x] - rank[y]
			}
		}
		return len(as) - len(bs)
	}
}
