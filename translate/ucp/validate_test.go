package ucp

import (
	"errors"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/spectest"
)

// What each operation takes and refuses, one rule at a time. The schemas agree,
// but where the case says that they do not.
func TestValidate(t *testing.T) {
	spec := spectest.Open(t, Release)
	all := activeFrom(CapabilitySearch, CapabilityLookup, CapabilityCart, CapabilityCheckout, CapabilityDiscount, CapabilityFulfillment)
	bare := activeFrom(CapabilitySearch, CapabilityLookup, CapabilityCheckout)
	const shipping = `{"line_items":[],"fulfillment":{"methods":[{"type":"shipping",%s}]}}`
	for name, test := range map[string]struct {
		op         Operation
		negotiated Active
		payload    string
		want       string // empty for a payload that is fine
		alone      bool   // the schemas say otherwise
	}{
		"a query":                       {SearchCatalog, all, `{"query":"x","mood":1,"context":{"ucp":7}}`, "", false},
		"a query in another case":       {SearchCatalog, all, `{"Query":"x","query":"y"}`, `$.Query must be written "query"`, true},
		"nothing to search for":         {SearchCatalog, all, `{"context":{}}`, "$ must have a query", true},
		"a limit of 0":                  {SearchCatalog, all, `{"query":"x","pagination":{"limit":0}}`, "$.pagination.limit must be a whole number", false},
		"a limit beyond all integers":   {SearchCatalog, all, `{"query":"x","pagination":{"limit":9007199254740992}}`, "$.pagination.limit must be", true},
		"a limit with a fraction":       {SearchCatalog, all, `{"query":"x","pagination":{"limit":5.0}}`, "$.pagination.limit must be", true},
		"a price below nothing":         {SearchCatalog, all, `{"filters":{"price":{"min":-1}}}`, "$.filters.price.min must be", false},
		"a claim of no domain":          {SearchCatalog, all, `{"query":"x","context":{"eligibility":["gold"]}}`, "$.context.eligibility[0] must be a reverse domain", false},
		"a claim made twice":            {SearchCatalog, all, `{"query":"x","context":{"eligibility":["a.b","a.b"]}}`, "$.context.eligibility[1] must not repeat", false},
		"a signal of no domain":         {SearchCatalog, all, `{"query":"x","signals":{"ip":"203.0.113.9"}}`, "$.signals.ip must be a reverse domain", false},
		"a number in attribution":       {SearchCatalog, all, `{"query":"x","attribution":{"a":1}}`, "$.attribution.a must be a string", false},
		"no ids":                        {LookupCatalog, all, `{"ids":[]}`, "$.ids must have at least 1", false},
		"ids missing":                   {LookupCatalog, all, `{}`, "$.ids is missing", false},
		"an option without label":       {GetProduct, all, `{"id":"x","selected":[{"name":"Size"}]}`, "$.selected[0].label is missing", false},
		"an option selected twice":      {GetProduct, all, `{"id":"x","selected":[{"name":"Size","label":"8"},{"name":"size","label":"9"}]}`, "$.selected[1].name must not repeat", true},
		"a cart":                        {CreateCart, all, oneBoot, "", false},
		"quantity in words":             {CreateCart, all, `{"line_items":[{"item":{"id":"x"},"quantity":"1"}]}`, "$.line_items[0].quantity must be", false},
		"quantity 2^53":                 {CreateCart, all, `{"line_items":[{"item":{"id":"x"},"quantity":9007199254740992}]}`, "$.line_items[0].quantity must be", false},
		"a line's name too early":       {CreateCart, all, `{"line_items":[{"id":"l","item":{"id":"x"},"quantity":1}]}`, "$.line_items[0].id must not", false},
		"a line's name in time":         {UpdateCart, all, `{"line_items":[{"id":"l","item":{"id":"x"},"quantity":1}]}`, "", false},
		"an item with a price":          {UpdateCart, all, `{"line_items":[{"item":{"id":"x","price":1},"quantity":1}]}`, "$.line_items[0].item.price must not", false},
		"a unit of half pieces":         {CreateCart, all, `{"line_items":[{"item":{"id":"x","quantity_unit":{"unit":"C62","display_text":"each","scale":1}},"quantity":1}]}`, "quantity_unit.scale must be 0", false},
		"an envelope":                   {CreateCart, all, `{"line_items":[],"ucp":{}}`, "$.ucp must not", false},
		"discounts of another shop":     {CreateCart, bare, `{"line_items":[],"discounts":{"codes":7}}`, "", false},
		"codes that are none":           {CreateCart, all, `{"line_items":[],"discounts":{"codes":[7]}}`, "$.discounts.codes[0] must be", false},
		"discounts applied by an agent": {CreateCart, all, `{"line_items":[],"discounts":{"applied":[]}}`, "$.discounts.applied must not", false},
		"a checkout of a cart":          {CreateCheckout, all, `{"line_items":[],"cart_id":"b"}`, "", false},
		"the cart too late":             {UpdateCheckout, all, `{"line_items":[],"cart_id":"b"}`, "$.cart_id must not", false},
		"a cart nobody negotiated":      {UpdateCheckout, bare, `{"line_items":[],"cart_id":7}`, "", false},
		"a method without type":         {CreateCheckout, all, `{"line_items":[],"fulfillment":{"methods":[{}]}}`, "$.fulfillment.methods[0].type is missing", false},
		"a method with its lines":       {CreateCheckout, all, strings.Replace(shipping, "%s", `"line_item_ids":[]`, 1), "line_item_ids must not", false},
		"a method without its lines":    {UpdateCheckout, all, strings.Replace(shipping, "%s", `"groups":[]`, 1), "", true},
		"a group without name":          {UpdateCheckout, all, strings.Replace(shipping, "%s", `"line_item_ids":[],"groups":[{}]`, 1), "groups[0].id is missing", false},
		"a group with name too early":   {CreateCheckout, all, strings.Replace(shipping, "%s", `"groups":[{"id":"g"}]`, 1), "groups[0].id must not", false},
		"an address":                    {CreateCheckout, all, strings.Replace(shipping, "%s", `"destinations":[{"postal_code":"LA22"}]`, 1), "", false},
		"an address of numbers":         {CreateCheckout, all, strings.Replace(shipping, "%s", `"destinations":[{"postal_code":22}]`, 1), "destinations[0].postal_code must be", false},
		"an address of another type":    {CreateCheckout, all, strings.Replace(shipping, "%s", `"destinations":[{"type":"business_location"}]`, 1), `destinations[0].type must be "shipping_address"`, false},
		"an address to pick up at":      {CreateCheckout, all, `{"line_items":[],"fulfillment":{"methods":[{"type":"pickup","destinations":[]}]}}`, "destinations must not be sent here", false},
		"an address for no method":      {UpdateCheckout, all, `{"line_items":[],"fulfillment":{"methods":[{"line_item_ids":[],"destinations":[]}]}}`, "destinations must not be sent here", false},
		"nothing selected":              {UpdateCheckout, all, strings.Replace(shipping, "%s", `"line_item_ids":[],"selected_destination_id":null`, 1), "", false},
		"what can be delivered how":     {UpdateCheckout, all, `{"line_items":[],"fulfillment":{"available_methods":[]}}`, "available_methods must not", false},
		"an order":                      {UpdateCheckout, all, `{"line_items":[],"order":{}}`, "$.order must not", false},
		"a payment":                     {CompleteCheckout, all, onePaying, "", false},
		"no payment":                    {CompleteCheckout, all, `{}`, "$.payment is missing", false},
		"lines at the end":              {CompleteCheckout, all, `{"payment":{},"line_items":[]}`, "$.line_items must not", false},
		"a buyer at the end":            {CompleteCheckout, all, `{"payment":{},"buyer":{}}`, "$.buyer must not", false},
		"a credential without type":     {CompleteCheckout, all, `{"payment":{"instruments":[{"id":"i","handler_id":"h","type":"t","credential":{}}]}}`, "credential.type is missing", false},
		"nothing to cancel with":        {CancelCart, all, ``, "", false},
		"an object to cancel with":      {CancelCheckout, all, `{"reason":"x"}`, "", false},
		"a list to cancel with":         {CancelCheckout, all, `[]`, "$ must be a JSON object", false},
		"nothing to read with":          {GetOrder, all, ``, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			err := Validate(test.op, test.negotiated, []byte(test.payload))
			var invalid *Invalid
			switch {
			case test.want == "" && err != nil:
				t.Errorf("refused: %v", err)
			case test.want != "" && (!errors.As(err, &invalid) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("got %v, want %q", err, test.want)
			}
			theirs := spec.Request(string(test.op), names(test.negotiated), []byte(test.payload))
			if isCatalogue(test.op) {
				theirs = spec.Request(string(test.op), nil, []byte(test.payload))
			}
			if agrees := (theirs == nil) == (err == nil); agrees == test.alone {
				t.Errorf("the schemas say %v", theirs)
			}
		})
	}
}

// FuzzValidate looks for payloads that break the checks themselves.
func FuzzValidate(f *testing.F) {
	operations := []Operation{SearchCatalog, LookupCatalog, GetProduct, CreateCart, UpdateCart, CancelCart, CreateCheckout, UpdateCheckout, CompleteCheckout}
	for i, op := range operations {
		f.Add(uint8(i), []byte(wholePayloads[op]))
	}
	all := activeFrom(CapabilityCart, CapabilityDiscount, CapabilityFulfillment)
	f.Fuzz(func(t *testing.T, i uint8, payload []byte) {
		err := Validate(operations[int(i)%len(operations)], all, payload)
		var invalid *Invalid
		if err != nil && (!errors.As(err, &invalid) || len(*invalid) == 0 || len(*invalid) > 20) {
			t.Errorf("an error without violations, or with too many: %v", err)
		}
	})
}
