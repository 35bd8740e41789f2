package spectest

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// acpBase is the address under which the schemas of ACP refer to each other here.
// Their own $id breaks their references.
const acpBase = "https://acp.example/"

// The files of ACP's schemas.
const (
	acpCheckout = "schema.agentic_checkout.json"
	acpCart     = "schema.cart.json"
)

// ACP is one published version of the Agentic Commerce Protocol. It is safe for
// concurrent use.
type ACP struct {
	docs map[string]any // by URL

	mu       sync.Mutex
	compiled map[string]*jsonschema.Schema
}

// OpenACP reads a version such as "2026-04-17". It skips the test where the
// specifications are absent.
func OpenACP(t testing.TB, version string) *ACP {
	t.Helper()
	a, err := readACP(filepath.Join(Find(t), "acp", version))
	if err != nil {
		t.Fatalf("reading ACP %s: %v", version, err)
	}
	return a
}

func readACP(dir string) (*ACP, error) {
	a := &ACP{docs: map[string]any{}, compiled: map[string]*jsonschema.Schema{}}
	for _, name := range []string{acpCheckout, acpCart} {
		file, err := os.Open(filepath.Join(dir, "json-schema", name))
		if err != nil {
			return nil, err
		}
		doc, err := jsonschema.UnmarshalJSON(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if root, ok := doc.(map[string]any); ok {
			delete(root, "$id")
		}
		a.docs[acpBase+name] = doc
	}
	return a, nil
}

// Answer checks an answer of the REST binding to a request for a path below its
// base, such as /carts/x: its form, its status and its totals.
func (a *ACP) Answer(method, path string, status int, body []byte) error {
	doc, err := parse(body)
	if err != nil {
		return err
	}
	var found Problems
	if status >= http.StatusBadRequest {
		return a.valid(&found, acpCheckout, "Error", doc)
	}
	segments := strings.Split(strings.Trim(path, "/"), "/")
	file, name := acpCheckout, "CheckoutSession"
	switch {
	case segments[0] == "carts":
		file, name = acpCart, "Cart"
	case segments[len(segments)-1] == "complete":
		name = "CheckoutSessionWithOrder"
	}
	want := http.StatusOK
	if len(segments) == 1 && method == http.MethodPost {
		want = http.StatusCreated
	}
	if status != want {
		found.add(tree{}, "HTTP %d, want %d", status, want)
	}
	acpTotals(&found, doc.get("totals"))
	for _, line := range doc.get("line_items").items() {
		acpTotals(&found, line.get("totals"))
	}
	return a.valid(&found, file, name, doc)
}

// Discovery checks the document that says where the protocol is spoken.
func (a *ACP) Discovery(body []byte) error {
	doc, err := parse(body)
	if err != nil {
		return err
	}
	return a.valid(new(Problems), acpCheckout, "DiscoveryResponse", doc)
}

// valid adds what a schema has against a document to what was found already.
func (a *ACP) valid(found *Problems, file, name string, doc tree) error {
	schema, err := a.schema(file, name)
	if err != nil {
		return err
	}
	found.check(schema, doc)
	return found.err()
}

func (a *ACP) schema(file, name string) (*jsonschema.Schema, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	url := acpBase + file + "#/$defs/" + name
	if schema := a.compiled[url]; schema != nil {
		return schema, nil
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, at := range slices.Sorted(maps.Keys(a.docs)) {
		if err := compiler.AddResource(at, a.docs[at]); err != nil {
			return nil, err
		}
	}
	schema, err := compiler.Compile(url)
	if err != nil {
		return nil, fmt.Errorf("compiling %s of %s: %w", name, file, err)
	}
	a.compiled[url] = schema
	return schema, nil
}

// acpTotals checks that rows add up: the items less what lowered their prices are
// the subtotal, and that less discounts and credit, plus all the rest, is the total.
// Every row but a fee is of a positive amount.
func acpTotals(found *Problems, rows tree) {
	sums := map[string]int64{}
	for _, row := range rows.items() {
		amount, err := row.get("amount").integer()
		if err != nil {
			found.add(row.get("amount"), "%v", err)
			continue
		}
		if amount < 0 {
			found.add(row.get("amount"), "is %d, and ACP writes discounts without a sign", amount)
		}
		sums[row.get("type").text()] += amount
	}
	subtotal := sums["items_base_amount"] - sums["items_discount"]
	if sums["subtotal"] != subtotal {
		found.add(rows, "the subtotal is %d, and the items make %d", sums["subtotal"], subtotal)
	}
	total := subtotal - sums["discount"] - sums["store_credit"] + sums["fulfillment"] + sums["tax"] + sums["fee"] + sums["gift_wrap"] + sums["tip"]
	if sums["total"] != total {
		found.add(rows, "the total is %d, and the rows sum up to %d", sums["total"], total)
	}
}
