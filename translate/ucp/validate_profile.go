package ucp

import (
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/internal/shape"
)

// platformShape is schemas/profile.json, platform_schema.
var (
	platformShape = shape.Object(fields{
		shape.Must("ucp", shape.Object(fields{
			shape.Must("version", shape.Date),
			shape.May("status", oneOf("success", "error")),
			shape.May("map_order", &shape.Shape{Types: shape.IsObject, Others: shape.Texts}),
			shape.Must("services", registryOf(serviceShape)),
			shape.May("capabilities", registryOf(capabilityShape)),
			shape.Must("payment_handlers", registryOf(handlerShape)),
		})),
		shape.May("keys", shape.ListOf(publicKeyShape)),
	})

	serviceShape = shape.Object(entityFields, fields{
		shape.May("id", shape.Text),
		shape.Must("spec", shape.URI),
		shape.May("schema", shape.URI),
		shape.Must("transport", oneOf("rest", "mcp", "a2a", "embedded")),
		shape.May("endpoint", shape.URI),
	}).With(schemaUnlessA2A)

	capabilityShape = shape.Object(entityFields, publishedFields, fields{
		shape.May("id", shape.Text),
		// One name or several.
		shape.May("extends", &shape.Shape{
			Types: shape.IsText | shape.IsArray, Format: shape.ReverseDomainName, Item: shape.ReverseDomain, MinItems: 1,
		}),
	})

	handlerShape = shape.Object(entityFields, publishedFields, fields{
		shape.Must("id", shape.Text),
		shape.May("available_instruments", &shape.Shape{Types: shape.IsArray, MinItems: 1, Item: shape.Object(fields{
			shape.Must("type", shape.Text),
			shape.May("constraints", shape.AnyObject),
		})}),
	})

	// schemas/ucp.json, entity
	entityFields = fields{
		shape.Must("version", shape.Date),
		shape.May("config", shape.AnyObject),
	}

	// publishedFields say where an entity is described.
	publishedFields = fields{
		shape.Must("spec", shape.URI),
		shape.Must("schema", shape.URI),
	}

	// schemas/profile.json, jwk_public_key
	publicKeyShape = shape.Object(shape.MayTexts("crv", "x", "y", "alg", "use"), fields{
		shape.Must("kid", shape.Text),
		shape.Must("kty", shape.Text),
	}).With(publicAndWhole)
)

func oneOf(values ...string) *shape.Shape {
	return &shape.Shape{Types: shape.IsText, Values: values}
}

// registryOf returns the shape of an object that maps reverse domain names to
// lists of entries.
func registryOf(entry *shape.Shape) *shape.Shape {
	return &shape.Shape{Types: shape.IsObject, Names: shape.ReverseDomainName, Others: shape.ListOf(entry)}
}

// schemaUnlessA2A checks that a service has a schema, which a2a alone may lack.
func schemaUnlessA2A(c *shape.Checker, at *shape.Place, service gjson.Result) {
	if service.Get("transport").Str != "a2a" && !service.Get("schema").Exists() {
		c.Complain(at.Member("schema"), "is missing: must be an absolute URL")
	}
}

// publicAndWhole checks that a key has the members that its type needs, an
// algorithm that fits its curve, and no private member (RFC 7518, section 6).
func publicAndWhole(c *shape.Checker, at *shape.Place, key gjson.Result) {
	for _, name := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} {
		if key.Get(name).Exists() {
			c.Complain(at.Member(name), "must not be published: it is private")
		}
	}
	needed := map[string][]string{"EC": {"crv", "x", "y"}, "OKP": {"crv", "x"}}
	for _, name := range needed[key.Get("kty").Str] {
		if !key.Get(name).Exists() {
			c.Complain(at.Member(name), "is missing: must be a string")
		}
	}
	algorithms := map[string]string{"P-256": "ES256", "P-384": "ES384", "Ed25519": "EdDSA"}
	want, known := algorithms[key.Get("crv").Str]
	if got := key.Get("alg"); known && got.Exists() && got.Str != want {
		c.Complain(at.Member("alg"), "must be %q for this crv", want)
	}
}
