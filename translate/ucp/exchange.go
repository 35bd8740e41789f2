package ucp

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/internal/httpsig"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// exchange is a request for an operation on its way to being a call. Its binding
// calls identify, introduce and finish, in this order.
type exchange struct {
	*Reception
	request *http.Request
	op      Operation
	id      string // of the cart, checkout or order, if the operation is about one
	event   *Event
	// keys are the idempotency keys that the request names, of which there should
	// be one at most.
	keys []string
	// plain: the binding has no room for extensions of ours.
	plain bool
	// body is that of the HTTP request, which a signature covers; payload is the
	// operation's.
	body    []byte
	payload []byte

	agent      agents.Agent
	profileURL string
	platform   *Platform
}

// identify finds out who calls.
func (x *exchange) identify(ctx context.Context) (err error) {
	x.agent, err = x.Identify(ctx, x.request.Header)
	x.event.Agent = x.agent.Name
	return err
}

// introduce finds out for which platform the agent calls, by the URL of its
// profile, and whether it speaks our release.
func (x *exchange) introduce(ctx context.Context, profile string) error {
	x.profileURL = profile
	err := x.agent.CheckProfile(profile)
	if err != nil {
		return &Failure{
			Status: http.StatusForbidden, Code: ProfileMismatch, Err: err,
			Content: "This agent key is bound to another platform profile than the one that is named",
		}
	}
	if x.platform, err = x.Profiles.Platform(ctx, profile, false); err != nil {
		return fmt.Errorf("finding the platform's profile: %w", err)
	}
	if failure := x.platform.checkVersion(); failure != nil {
		return failure
	}
	return nil
}

// finish does what was asked for, unless something is wrong with how it was asked.
func (x *exchange) finish(ctx context.Context) (*Reply, error) {
	if err := x.verify(ctx); err != nil {
		return nil, err
	}
	call, reply, err := x.call()
	if err != nil || reply != nil {
		return reply, err
	}
	return x.once(ctx, call)
}

// verify checks the request's signatures, if it has any, against the keys in the
// platform's profile.
func (x *exchange) verify(ctx context.Context) error {
	signed := httpsig.RequestOf(x.request, x.body)
	if scheme := x.PeerOf(x.request).Scheme; scheme != "" {
		signed.Scheme = scheme
	}
	verifier := httpsig.Verifier{Keys: x.platformKeys, Now: x.Now}
	_, err := verifier.VerifyRequest(ctx, signed)
	if errors.Is(err, httpsig.ErrUnsigned) {
		x.event.Signature, err = "none", nil
		// A digest binds without a signature, too (RFC 9530, section 2).
		if digests := x.request.Header.Values("Content-Digest"); len(digests) > 0 {
			err = httpsig.VerifyDigest(digests, x.body)
		}
		if err == nil {
			return nil
		}
	}
	var refusal *httpsig.Error
	switch {
	case errors.As(err, &refusal):
		x.event.Signature = string(refusal.Code)
		return &Failure{Status: refusal.Code.HTTPStatus(), Code: FailureCode(refusal.Code), Content: refusal.Error(), Err: err}
	case err != nil:
		return fmt.Errorf("verifying the signature: %w", err)
	}
	x.event.Signature = "valid"
	return nil
}

// platformKeys is a function of type httpsig.Keys.
func (x *exchange) platformKeys(ctx context.Context, _ string, refresh bool) ([]httpsig.Key, error) {
	if !refresh {
		return x.platform.Keys, nil
	}
	platform, err := x.Profiles.Platform(ctx, x.profileURL, true)
	if err != nil {
		return nil, err
	}
	return platform.Keys, nil
}

// call negotiates and validates, and returns what is then to be done. A reply
// instead means that the two sides do not speak the operation.
func (x *exchange) call() (*Call, *Reply, error) {
	business := x.Business()
	if business.Shop == nil {
		return nil, nil, httpdoor.NotNow(httpdoor.DefaultRetry, nil)
	}
	negotiated, active := business.Negotiate(x.platform, x.op)
	if len(active) == 0 {
		reply, err := failed(active, x.Server.Storefront, errorMessage("capabilities_incompatible", "",
			fmt.Sprintf("This needs %s at version %s, which this shop and the platform's profile do not both declare", x.op.Root(), Release),
			Unrecoverable))
		return nil, reply, err
	}
	if x.plain {
		negotiated, active = negotiated.without(CapabilityAnswer), active.without(CapabilityAnswer)
	}
	if err := Validate(x.op, negotiated, x.payload); err != nil {
		return nil, nil, err
	}
	return &Call{
		Op:         x.op,
		ID:         x.id,
		Payload:    x.payload,
		Negotiated: negotiated,
		Active:     active,
		Owner:      basket.Owner{Shop: x.Shop, Agent: x.agent.ID, Name: x.agent.Name, Sandbox: x.agent.Sandbox},
		Visit: upstream.Visit{
			Market:    marketOf(business.Shop, x.payload, x.request.Header.Values("Accept-Language")),
			Addr:      x.PeerOf(x.request).Addr,
			Agent:     x.agent.Name,
			RequestID: x.event.RequestID,
		},
	}, nil, nil
}

// once makes the call, or finds the answer it had before.
func (x *exchange) once(ctx context.Context, call *Call) (*Reply, error) {
	if len(x.keys) == 0 || !x.op.Writes() {
		return x.Server.Do(ctx, call)
	}
	if len(x.keys) > 1 {
		return nil, refuse(http.StatusBadRequest, InvalidRequest, "The idempotency key must be sent once")
	}
	scope := idempotency.Scope{Agent: x.agent.ID, Operation: string(x.op), Resource: x.id, Key: x.keys[0]}
	ticket, first, err := x.Records.Begin(ctx, scope, idempotency.Sum(x.payload))
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
	reply, err := x.Server.Do(running, call)
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
