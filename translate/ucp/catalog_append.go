package ucp

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// The appendJSON methods write what encoding/json would make of the same values,
// field by field. They are fast because they neither reflect nor allocate.

// appendJSON writes the response.
func (r *CatalogResponse) appendJSON(b []byte) ([]byte, error) {
	b, err := r.UCP.appendJSON(appendKey(append(b, '{'), "ucp"))
	if err != nil {
		return nil, fmt.Errorf("encoding an envelope: %w", err)
	}
	if r.Products != nil {
		b = appendList(b, "products", r.Products, Product.appendJSON)
	}
	b = appendSome(b, "product", r.Product, Product.appendJSON)
	b = appendSome(b, "pagination", r.Pagination, Pagination.appendJSON)
	b = appendSomeList(b, "messages", r.Messages, Message.appendJSON)
	if r.Answer != nil {
		encoded, err := json.Marshal(r.Answer)
		if err != nil {
			return nil, fmt.Errorf("encoding an answer: %w", err)
		}
		b = append(appendKey(b, string(CapabilityAnswer)), encoded...)
	}
	return append(b, '}'), nil
}

func (e Envelope) appendJSON(b []byte) ([]byte, error) {
	if e.PaymentHandlers != nil { // on checkouts alone, and those have no hurry
		encoded, err := json.Marshal(e)
		return append(b, encoded...), err
	}
	b = appendText(append(b, '{'), "version", e.Version)
	b = appendText(b, "status", e.Status)
	b = append(appendKey(b, "capabilities"), '{')
	for _, name := range slices.Sorted(maps.Keys(e.Capabilities)) {
		b = appendList(b, string(name), e.Capabilities[name], Versioned.appendJSON)
	}
	return append(b, '}', '}'), nil
}

func (v Versioned) appendJSON(b []byte) []byte {
	return append(appendText(append(b, '{'), "version", v.Version), '}')
}

func (m Message) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "type", m.Type)
	b = appendSomeText(b, "code", m.Code)
	b = appendSomeText(b, "path", m.Path)
	b = appendText(b, "content", m.Content)
	return append(appendSomeText(b, "severity", string(m.Severity)), '}')
}

func (p Pagination) appendJSON(b []byte) []byte {
	b = append(b, '{')
	b = appendSomeText(b, "cursor", p.Cursor)
	b = strconv.AppendBool(appendKey(b, "has_next_page"), p.HasNextPage)
	if p.TotalCount != nil {
		b = strconv.AppendInt(appendKey(b, "total_count"), int64(*p.TotalCount), 10)
	}
	return append(b, '}')
}

func (p Product) appendJSON(b []byte) []byte {
	b = append(b, '{')
	b = appendText(b, "id", p.ID)
	b = appendSomeText(b, "handle", p.Handle)
	b = appendText(b, "title", p.Title)
	b = p.Description.appendJSON(appendKey(b, "description"))
	b = appendSomeText(b, "url", p.URL)
	b = appendSomeList(b, "categories", p.Categories, Category.appendJSON)
	b = p.PriceRange.appendJSON(appendKey(b, "price_range"))
	b = appendSome(b, "list_price_range", p.ListPriceRange, PriceRange.appendJSON)
	b = appendSomeList(b, "media", p.Media, Media.appendJSON)
	b = appendSomeList(b, "options", p.Options, ProductOption.appendJSON)
	if p.Selected != nil {
		b = appendList(b, "selected", p.Selected, SelectedOption.appendJSON)
	}
	b = appendList(b, "variants", p.Variants, ProductVariant.appendJSON)
	b = appendSome(b, "rating", p.Rating, Rating.appendJSON)
	b = appendSomeList(b, "tags", p.Tags, encodeString)
	b = appendSome(b, "metadata", p.Metadata, Metadata.appendJSON)
	return append(b, '}')
}

func (v ProductVariant) appendJSON(b []byte) []byte {
	b = append(b, '{')
	b = appendText(b, "id", v.ID)
	b = appendSomeText(b, "sku", v.SKU)
	b = appendSomeList(b, "barcodes", v.Barcodes, Barcode.appendJSON)
	b = appendText(b, "title", v.Title)
	b = v.Description.appendJSON(appendKey(b, "description"))
	b = appendSomeText(b, "url", v.URL)
	b = v.Price.appendJSON(appendKey(b, "price"))
	b = appendSome(b, "list_price", v.ListPrice, Price.appendJSON)
	if v.Availability != (Availability{}) {
		b = v.Availability.appendJSON(appendKey(b, "availability"))
	}
	b = appendSomeList(b, "options", v.Options, SelectedOption.appendJSON)
	b = appendSomeList(b, "media", v.Media, Media.appendJSON)
	b = appendSome(b, "metadata", v.Metadata, Metadata.appendJSON)
	b = appendSomeList(b, "inputs", v.Inputs, InputCorrelation.appendJSON)
	return append(b, '}')
}

func (d Description) appendJSON(b []byte) []byte {
	return append(appendText(append(b, '{'), "plain", d.Plain), '}')
}

func (c Category) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "value", c.Value)
	return append(appendSomeText(b, "taxonomy", c.Taxonomy), '}')
}

func (p Price) appendJSON(b []byte) []byte {
	b = strconv.AppendInt(appendKey(append(b, '{'), "amount"), p.Amount, 10)
	return append(appendText(b, "currency", p.Currency), '}')
}

func (r PriceRange) appendJSON(b []byte) []byte {
	b = r.Min.appendJSON(appendKey(append(b, '{'), "min"))
	return append(r.Max.appendJSON(appendKey(b, "max")), '}')
}

func (m Media) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "type", m.Type)
	b = appendText(b, "url", m.URL)
	return append(appendSomeText(b, "alt_text", m.AltText), '}')
}

func (o ProductOption) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "name", o.Name)
	return append(appendList(b, "values", o.Values, OptionValue.appendJSON), '}')
}

func (v OptionValue) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "label", v.Label)
	b = appendSomeBool(b, "available", v.Available)
	return append(appendSomeBool(b, "exists", v.Exists), '}')
}

func (s SelectedOption) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "name", s.Name)
	return append(appendText(b, "label", s.Label), '}')
}

func (c Barcode) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "type", c.Type)
	return append(appendText(b, "value", c.Value), '}')
}

func (a Availability) appendJSON(b []byte) []byte {
	b = strconv.AppendBool(appendKey(append(b, '{'), "available"), a.Available)
	return append(appendText(b, "status", a.Status), '}')
}

func (r Rating) appendJSON(b []byte) []byte {
	b = append(appendKey(append(b, '{'), "value"), r.Value...)
	b = append(appendKey(b, "scale_max"), r.ScaleMax...)
	return append(strconv.AppendInt(appendKey(b, "count"), int64(r.Count), 10), '}')
}

func (m Metadata) appendJSON(b []byte) []byte {
	b = appendSomeText(append(b, '{'), "brand", m.Brand)
	return append(appendSomeList(b, "attributes", m.Attributes, Attribute.appendJSON), '}')
}

func (a Attribute) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "name", a.Name)
	return append(appendList(b, "values", a.Values, encodeString), '}')
}

func (c InputCorrelation) appendJSON(b []byte) []byte {
	b = appendText(append(b, '{'), "id", c.ID)
	return append(appendText(b, "match", c.Match), '}')
}
