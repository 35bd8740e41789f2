package ucp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// Call is one operation asked for, after its binding has found out who asks and
// what was negotiated, and after its payload was validated.
type Call struct {
	Op Operation
	// ID is the cart, checkout or order the operation is about, if it is about one.
	ID string
	// Payload is a valid JSON object, empty for operations without one.
	Payload []byte
	// Negotiated are all capabilities that both sides speak. Active are those of
	// them that apply to the operation, its root among them: what the answer
	// declares. A capability may matter to a request and yet be no part of its
	// answer, as the cart is for the cart_id of a new checkout.
	Negotiated Active
	Active     Active
	// Owner is the agent that calls, Visit what the shop should know.
	Owner basket.Owner
	Visit upstream.Visit
}

// Reply is the answer to a call: the exact bytes to send.
type Reply struct {
	// Status is the HTTP status of the REST binding.
	Status int
	// Body is JSON: a resource, or an error_response when Failed.
	Body []byte
	// Failed: the body's ucp.status is "error".
	Failed bool
	// Outcome says in a word what came of it, for logs and metrics: "ok" or the
	// code of the first error message.
	Outcome string
	// Pending: this is how things stand, and not how they end. Whoever asks the
	// same again must be told how they stand then.
	Pending bool

	buffer *[]byte // what Body stands in, if it is to be given back
}

// replyBuffers are reused from one long answer to the next.
var replyBuffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptBuffer is the largest buffer that is kept for the next answer, in bytes.
const maxKeptBuffer = 256 << 10

// free gives the reply's buffer back. Its body must not be used afterwards. A
// reply that is never freed is garbage as all else is.
func (r *Reply) free() {
	if r == nil || r.buffer == nil || cap(r.Body) > maxKeptBuffer {
		return
	}
	*r.buffer = r.Body
	replyBuffers.Put(r.buffer)
	r.buffer, r.Body = nil, nil
}

// failed returns the reply of an operation that has no resource to show for it.
func failed(active Active, continueURL string, messages ...Message) (*Reply, error) {
	body, err := json.Marshal(errorResponse(active, continueURL, messages...))
	if err != nil {
		return nil, fmt.Errorf("encoding an error response: %w", err)
	}
	return &Reply{Status: http.StatusOK, Body: body, Failed: true, Outcome: messages[0].Code}, nil
}
