package ucp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/netip"
	"strings"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// exchange is a request for an operation on its way to being a call.
type exchange struct {
	rest    *REST
	request *http.Request
	op      Operation
	id      string
	event   *Event

	agent      agents.Agent
	profileURL string
	platform   *Platform
	body       []byte
}

// admit finds out who calls, for which platform, and whether it speaks our
// release.
func (x *exchange) admit(ctx context.Context) error {
	credentials, err := agents.FromRequest(x.request.Header)
	if err != nil {
		return fmt.Errorf("reading the credentials: %w", err)
	}
	if credentials.Key.IsZero() {
		return unauthorized(x.rest.Contact, "This shop wants an agent key, as Authorization: Bearer or as X-API-Key", nil)
	}
	x.agent, err = x.rest.Agents.Lookup(ctx, x.rest.Shop, credentials.Key)
	switch {
	case errors.Is(err, agents.ErrUnknownKey), errors.Is(err, agents.ErrRevoked):
		return unauthorized(x.rest.Contact, "This is no agent key that is good at this shop", err)
	case err != nil:
		return fmt.Errorf("finding the agent: %w", err)
	}
	x.event.Agent = x.agent.Name

	url, failure := agentProfile(x.request.Header, x.rest.Development)
	if failure != nil {
		return failure
	}
	x.profileURL = url
	if err := x.agent.CheckProfile(url); err != nil {
		return &Failure{
			Status: http.StatusForbidden, Code: ProfileMismatch, Err: err,
			Content: "This agent key is bound to another platform profile than the one in UCP-Agent",
		}
	}
	if x.platform, err = x.rest.Profiles.Platform(ctx, url, false); err != nil {
		return fmt.Errorf("finding the platform's profile: %w", err)
	}
	if failure := x.platform.checkVersion(); failure != nil {
		return failure
	}
	return nil
}

// unauthorized is the failure of a request without a good key.
func unauthorized(contact, content string, err error) *Failure {
	if contact != "" {
		content += "; ask for one at " + contact
	}
	return &Failure{Status: http.StatusUnauthorized, Code: Unauthorized, Content: content, Err: err}
}

// read reads the body, unless it is too large, which it is told without reading
// all of it.
func (x *exchange) read(w http.ResponseWriter) error {
	most := x.rest.MaxBody
	if most == 0 {
		most = defaultMaxBody
	}
	tooLarge := refuse(http.StatusRequestEntityTooLarge, BodyTooLarge, "The body must be at most %d bytes", most)
	if x.request.ContentLength > most {
		return tooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, x.request.Body, most))
	var size *http.MaxBytesError
	switch {
	case errors.As(err, &size):
		return tooLarge
	case err != nil:
		f := refuse(http.StatusBadRequest, InvalidRequest, "The body ended before it was complete")
		f.Err = err
		return f
	}
	x.body = body
	return nil
}

// verify checks the request's signatures, if it has any, against the keys in the
// platform's profile.
func (x *exchange) verify(ctx context.Context) error {
	signed := httpsig.RequestOf(x.request, x.body)
	if scheme := x.peer().Scheme; scheme != "" {
		signed.Scheme = scheme
	}
	verifier := httpsig.Verifier{Keys: x.keys, Now: x.rest.Now}
	_, err := verifier.VerifyRequest(ctx, signed)
	var refusal *httpsig.Error
	switch {
	case errors.Is(err, httpsig.ErrUnsigned):
		x.event.Signature = "none"
		return nil
	case errors.As(err, &refusal):
		x.event.Signature = string(refusal.Code)
		return &Failure{Status: refusal.Code.HTTPStatus(), Code: FailureCode(refusal.Code), Content: refusal.Error(), Err: err}
	case err != nil:
		return fmt.Errorf("verifying the signature: %w", err)
	}
	x.event.Signature = "valid"
	return nil
}

// keys are the platform's. It is a function of type httpsig.Keys.
func (x *exchange) keys(ctx context.Context, _ string, refresh bool) ([]httpsig.Key, error) {
	if !refresh {
		return x.platform.Keys, nil
	}
	platform, err := x.rest.Profiles.Platform(ctx, x.profileURL, true)
	if err != nil {
		return nil, err
	}
	return platform.Keys, nil
}

// call negotiates and validates, and returns what is then to be done. A reply
// instead means that the two sides do not speak the operation.
func (x *exchange) call() (*Call, *Reply, error) {
	business := x.rest.Business()
	if business.Shop == nil {
		return nil, nil, unavailable(defaultRetry, nil)
	}
	negotiated, active := business.Negotiate(x.platform, x.op)
	if len(active) == 0 {
		reply, err := failed(active, x.rest.Server.Storefront, errorMessage("capabilities_incompatible", "",
			fmt.Sprintf("This needs %s at version %s, which this shop and the platform's profile do not both declare", x.op.Root(), Release),
			Unrecoverable))
		return nil, reply, err
	}
	if err := x.checkMediaType(); err != nil {
		return nil, nil, err
	}
	body := x.body
	if x.request.Method == http.MethodGet {
		body = nil // a body means nothing there
	}
	if err := Validate(x.op, negotiated, body); err != nil {
		return nil, nil, err
	}
	return &Call{
		Op:         x.op,
		ID:         x.id,
		Payload:    body,
		Negotiated: negotiated,
		Active:     active,
		Owner:      basket.Owner{Shop: x.rest.Shop, Agent: x.agent.ID, Name: x.agent.Name, Sandbox: x.agent.Sandbox},
		Visit: upstream.Visit{
			Market:    marketOf(business.Shop, body, x.request.Header.Values("Accept-Language")),
			Addr:      x.peer().Addr,
			Agent:     x.agent.Name,
			RequestID: x.event.RequestID,
		},
	}, nil, nil
}

// checkMediaType refuses a body that says it is something else than JSON.
func (x *exchange) checkMediaType() error {
	if len(x.body) == 0 {
		return nil
	}
	refusal := refuse(http.StatusUnsupportedMediaType, UnsupportedMedia, "The body must be application/json, not compressed")
	if coding := x.request.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return refusal
	}
	declared := x.request.Header.Get("Content-Type")
	if declared == "" {
		return nil
	}
	media, _, err := mime.ParseMediaType(declared)
	if err != nil || media != "application/json" && !strings.HasSuffix(media, "+json") {
		return refusal
	}
	return nil
}

// peer returns who sent the request.
func (x *exchange) peer() Peer {
	if x.rest.Peer != nil {
		return x.rest.Peer(x.request)
	}
	from, err := netip.ParseAddrPort(x.request.RemoteAddr)
	if err != nil {
		return Peer{}
	}
	return Peer{Addr: from.Addr().Unmap()}
}

// once makes the call, or finds the answer it had before.
func (x *exchange) once(ctx context.Context, call *Call) (*Reply, error) {
	keys := x.request.Header.Values("Idempotency-Key")
	if len(keys) == 0 || !x.op.Writes() {
		return x.rest.Server.Do(ctx, call)
	}
	if len(keys) > 1 {
		return nil, refuse(http.StatusBadRequest, InvalidRequest, "Idempotency-Key must be sent once")
	}
	scope := idempotency.Scope{Agent: x.agent.ID, Operation: string(x.op), Resource: x.id, Key: keys[0]}
	ticket, first, err := x.rest.Records.Begin(ctx, scope, idempotency.Sum(x.body))
	if err != nil {
		return nil, fmt.Errorf("looking for an earlier answer: %w", err)
	}
	if first != nil {
		x.event.Replayed, x.event.Outcome = true, "replayed"
		return &Reply{Status: first.Status, Body: first.Body}, nil
	}
	// A key that cannot be freed is freed when its lease ends.
	defer func() { _ = ticket.Abandon(ctx) }()

	running, cancel := ticket.Context(ctx)
	defer cancel()
	reply, err := x.rest.Server.Do(running, call)
	if err != nil {
		return nil, err
	}
	if reply.Pending {
		return reply, nil
	}
	// What was done is done, and its answer true, whether it can be kept or not.
	x.event.Err = ticket.Finish(ctx, idempotency.Response{Status: reply.Status, Body: reply.Body})
	return reply, nil
}
