package ucp

import (
	"encoding/json"

	answers "github.com/storeware/caddy-storeware/translate/answer"
)

// Product is schemas/shopping/types/product.json, with what detail_product of
// catalog_lookup.json adds to it.
type Product struct {
	ID             string          `json:"id"`
	Handle         string          `json:"handle,omitempty"`
	Title          string          `json:"title"`
	Description    Description     `json:"description"`
	URL            string          `json:"url,omitempty"`
	Categories     []Category      `json:"categories,omitempty"`
	PriceRange     PriceRange      `json:"price_range"`
	ListPriceRange *PriceRange     `json:"list_price_range,omitempty"`
	Media          []Media         `json:"media,omitempty"`
	Options        []ProductOption `json:"options,omitempty"`
	// Selected are the selections that the variants and the availability of
	// option values stand for. It is nil in answers without it, and empty where
	// nothing is selected.
	Selected []SelectedOption `json:"selected,omitzero"`
	Variants []ProductVariant `json:"variants"`
	Rating   *Rating          `json:"rating,omitempty"`
	Tags     []string         `json:"tags,omitempty"`
	Metadata *Metadata        `json:"metadata,omitempty"`
}

// ProductVariant is schemas/shopping/types/variant.json, with what lookup_variant
// of catalog_lookup.json adds to it.
type ProductVariant struct {
	ID          string      `json:"id"`
	SKU         string      `json:"sku,omitempty"`
	Barcodes    []Barcode   `json:"barcodes,omitempty"`
	Title       string      `json:"title"`
	Description Description `json:"description"`
	URL         string      `json:"url,omitempty"`
	Price       Price       `json:"price"`
	ListPrice   *Price      `json:"list_price,omitempty"`
	// Availability is zero where the shop says nothing.
	Availability Availability       `json:"availability,omitzero"`
	Options      []SelectedOption   `json:"options,omitempty"`
	Media        []Media            `json:"media,omitempty"`
	Metadata     *Metadata          `json:"metadata,omitempty"`
	Inputs       []InputCorrelation `json:"inputs,omitempty"`
}

// Description is schemas/common/types/description.json in its plain form.
type Description struct {
	Plain string `json:"plain"`
}

// Category is schemas/shopping/types/category.json.
type Category struct {
	Value    string `json:"value"`
	Taxonomy string `json:"taxonomy,omitempty"`
}

// Price is schemas/common/types/price.json.
type Price struct {
	// Amount counts minor units of Currency.
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
}

// PriceRange is schemas/common/types/price_range.json.
type PriceRange struct {
	Min Price `json:"min"`
	Max Price `json:"max"`
}

// Media is schemas/common/types/media.json.
type Media struct {
	Type    string `json:"type"`
	URL     string `json:"url"`
	AltText string `json:"alt_text,omitempty"`
}

// ProductOption is schemas/shopping/types/product_option.json.
type ProductOption struct {
	Name   string        `json:"name"`
	Values []OptionValue `json:"values"`
}

// OptionValue is schemas/shopping/types/detail_option_value.json.
type OptionValue struct {
	Label string `json:"label"`
	// Available and Exists are relative to Product.Selected, nil in answers
	// without it.
	Available *bool `json:"available,omitempty"`
	Exists    *bool `json:"exists,omitempty"`
}

// SelectedOption is schemas/shopping/types/selected_option.json. Our option
// values have no ids.
type SelectedOption struct {
	Name  string `json:"name"`
	Label string `json:"label"`
}

// Barcode is an element of a variant's barcodes.
type Barcode struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

// Availability is schemas/shopping/types/availability.json.
type Availability struct {
	Available bool   `json:"available"`
	Status    string `json:"status"`
}

// Rating is schemas/shopping/types/rating.json. Value and ScaleMax are decimal
// numbers such as 4.5.
type Rating struct {
	Value    json.Number `json:"value"`
	ScaleMax json.Number `json:"scale_max"`
	Count    int         `json:"count"`
}

// Metadata is what the shop has recorded beyond the standard model.
type Metadata struct {
	Brand      string      `json:"brand,omitempty"`
	Attributes []Attribute `json:"attributes,omitempty"`
}

// Attribute is a recorded fact.
type Attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}

// InputCorrelation is schemas/shopping/types/input_correlation.json.
type InputCorrelation struct {
	ID    string `json:"id"`
	Match string `json:"match"`
}

// The ways an identifier may name a variant.
const (
	matchExact    = "exact"
	matchFeatured = "featured"
)

// Pagination is schemas/common/types/pagination.json, response.
type Pagination struct {
	Cursor      string `json:"cursor,omitempty"`
	HasNextPage bool   `json:"has_next_page"`
	TotalCount  *int   `json:"total_count,omitempty"`
}

// CatalogResponse is search_response, lookup_response or get_product_response of
// the catalogue's schemas.
type CatalogResponse struct {
	UCP Envelope `json:"ucp"`
	// Products are found by a search or look-up, Product is the one asked for.
	Products   []Product   `json:"products,omitzero"`
	Product    *Product    `json:"product,omitempty"`
	Pagination *Pagination `json:"pagination,omitempty"`
	Messages   []Message   `json:"messages,omitempty"`
	// Answer is the extension's, where it is in force.
	Answer *answers.Answer `json:"ai.storeware.shopping.answer,omitempty"`
}
