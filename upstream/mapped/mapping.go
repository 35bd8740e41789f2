package mapped

import (
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/upstream"
)

// Mapping says how a shop is spoken to: which requests it takes, and where in its
// answers things stand. [Parse] reads one from text, whose words are the names
// here; the package's documentation describes them in turn. What is nil or empty
// is not offered.
type Mapping struct {
	// Name is the shop's name as a person reads it. The host of its address
	// takes its place.
	Name string `json:"name,omitempty"`
	// API is where the shop's API is, for who has only the mapping. An address that
	// is configured beside it comes first.
	API string `json:"api,omitempty"`
	// Language is the BCP 47 tag of the shop's texts, "en" if empty.
	Language string `json:"language,omitempty"`
	// Site is where the shop's pages are. Addresses in its answers that begin
	// with a slash are taken to be there. The address of its API is the default.
	Site string `json:"site,omitempty"`
	// Currencies are those the shop sells in, the usual one first.
	Currencies []money.Currency `json:"currency,omitempty"`
	// Countries are the ISO 3166-1 alpha-2 codes that the shop delivers to, empty
	// where that is not known beforehand.
	Countries []string `json:"country,omitempty"`
	// Tax says how tax stands to every price: included, excluded or unknown.
	Tax Tax `json:"tax,omitempty"`
	// Money says what the shop's numbers count, major units if empty.
	Money Scale `json:"money,omitempty"`
	// Links are the shop's pages of well-known types.
	Links []upstream.Link `json:"link,omitempty"`
	// Payments are the ways to pay that Place takes.
	Payments []upstream.PaymentMethod `json:"payment,omitempty"`
	// Codes says how many discount codes a basket takes at once: one or many. It
	// means something where AddCode is mapped.
	Codes Codes `json:"codes,omitempty"`
	// Needs are what the shop wants to know before it takes an order. Lines are
	// always needed, and a way of delivery where the basket offers some.
	Needs []upstream.Missing `json:"needs,omitempty"`
	// Headers are sent with every request. Their values are secrets.
	Headers []Setting `json:"header,omitempty"`
	// Refusals are how the shop says no, to any request.
	Refusals []Refusal `json:"refuse,omitempty"`
	// Tables are looked up in by name. The word * stands for all other words.
	Tables map[string]map[string]string `json:"table,omitempty"`
	// Fragments are GraphQL texts that documents end with, by name.
	Fragments map[string]string `json:"fragment,omitempty"`
	// Keep are values that are read from the shop once and used in requests, such
	// as a token.
	Keep []Kept `json:"keep,omitempty"`
	// Settles is how long after a request to order that was not answered the shop
	// may still be at work on it. It is 2 minutes if zero.
	Settles Duration `json:"settles,omitempty"`
	// HandOff is the page where a person goes on with a basket.
	HandOff *HandOff `json:"hand_off,omitempty"`

	// List reads all products, page by page.
	List *Listing `json:"list,omitempty"`
	// Search finds products by words.
	Search *Listing `json:"search,omitempty"`
	// Scan takes the place of Search: the words are looked for in what List
	// returns.
	Scan bool `json:"scan,omitempty"`
	// Lookups read products by one of their names, in the order of preference.
	Lookups []Lookup `json:"lookup,omitempty"`
	// Product says where things stand in each product of List, Search and
	// Lookups.
	Product Product `json:"product,omitzero"`

	// Session says how the shop knows a visitor again who has a basket, beside
	// the basket's id: by cookie, or not at all.
	Session Session `json:"session,omitempty"`
	// CreateBasket begins a basket. One whose templates name a line begins it
	// with that line.
	CreateBasket *Creation `json:"create_basket,omitempty"`
	// Basket reads a basket.
	Basket *Basket `json:"basket,omitempty"`
	// AddLine puts an item in the basket, or more of one that is in it. SetLines
	// replaces all lines and takes the place of the other three.
	AddLine    *Request `json:"add_line,omitempty"`
	ChangeLine *Request `json:"change_line,omitempty"`
	RemoveLine *Request `json:"remove_line,omitempty"`
	SetLines   *Request `json:"set_lines,omitempty"`
	// SetBuyer, SetAddress and SetBilling write who buys, where the goods go and
	// who pays. Their requests are sent one after the other.
	SetBuyer   []Request `json:"set_buyer,omitempty"`
	SetAddress []Request `json:"set_address,omitempty"`
	SetBilling []Request `json:"set_billing,omitempty"`
	// Delivery reads the ways of delivery on offer, and ChooseDelivery chooses
	// one.
	Delivery       *Delivery `json:"delivery,omitempty"`
	ChooseDelivery []Request `json:"choose_delivery,omitempty"`
	// AddCode and RemoveCode are about discount codes.
	AddCode    *Request `json:"add_code,omitempty"`
	RemoveCode *Request `json:"remove_code,omitempty"`

	// Pay are the requests that come before the one that orders, and Place is
	// that one.
	Pay   []Request `json:"pay,omitempty"`
	Place *Placing  `json:"place,omitempty"`
	// Recover finds the order that a basket became.
	Recover *Recovery `json:"recover,omitempty"`
	// Order reads an order.
	Order *Order `json:"order,omitempty"`
}

// Request is something to ask of the shop.
type Request struct {
	At Position `json:"at,omitzero"`
	// Method is GET, POST, PUT, PATCH or DELETE.
	Method string `json:"method,omitempty"`
	// Path follows the address of the shop's API. Each of its elements is a
	// template.
	Path string `json:"path,omitempty"`
	// GraphQL is a document to send to Path; Set then writes its variables.
	GraphQL string `json:"graphql,omitempty"`
	// Fragments are the names of what follows the document.
	Fragments []string `json:"fragments,omitempty"`
	// Body is the JSON that Set writes into, {} if empty.
	Body string `json:"body,omitempty"`
	// Query and Headers go into the request's address and head. A value that
	// comes to nothing is left out.
	Query   []Setting `json:"query,omitempty"`
	Headers []Setting `json:"header,omitempty"`
	// Set writes values into the body; their names are sjson paths. A path with
	// the element # is written for every line of the basket.
	Set []Setting `json:"set,omitempty"`
	// Refusals are how the shop says no to this request. They come before the
	// mapping's own.
	Refusals []Refusal `json:"refuse,omitempty"`
}

// Refusal is a way in which the shop says no. All that is stated must hold.
type Refusal struct {
	At Position `json:"at,omitzero"`
	// Code is what it means: a code of an [upstream.Notice] or an
	// [upstream.Error].
	Code string `json:"code"`
	// Status are the HTTP statuses it comes with, empty for any.
	Status []int `json:"status,omitempty"`
	// Path is looked at in the answer, and Test says what has to be there.
	Path  string   `json:"path,omitempty"`
	Test  Test     `json:"test,omitempty"`
	Words []string `json:"words,omitempty"`
}

// Kept is a value that is read once and kept: a token, or the id of something
// that the shop has one of.
type Kept struct {
	Name string `json:"name"`
	Request
	// Value is the value. As it may be a token, it is a secret.
	Value Value `json:"value,omitzero"`
	// For is how long it is kept, 10 minutes if zero. It is read anew when the
	// shop denies a request that used it.
	For Duration `json:"for,omitempty"`
}

// Listing reads products, page by page if its request says so.
type Listing struct {
	Request
	// Items is where the list stands.
	Items Value `json:"items,omitzero"`
	// Total is how many there are in all.
	Total Value `json:"total,omitzero"`
	// Next is what the next page is asked for by, where that is {cursor}.
	Next Value `json:"next,omitzero"`
	// Size is how long a page is, 50 if zero; it is {limit} in the request.
	Size int `json:"size,omitempty"`
	// First is the number of the first page, where pages are asked for by {page}.
	First int `json:"first"`
}

// Lookup reads products by one of their names.
type Lookup struct {
	// By is the name: id, variant (a variant's id), handle or sku.
	By Name `json:"by"`
	Request
	// Items is where the products stand, or the one product.
	Items Value `json:"items,omitzero"`
	// Most is how many names one request takes, 1 if zero.
	Most int `json:"most,omitempty"`
}

// HandOff is the address of a page, with {names} in it.
type HandOff struct {
	At Position `json:"at,omitzero"`
	// URL may hold {basket}, or {lines} for all lines as Line and Between write
	// them.
	URL string `json:"url"`
	// Line is what stands for a line, such as "{item}:{quantity}", and Between
	// what stands between two.
	Line    string `json:"line,omitempty"`
	Between string `json:"between,omitempty"`
}

// Duration is a time.Duration that is written like "90s".
type Duration time.Duration

// MarshalText implements encoding.TextMarshaler.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	*d = Duration(parsed)
	return err
}
