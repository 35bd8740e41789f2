package acp

import (
	"encoding/json"

	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// Under what names a basket keeps what this protocol must not forget, and its
// order with it. Who sent the buyer is kept as it was given with creating and with
// completing, and is shown to nobody (rfc.affiliate_attribution, section 4.3.4).
const (
	noteName   = "acp"
	firstTouch = "acp.first_touch"
	lastTouch  = "acp.last_touch"
)

// note is what is kept under noteName.
type note struct {
	// Extensions are those that the agent said it knows, nil where it did not say.
	Extensions []string `json:"extensions"`
}

// notesIn returns the notes of a new session.
func notesIn(payload gjson.Result) map[string]json.RawMessage {
	encoded, err := json.Marshal(note{Extensions: extensionsIn(payload.Get("capabilities.extensions"))})
	if err != nil {
		return nil // texts can always be encoded
	}
	return map[string]json.RawMessage{noteName: encoded, firstTouch: rawOf(payload.Get("affiliate_attribution"))}
}

// noteOf returns what a basket kept, nothing for one that another protocol made.
func noteOf(b *basket.Basket) note {
	var n note
	// What was encoded above can be decoded; where there is none it stays empty.
	_ = json.Unmarshal(b.Wanted.Notes[noteName], &n)
	return n
}

// rawOf returns an object as it was written, nil for none.
func rawOf(r gjson.Result) json.RawMessage {
	if !r.IsObject() {
		return nil
	}
	return json.RawMessage(r.Raw)
}

// textsIn returns the texts of a list.
func textsIn(r gjson.Result) []string {
	var texts []string
	for _, element := range r.Array() {
		if element.Type == gjson.String {
			texts = append(texts, element.Str)
		}
	}
	return texts
}
