package ucp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// paths knows where in a response each part of a basket stands.
type paths struct {
	b *basket.Basket
	// lines lead from a wanted line to its place in line_items, -1 for lines that
	// are not there.
	lines []int
}

func pathsOf(b *basket.Basket) paths {
	p := paths{b: b, lines: make([]int, len(b.Wanted.Lines))}
	at := 0
	for i, wanted := range b.Wanted.Lines {
		p.lines[i] = -1
		if slices.ContainsFunc(b.Observed.Lines, func(l upstream.Line) bool { return l.Key == wanted.ID }) {
			p.lines[i] = at
			at++
		}
	}
	return p
}

// of returns the JSONPath of an issue, from the root of a cart or checkout.
func (p paths) of(issue basket.Issue) string {
	const method = "$.fulfillment.methods[0]"
	switch issue.Field {
	case basket.FieldLine, basket.FieldQuantity:
		return p.line(issue)
	case basket.FieldCode:
		return fmt.Sprintf("$.discounts.codes[%d]", issue.Index)
	case basket.FieldEmail:
		return "$.buyer.email"
	case basket.FieldFirstName:
		return "$.buyer.first_name"
	case basket.FieldLastName:
		return "$.buyer.last_name"
	case basket.FieldPhone:
		return "$.buyer.phone_number"
	case basket.FieldDestination:
		if len(p.b.Wanted.Destinations) == 0 {
			return method + ".destinations"
		}
		return method + ".selected_destination_id"
	case basket.FieldStreet:
		return p.destination(method, "street_address")
	case basket.FieldCity:
		return p.destination(method, "address_locality")
	case basket.FieldRegion:
		return p.destination(method, "address_region")
	case basket.FieldPostalCode:
		return p.destination(method, "postal_code")
	case basket.FieldDelivery:
		return method + ".groups[0].selected_option_id"
	case basket.FieldPayment:
		return "$.payment.instruments"
	}
	return ""
}

// line returns the path of a line: its place in the response, or what it was sent
// as where it has none.
func (p paths) line(issue basket.Issue) string {
	path := refusedLine(issue)
	if issue.Index < len(p.lines) && p.lines[issue.Index] >= 0 {
		path = fmt.Sprintf("$.line_items[%d]", p.lines[issue.Index])
	}
	if issue.Field == basket.FieldQuantity {
		path += ".quantity"
	}
	return path
}

// maxItemInPath bounds the id of an item that a path repeats, in bytes.
const maxItemInPath = 256

// refusedLine returns the path of a line that the response does not show. A path is
// read against the response that carries it (checkout, "The path Field"), where the
// place that the line had in the request is another line's. So it says which item
// was sent, which is right in both.
func refusedLine(issue basket.Issue) string {
	if issue.Item == "" || len(issue.Item) > maxItemInPath {
		return "$.line_items"
	}
	return "$.line_items[?@.item.id == " + literal(issue.Item) + "]"
}

// literal writes a text as a JSONPath has it between single quotes (RFC 9535,
// section 2.3.1.1), which is how JSON has it but for the quotes.
func literal(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil { // texts can always be encoded
		return "''"
	}
	inside := string(quoted[1 : len(quoted)-1])
	return "'" + strings.NewReplacer(`\\`, `\\`, `\"`, `"`, `'`, `\'`).Replace(inside) + "'"
}

func (p paths) destination(method, field string) string {
	at := slices.IndexFunc(p.b.Wanted.Destinations, func(d basket.Destination) bool { return d.ID == p.b.Wanted.Destination })
	return fmt.Sprintf("%s.destinations[%d].%s", method, max(at, 0), field)
}
