package ucp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/storeware/caddy-storeware/upstream"
)

// What appendJSON writes is what encoding/json writes, byte for byte but for the
// two line separators that encoding/json escapes for the sake of JavaScript.
func TestAppendJSONAgreesWithEncodingJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		response := randomResponse(t)
		got, err := response.appendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		encoder := json.NewEncoder(&want)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(response); err != nil {
			t.Fatal(err)
		}
		text := bytes.ReplaceAll(bytes.TrimSpace(want.Bytes()), []byte(`\u2028`), []byte("\u2028"))
		text = bytes.ReplaceAll(text, []byte(`\u2029`), []byte("\u2029"))
		if diff := cmp.Diff(string(text), string(got)); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	})
}

func randomResponse(t *rapid.T) *CatalogResponse {
	text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "Tarn Shoe", "\"\\\b\f\n\r\t\x00\x1f\x7f", "\xff\xc3(", "</script>&", "\u2028\u2029\U0001F97E"}))
	texts := rapid.SliceOfN(text, 1, 3)
	amount := rapid.Int64Range(0, 1<<53)
	price := rapid.Custom(func(t *rapid.T) Price {
		return Price{amount.Draw(t, "amount"), rapid.SampledFrom([]string{"GBP", "JPY", "KWD"}).Draw(t, "currency")}
	})
	prices := rapid.Custom(func(t *rapid.T) PriceRange { return PriceRange{price.Draw(t, "min"), price.Draw(t, "max")} })
	media := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Media {
		return Media{text.Draw(t, "type"), text.Draw(t, "url"), text.Draw(t, "alt")}
	}), 0, 2)
	options := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) SelectedOption {
		return SelectedOption{text.Draw(t, "name"), text.Draw(t, "label")}
	}), 0, 2)
	metadata := rapid.Ptr(rapid.Custom(func(t *rapid.T) Metadata {
		return Metadata{text.Draw(t, "brand"), rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Attribute {
			return Attribute{text.Draw(t, "name"), texts.Draw(t, "values")}
		}), 0, 2).Draw(t, "attributes")}
	}), true)
	flag := rapid.Ptr(rapid.Bool(), true)
	variant := rapid.Custom(func(t *rapid.T) ProductVariant {
		v := ProductVariant{
			ID: text.Draw(t, "id"), SKU: text.Draw(t, "sku"), Title: text.Draw(t, "title"),
			Description: Description{text.Draw(t, "description")}, URL: text.Draw(t, "url"),
			Price: price.Draw(t, "price"), ListPrice: rapid.Ptr(price, true).Draw(t, "list price"),
			Options: options.Draw(t, "options"), Media: media.Draw(t, "media"), Metadata: metadata.Draw(t, "metadata"),
		}
		if rapid.Bool().Draw(t, "more") {
			v.Barcodes = []Barcode{{"GTIN", text.Draw(t, "code")}}
			v.Availability = Availability{rapid.Bool().Draw(t, "available"), text.Draw(t, "status")}
			v.Inputs = []InputCorrelation{{text.Draw(t, "ref"), matchExact}, {text.Draw(t, "ref"), matchFeatured}}
		}
		return v
	})
	product := rapid.Custom(func(t *rapid.T) Product {
		p := Product{
			ID: text.Draw(t, "id"), Handle: text.Draw(t, "handle"), Title: text.Draw(t, "title"),
			Description: Description{text.Draw(t, "description")}, URL: text.Draw(t, "url"),
			PriceRange: prices.Draw(t, "prices"), ListPriceRange: rapid.Ptr(prices, true).Draw(t, "list prices"),
			Media: media.Draw(t, "media"), Variants: rapid.SliceOfN(variant, 1, 3).Draw(t, "variants"),
			Selected: rapid.SampledFrom([][]SelectedOption{nil, {}, {{"Size", "8"}}}).Draw(t, "selected"),
			Metadata: metadata.Draw(t, "metadata"),
		}
		if rapid.Bool().Draw(t, "more") {
			p.Categories = []Category{{text.Draw(t, "category"), text.Draw(t, "taxonomy")}}
			p.Tags = texts.Draw(t, "tags")
			p.Rating = &Rating{hundredths(rapid.IntRange(0, 1000).Draw(t, "rating")), "5", 7}
			p.Options = []ProductOption{{text.Draw(t, "name"), []OptionValue{{text.Draw(t, "label"), flag.Draw(t, "available"), flag.Draw(t, "exists")}}}}
		}
		return p
	})
	r := &CatalogResponse{
		UCP:        envelope(activeFrom(CapabilitySearch)),
		Products:   rapid.SampledFrom([][]Product{nil, {}, {product.Draw(t, "product"), product.Draw(t, "product")}}).Draw(t, "products"),
		Product:    rapid.Ptr(product, true).Draw(t, "one product"),
		Pagination: rapid.Ptr(rapid.Just(Pagination{"c", true, nil}), true).Draw(t, "pagination"),
	}
	if rapid.Bool().Draw(t, "more") {
		total := 3
		r.Pagination = &Pagination{TotalCount: &total}
		r.Messages = []Message{info("not_found", "", text.Draw(t, "content"))}
	}
	return r
}

// FuzzAppendString holds appendString against encoding/json.
func FuzzAppendString(f *testing.F) {
	for _, seed := range []string{"", "a", "\"\\/\b\f\n\r\t\x00", "\xff", "é\u2028", "\xed\xa0\x80"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := appendString(nil, s)
		var back, want string
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%q: %v", got, err)
		}
		text, _ := json.Marshal(s)
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if back != want {
			t.Errorf("%q reads %q, want %q", got, back, want)
		}
	})
}

// bigShelf has so many products that a page of them is about 10 kB.
func bigShelf() *shelf {
	s := &shelf{}
	for i := range 40 {
		p := tarnShoe()
		p.ID = fmt.Sprintf("shoe-%d", i)
		p.Variants = p.Variants[:2]
		p.Description = "A light shoe for wet ground, with a sole that bites on rock and drains in three steps. Made in Kendal."
		s.products = append(s.products, p)
	}
	return s
}

// The three parts of a search that are ours: reading and validating the payload,
// making the answer, encoding it.
func BenchmarkSearch(b *testing.B) {
	payload := []byte(`{"query":"tarn","filters":{"price":{"max":12000}},"context":{"currency":"GBP","address_country":"GB"},"pagination":{"limit":10}}`)
	active := activeFrom(CapabilitySearch)
	shop := bigShelf()
	server := &Server{Catalogue: shop}
	q := upstream.Query{Words: "tarn", Limit: 10}
	found, err := shop.Search(b.Context(), upstream.Visit{}, q)
	if err != nil {
		b.Fatal(err)
	}
	response := searchResponse(active, q, found, nil)
	encoded, err := response.appendJSON(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("validate", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := Validate(SearchCatalog, active, payload); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("convert", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			searchResponse(active, q, found, nil)
		}
	})
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(encoded)))
		buffer := make([]byte, 0, 2*len(encoded))
		for b.Loop() {
			if _, err := response.appendJSON(buffer); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(encoded)))
		for b.Loop() {
			if _, err := json.Marshal(response); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("do", func(b *testing.B) {
		b.ReportAllocs()
		call := &Call{Op: SearchCatalog, Payload: payload, Active: active, Visit: upstream.Visit{Market: upstream.Market{Currency: "GBP"}}}
		server.Catalogue = fixed{found}
		for b.Loop() {
			if _, err := server.Do(b.Context(), call); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestPlainPrefix: no byte that has to be escaped, and none beyond ASCII, is taken
// for one that stays, wherever it stands.
func TestPlainPrefix(t *testing.T) {
	const around = "abcdefghijklmnopq"
	for c := range 256 {
		stays := c >= ' ' && c != '"' && c != '\\' && c < 0x80
		for at := range around {
			text := around[:at] + string([]byte{byte(c)}) + around[at:]
			n := plainPrefix(text)
			switch {
			case n > len(text) || !stays && n > at:
				t.Fatalf("%q: the first %d bytes would stay as they are", text, n)
			case stays && n != len(text)/8*8:
				t.Fatalf("%q: only the first %d bytes stay as they are", text, n)
			}
		}
	}
}
