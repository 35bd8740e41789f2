package vendure

import (
	"context"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/plaintext"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/shopclient"
)

const learning = "asking the shop what it is"

// The custom fields of an order that the adapter fills in where a shop has them.
const (
	agentField   = "storewareAgent"
	attemptField = "storewareAttempt"
)

// schema is what this shop is and what it has beyond every Vendure. It holds
// nothing that changes from one visitor to the next.
type schema struct {
	name       string
	currency   money.Currency
	currencies []money.Currency
	language   string
	languages  []string
	countries  []string
	included   bool // prices are entered with tax
	exactStock bool
	payments   []upstream.PaymentMethod
	// active are the codes of all payment methods, nil if the shop does not say.
	active  []string
	search  bool // there is a search plugin
	inStock bool // it can leave out what is sold
	// facts are the GraphQL fragments that read the custom fields of products
	// and variants.
	facts   string
	agent   bool
	attempt bool
}

// known returns the schema as it was when it was last asked for.
func (s *Shop) known(ctx context.Context, v upstream.Visit) (*schema, error) {
	if sc := s.schema.Load(); sc != nil {
		return sc, nil
	}
	return s.learn(ctx, v)
}

// learn asks the shop for its schema.
func (s *Shop) learn(ctx context.Context, v upstream.Visit) (*schema, error) {
	shop, err := s.run(ctx, v, call{op: learning, name: "Shop", document: shopDocument, safe: true, landmark: true})
	if isUnknownChannel(err) {
		return nil, &upstream.Error{
			Code: upstream.CodeUnavailable, Op: learning, Err: err,
			Text: "channel is the token of no channel that the shop has",
		}
	}
	if err != nil {
		return nil, err
	}
	sc, err := readShop(shop.Result)
	if err != nil {
		return nil, err
	}
	extras, err := s.optional(ctx, v, call{op: learning, name: "Schema", document: schemaDocument, safe: true})
	if err != nil {
		return nil, err
	}
	sc.readExtras(extras)
	payments, err := s.optional(ctx, v, call{op: learning, name: "Payments", document: paymentsDocument, safe: true})
	if err != nil {
		return nil, err
	}
	methods := payments.Get("activePaymentMethods")
	sc.payments = s.allowed(methods)
	if methods.Exists() {
		sc.active = []string{}
	}
	for _, code := range methods.Get("#.code").Array() {
		sc.active = append(sc.active, code.String())
	}
	probe, err := s.optional(ctx, v, call{op: learning, name: "Probe", document: probeDocument, safe: true})
	if err != nil {
		return nil, err
	}
	sc.search = probe.Get("search").Exists()
	s.schema.Store(sc)
	return sc, nil
}

// optional runs an operation that a shop may refuse; then its result is empty.
func (s *Shop) optional(ctx context.Context, v upstream.Visit, c call) (gjson.Result, error) {
	data, err := s.run(ctx, v, c)
	var refused shopclient.GraphQLErrors
	if errors.As(err, &refused) {
		return gjson.Result{}, nil
	}
	return data.Result, err
}

// readShop reads the answer to shop.graphql.
func readShop(data gjson.Result) (*schema, error) {
	channel := data.Get("activeChannel")
	sc := &schema{
		name:     shopName(channel),
		language: tag(channel.Get("defaultLanguageCode").String()),
		included: channel.Get("pricesIncludeTax").Bool(),
	}
	var err error
	if sc.currency, err = money.ParseCurrency(channel.Get("defaultCurrencyCode").String()); err != nil {
		return nil, &upstream.Error{Code: upstream.CodeUnavailable, Op: learning, Text: "its currency is none", Err: err}
	}
	sc.currencies = []money.Currency{sc.currency}
	for _, code := range channel.Get("availableCurrencyCodes").Array() {
		if currency, err := money.ParseCurrency(code.String()); err == nil && !slices.Contains(sc.currencies, currency) {
			sc.currencies = append(sc.currencies, currency)
		}
	}
	for _, code := range channel.Get("availableLanguageCodes").Array() {
		sc.languages = append(sc.languages, code.String())
	}
	for _, code := range data.Get("availableCountries.#.code").Array() {
		if !slices.Contains(sc.countries, code.String()) {
			sc.countries = append(sc.countries, code.String())
		}
	}
	slices.Sort(sc.countries)
	_, stock := readStock(data.Get("products.items.0.variants.0.stockLevel").String())
	sc.exactStock = stock != nil
	return sc, nil
}

// shopName is the seller's name, or the channel's code where Vendure made up the
// former; empty where it made up both.
func shopName(channel gjson.Result) string {
	if name := channel.Get("seller.name").String(); name != "" && name != "Default Seller" {
		return name
	}
	if code := channel.Get("code").String(); code != "__default_channel__" {
		return code
	}
	return ""
}

// tag turns Vendure's language code, such as pt_BR, into a BCP 47 tag.
func tag(code string) string { return strings.ReplaceAll(code, "_", "-") }

// readExtras reads the answer to schema.graphql.
func (sc *schema) readExtras(data gjson.Result) {
	sc.inStock = hasName(data.Get("search.inputFields"), "inStock")
	sc.agent = hasName(data.Get("order.inputFields"), agentField)
	sc.attempt = hasName(data.Get("order.inputFields"), attemptField)
	sc.facts = factsFragment("ProductFacts", "Product", data.Get("product.fields")) +
		factsFragment("VariantFacts", "ProductVariant", data.Get("variant.fields"))
}

func hasName(fields gjson.Result, name string) bool {
	for _, field := range fields.Array() {
		if field.Get("name").String() == name {
			return true
		}
	}
	return false
}

// factsFragment returns a fragment with the custom fields that hold plain values.
func factsFragment(name, on string, fields gjson.Result) string {
	graphQLName := regexp.MustCompile(`^[_A-Za-z][_0-9A-Za-z]*$`)
	var names []string
	for _, field := range fields.Array() {
		if name := field.Get("name").String(); isPlain(field.Get("type")) && graphQLName.MatchString(name) {
			names = append(names, name)
		}
	}
	selection := "id"
	if len(names) > 0 {
		selection = "customFields { " + strings.Join(names, " ") + " }"
	}
	return "fragment " + name + " on " + on + " { " + selection + " }\n"
}

// isPlain reports whether a type is a scalar or a list of them, required or not.
func isPlain(t gjson.Result) bool {
	for t.Get("kind").String() == "LIST" || t.Get("kind").String() == "NON_NULL" {
		t = t.Get("ofType")
	}
	return t.Get("kind").String() == "SCALAR" && t.Get("name").String() != "JSON"
}

// allowed returns the payment methods that agents may use: those the shop names,
// narrowed by the configuration. A shop that does not name any is believed to
// have those of the configuration.
func (s *Shop) allowed(named gjson.Result) []upstream.PaymentMethod {
	var methods []upstream.PaymentMethod
	for _, method := range named.Array() {
		code := method.Get("code").String()
		if len(s.payments) == 0 || slices.Contains(s.payments, code) {
			methods = append(methods, upstream.PaymentMethod{ID: code, Title: plaintext.FromHTML(method.Get("name").String())})
		}
	}
	if !named.Exists() {
		for _, code := range s.payments {
			methods = append(methods, upstream.PaymentMethod{ID: code, Title: code})
		}
	}
	return methods
}

// market says in a query what market is wanted, as far as the shop sells there:
// Vendure refuses a currency that it does not sell in.
func (sc *schema) market(m upstream.Market, basket money.Currency) url.Values {
	query := make(url.Values)
	currency := m.Currency
	if basket != "" {
		currency = basket
	}
	if currency != "" && slices.Contains(sc.currencies, currency) {
		query.Set("currencyCode", string(currency))
	}
	if code := sc.languageCode(m.Language); code != "" {
		query.Set("languageCode", code)
	}
	return query
}

// languageCode returns the shop's code for a BCP 47 tag: that of the same
// language and region, else that of the language.
func (sc *schema) languageCode(wanted string) string {
	if wanted == "" {
		return ""
	}
	base, _, _ := strings.Cut(wanted, "-")
	found := ""
	for _, code := range sc.languages {
		switch {
		case strings.EqualFold(tag(code), wanted):
			return code
		case strings.EqualFold(code, base):
			found = code
		}
	}
	return found
}
