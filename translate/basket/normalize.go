package basket

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// The bounds of a basket. What is beyond them is an [*Invalid].
const (
	MaxLines        = 100
	MaxQuantity     = 99_999
	MaxCodes        = 20
	MaxDestinations = 10
)

// Invalid is the error of an operation whose input no basket can hold. Nothing
// was changed.
type Invalid struct {
	Field Field
	// Index is the place within the field's list in Wanted.
	Index int
	// Text says what would be right.
	Text string
}

// Error implements error.
func (e *Invalid) Error() string {
	if e.Field == FieldBasket {
		return e.Text
	}
	return fmt.Sprintf("%s %d: %s", e.Field, e.Index, e.Text)
}

// normalize returns wanted in the form it is kept in: every line and destination
// has its id, lines of the same item are one, codes are there once. Lines and
// destinations of before keep their ids, so that a platform which sends its
// whole state again finds its own names in the answer. next numbers new ones.
func normalize(wanted, before Wanted, next *int) (Wanted, error) {
	if err := wanted.check(); err != nil {
		return Wanted{}, err
	}
	wanted.Lines = normalizeLines(wanted.Lines, before.Lines, next)
	for i, line := range wanted.Lines {
		if line.Quantity > MaxQuantity {
			return Wanted{}, &Invalid{FieldQuantity, i, fmt.Sprintf("must be at most %d", MaxQuantity)}
		}
	}
	wanted.Codes = normalizeCodes(wanted.Codes)
	wanted.Notes = mergeNotes(wanted.Notes, before.Notes)
	wanted.Destinations = normalizeDestinations(wanted.Destinations, before.Destinations, next)
	if wanted.Destination == FirstDestination {
		wanted.Destination = ""
		if len(wanted.Destinations) > 0 {
			wanted.Destination = wanted.Destinations[0].ID
		}
	}
	if wanted.Destination != "" && wanted.destination() == nil {
		// A platform may name an address it sent before without sending it again.
		chosen := before
		chosen.Destination = wanted.Destination
		known := chosen.destination()
		if known == nil {
			return Wanted{}, &Invalid{FieldDestination, 0, "must be the id of a destination of this basket"}
		}
		wanted.Destinations = append(wanted.Destinations, *known)
	}
	return wanted, nil
}

// check finds what no basket can hold.
func (w *Wanted) check() error {
	switch {
	case len(w.Lines) > MaxLines:
		return &Invalid{FieldLine, MaxLines, fmt.Sprintf("a basket holds at most %d lines", MaxLines)}
	case len(w.Codes) > MaxCodes:
		return &Invalid{FieldCode, MaxCodes, fmt.Sprintf("a basket takes at most %d codes", MaxCodes)}
	case len(w.Destinations) > MaxDestinations:
		return &Invalid{FieldDestination, MaxDestinations, fmt.Sprintf("a basket takes at most %d destinations", MaxDestinations)}
	}
	for i, line := range w.Lines {
		if line.Item == "" {
			return &Invalid{FieldLine, i, "must name an item"}
		}
		if line.Quantity < 1 || line.Quantity > MaxQuantity {
			return &Invalid{FieldQuantity, i, fmt.Sprintf("must be from 1 to %d", MaxQuantity)}
		}
	}
	return nil
}

// normalizeLines gives every line its id and adds up lines of the same item:
// most shops keep one line of each, and an answer must name what they keep.
func normalizeLines(lines, before []Line, next *int) []Line {
	known := make(map[string]Line, len(before))
	byItem := make(map[string]string, len(before))
	for _, line := range before {
		known[line.ID] = line
		byItem[line.Item] = line.ID
	}
	out := make([]Line, 0, len(lines))
	at := make(map[string]int, len(lines))
	taken := make(map[string]bool, len(lines))
	for _, line := range lines {
		if i, ok := at[line.Item]; ok {
			out[i].Quantity += line.Quantity
			continue
		}
		at[line.Item] = len(out)
		if _, ok := known[line.ID]; !ok {
			// Not one of ours: an agent may forget its ids, not make up new ones.
			line.ID = byItem[line.Item]
		}
		if taken[line.ID] {
			line.ID = ""
		}
		taken[line.ID] = line.ID != ""
		out = append(out, line)
	}
	for i := range out {
		if out[i].ID == "" {
			out[i].ID = newID("li", next)
		}
	}
	return out
}

// mergeNotes replaces the notes of the protocols that are named.
func mergeNotes(notes, before map[string]json.RawMessage) map[string]json.RawMessage {
	merged := make(map[string]json.RawMessage, len(notes)+len(before))
	maps.Copy(merged, before)
	maps.Copy(merged, notes)
	maps.DeleteFunc(merged, func(_ string, note json.RawMessage) bool { return len(note) == 0 })
	return merged
}

// normalizeCodes drops empty codes and those that are there twice but for case.
func normalizeCodes(codes []string) []string {
	var out []string
	seen := make(map[string]bool, len(codes))
	for _, code := range codes {
		code = strings.TrimSpace(code)
		if folded := strings.ToUpper(code); code != "" && !seen[folded] {
			seen[folded] = true
			out = append(out, code)
		}
	}
	return out
}

// normalizeDestinations gives every destination an id: its own, or that of the
// same address before, or a new one.
func normalizeDestinations(destinations, before []Destination, next *int) []Destination {
	byAddress := make(map[upstream.Address]string, len(before))
	for _, d := range before {
		byAddress[d.Address] = d.ID
	}
	taken := make(map[string]bool, len(destinations))
	for _, d := range destinations {
		taken[d.ID] = true
	}
	var out []Destination
	for _, d := range destinations {
		if d.ID == "" {
			if id := byAddress[d.Address]; id != "" && !taken[id] {
				d.ID = id
			} else {
				d.ID = newID("dest", next)
			}
			taken[d.ID] = true
		}
		out = append(out, d)
	}
	return out
}

// newID returns a name that is unique within its basket.
func newID(prefix string, next *int) string {
	*next++
	return prefix + "_" + strconv.Itoa(*next)
}

// desired is what the shop's basket shall be.
func (w *Wanted) desired() upstream.Desired {
	d := upstream.Desired{
		Lines:    make([]upstream.DesiredLine, len(w.Lines)),
		Codes:    w.Codes,
		Buyer:    w.Buyer,
		Billing:  w.Billing,
		Delivery: w.Delivery,
	}
	for i, line := range w.Lines {
		d.Lines[i] = upstream.DesiredLine{Key: line.ID, Item: line.Item, Quantity: line.Quantity}
	}
	if destination := w.destination(); destination != nil {
		address := destination.Address
		// Protocols let a name stand with the buyer or with the address; shops
		// want it in both places.
		address.FirstName = cmp.Or(address.FirstName, d.Buyer.FirstName)
		address.LastName = cmp.Or(address.LastName, d.Buyer.LastName)
		address.Phone = cmp.Or(address.Phone, d.Buyer.Phone)
		d.Buyer.FirstName = cmp.Or(d.Buyer.FirstName, address.FirstName)
		d.Buyer.LastName = cmp.Or(d.Buyer.LastName, address.LastName)
		d.Buyer.Phone = cmp.Or(d.Buyer.Phone, address.Phone)
		d.Address = &address
	}
	return d
}

// destination is the chosen destination, or nil.
func (w *Wanted) destination() *Destination {
	for i := range w.Destinations {
		if w.Destinations[i].ID == w.Destination {
			return &w.Destinations[i]
		}
	}
	return nil
}
