package shape_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/shape"
)

// parcel has one field for everything that a shape can say.
var parcel = shape.Object(
	shape.MayTexts("note"),
	shape.MustNot("stamp"),
	[]shape.Field{
		shape.Must("to", shape.Text),
		shape.May("weight", shape.Integer(1, 1000)),
		shape.May("fragile", shape.Boolean),
		shape.May("sender", shape.TextOrNull),
		shape.May("colour", &shape.Shape{Types: shape.IsText, Values: []string{"red", "blue"}}),
		shape.May("kind", &shape.Shape{Types: shape.IsText, Values: []string{"parcel"}}),
		shape.May("owner", shape.ReverseDomain),
		shape.May("day", shape.Date),
		shape.May("page", shape.URI),
		shape.May("tags", &shape.Shape{Types: shape.IsArray, Item: shape.Text, MinItems: 1, Unique: true}),
		shape.May("labels", &shape.Shape{Types: shape.IsObject, Names: shape.ReverseDomainName, Others: shape.Text}),
		shape.May("inside", shape.ListOf(shape.Object([]shape.Field{shape.Must("id", shape.Text)}))),
		{Name: "number", Shape: shape.Text, Use: shape.Use{shape.Create: shape.Forbidden, shape.Update: shape.Required}},
		{Name: "insured", Shape: shape.Boolean, Of: "insurance"},
	},
).With(func(c *shape.Checker, at *shape.Place, o gjson.Result) {
	if o.Get("fragile").Bool() && o.Get("weight").Int() > 500 {
		c.Complain(at.Member("weight"), "must be at most 500 for what is fragile")
	}
})

func TestCheck(t *testing.T) {
	for name, test := range map[string]struct {
		verb shape.Verb
		text string
		want string
	}{
		"all of it": {shape.Other, `{"to":"x","weight":1000,"fragile":false,"sender":null,"colour":"red","kind":"parcel","owner":"com.example.x",
			"day":"2026-12-01","page":"https://example.com/","tags":["a","b"],"labels":{"com.example.x":"y"},"inside":[{"id":"1"}],"insured":true}`, ""},
		"unknown fields":      {shape.Other, `{"to":"x","ucp":{"to":1},"mood":[1.5]}`, ""},
		"missing":             {shape.Other, `{}`, "$.to is missing: must be a string"},
		"of a wrong type":     {shape.Other, `{"to":1}`, "$.to must be a string, not a whole number"},
		"null":                {shape.Other, `{"to":null}`, "$.to must be a string, not null"},
		"several types":       {shape.Other, `{"to":"x","sender":{}}`, "$.sender must be a string or null, not an object"},
		"forbidden":           {shape.Other, `{"to":"x","stamp":null}`, "$.stamp must not be sent here"},
		"forbidden to create": {shape.Create, `{"to":"x","number":"1"}`, "$.number must not be sent here"},
		"required to update":  {shape.Update, `{"to":"x"}`, "$.number is missing: must be a string"},
		"too little":          {shape.Other, `{"to":"x","weight":0}`, "$.weight must be a whole number from 1 to 1000"},
		"too much":            {shape.Other, `{"to":"x","weight":1001}`, "$.weight must be a whole number from 1 to 1000"},
		"far too much":        {shape.Other, `{"to":"x","weight":99999999999999999999}`, "$.weight must be a whole number from 1 to 1000"},
		"a fraction":          {shape.Other, `{"to":"x","weight":5.0}`, "$.weight must be a whole number from 1 to 1000, not a number with a fraction or exponent"},
		"an exponent":         {shape.Other, `{"to":"x","weight":1e2}`, "$.weight must be a whole number from 1 to 1000, not a number with a fraction or exponent"},
		"a number in words":   {shape.Other, `{"to":"x","weight":"22"}`, "$.weight must be a whole number from 1 to 1000, not a string"},
		"no such value":       {shape.Other, `{"to":"x","colour":"green"}`, "$.colour must be one of red, blue"},
		"the only value":      {shape.Other, `{"to":"x","kind":"letter"}`, `$.kind must be "parcel"`},
		"no domain":           {shape.Other, `{"to":"x","owner":"example"}`, `$.owner must be a reverse domain name such as "com.example.name"`},
		"no date":             {shape.Other, `{"to":"x","day":"tomorrow"}`, `$.day must be a date such as "2026-08-25"`},
		"no URL":              {shape.Other, `{"to":"x","page":"/page"}`, "$.page must be an absolute URL"},
		"too few":             {shape.Other, `{"to":"x","tags":[]}`, "$.tags must have at least 1 element"},
		"twice the same":      {shape.Other, `{"to":"x","tags":["a","b","a"]}`, "$.tags[2] must not repeat an earlier element"},
		"a bad name":          {shape.Other, `{"to":"x","labels":{"it's":"y"}}`, `$.labels['it\'s'] must be a reverse domain name such as "com.example.name"`},
		"a bad member":        {shape.Other, `{"to":"x","labels":{"com.example.x":1}}`, "$.labels['com.example.x'] must be a string, not a whole number"},
		"deep down":           {shape.Other, `{"to":"x","inside":[{"id":"1"},{"id":2}]}`, "$.inside[1].id must be a string, not a whole number"},
		"a rule":              {shape.Other, `{"to":"x","fragile":true,"weight":501}`, "$.weight must be at most 500 for what is fragile"},
		"in another case":     {shape.Other, `{"to":"x","Weight":-5}`, `$.Weight must be written "weight"`},
		"in another alphabet": {shape.Other, "{\"to\":\"x\",\"\u212aind\":7}", "$['\u212aind'] must be written \"kind\""},
		"several at once":     {shape.Other, `{"weight":0,"stamp":1}`, "$.weight must be a whole number from 1 to 1000; $.stamp must not be sent here; $.to is missing: must be a string"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := parcel.Check([]byte(test.text), test.verb, func(e string) bool { return e == "insurance" }); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A field of an extension that was not negotiated is an unknown field.
func TestCheckExtension(t *testing.T) {
	text := []byte(`{"to":"x","insured":"yes","INSURED":7}`)
	if err := parcel.Check(text, shape.Other, func(string) bool { return false }); err != nil {
		t.Errorf("without the extension: %v", err)
	}
	if parcel.Check(text, shape.Other, func(string) bool { return true }) == nil {
		t.Error("nothing wrong with the extension")
	}
}

// However much is wrong, an error stays readable.
func TestCheckStops(t *testing.T) {
	var text strings.Builder
	text.WriteString(`{"to":"x","inside":[`)
	for range 5000 {
		text.WriteString(`{},`)
	}
	text.WriteString(`{}]}`)
	err := parcel.Check([]byte(text.String()), shape.Other, nil)
	var invalid *shape.Invalid
	if !errors.As(err, &invalid) || len(*invalid) != 20 {
		t.Errorf("got %v", err)
	}
}

func ExampleShape_Check() {
	err := parcel.Check([]byte(`{"to":"Ada","inside":[{"id":7}]}`), shape.Create, nil)
	fmt.Println(err)
	// Output: $.inside[0].id must be a string, not a whole number
}
