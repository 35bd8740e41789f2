package ucp

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/translate/basket"
)

// A basket that nobody can order is no matter for the buyer's input, and what is
// about no part of a basket has no path.
func TestNotOrderable(t *testing.T) {
	b := boots()
	b.Blockers = []basket.Issue{{Code: basket.NotOrderable, Field: basket.FieldBasket, Text: "Nobody takes the order."}}
	messages := messagesOf(b, nil)
	if len(messages) == 0 {
		t.Fatal("no message")
	}
	want := errorMessage("not_orderable", "", "Nobody takes the order.", Unrecoverable)
	if messages[0] != want {
		t.Errorf("got %+v, want %+v", messages[0], want)
	}
	encoded, err := json.Marshal(messages[0])
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(encoded), `"path"`) {
		t.Errorf("a message about no part has a path: %s", encoded)
	}
}
