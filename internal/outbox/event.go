package outbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/state"
)

// MaxBody is how long the body of an event may be, in bytes.
const MaxBody = 1 << 20

// ErrRevoked is what Resolve returns for a receiver that must get nothing more.
var ErrRevoked = errors.New("outbox: receiver is revoked")

// Event is what a receiver is told.
type Event struct {
	ID       string // unique for the receiver
	Receiver string // a name that Resolve knows
	Key      string // what the event is about; events of one key keep their order
	Type     string // media type of the body
	Body     []byte // sent as it is
}

// Receiver is where events go, and how they are signed.
type Receiver struct {
	URL  string
	Sign Sign
}

// Sign adds to a request what proves who sent the event at a time. It is called
// for every try, when everything else of the request is there; the body is that
// of the event.
type Sign func(r *http.Request, e Event, at time.Time) error

// Pending is an event that was not delivered yet.
type Pending struct {
	Event
	Tries int       // that failed
	Last  string    // why the latest try failed, for the operator; "" before the first
	Due   time.Time // when it is tried next, if no event of its key is before it
	Busy  bool      // it is being delivered
}

// record is the value of an event in its queue.
type record struct {
	Type string `json:"type,omitempty"`
	Body []byte `json:"body"`
	Last string `json:"last,omitempty"`
}

// maxLast is how much of a failure is kept, in bytes.
const maxLast = 200

func (r record) encode() []byte {
	r.Last = r.Last[:min(len(r.Last), maxLast)]
	value, _ := json.Marshal(r) // texts and bytes can always be encoded
	return value
}

// decode returns the event that a message holds.
func decode(receiver string, m state.Message) (Event, record, error) {
	var r record
	if err := json.Unmarshal(m.Value, &r); err != nil {
		return Event{}, record{}, fmt.Errorf("decoding event %q: %w", m.ID, err)
	}
	return Event{ID: m.ID, Receiver: receiver, Key: m.Group, Type: r.Type, Body: r.Body}, r, nil
}
