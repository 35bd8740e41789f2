package httpsig

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// clockSkew is how far the peer's clock may be off.
const clockSkew = time.Minute

// tagWebBotAuth marks a signature that Web Bot Auth verifiers read too.
const tagWebBotAuth = "web-bot-auth"

// Verifier checks the signatures of messages. It needs both functions, and is
// safe for concurrent use when they are.
type Verifier struct {
	Keys Keys             // where the signer's keys are
	Now  func() time.Time // the clock that "created" and "expires" are held against
}

// Verified tells about the signature that authenticated a message.
type Verified struct {
	Label      string
	Key        Key
	Created    time.Time // zero when the signature does not say
	Expires    time.Time // zero when the signature does not say
	Tag        string    // empty or "web-bot-auth"
	Components []string  // the covered components as they stand in Signature-Input
}

// VerifyRequest checks a request by UCP's verify_rest_request, which holds for
// MCP over HTTP too. Each signature is tried in turn and the first that
// verifies and covers what [RequiredComponents] lists authenticates the
// request; a signature with a tag other than "web-bot-auth" is skipped.
//
// A signature that says it was made in the future, or that it has expired, is
// skipped. No age is too old by itself: UCP leaves replay protection to
// Idempotency-Key, and "created" is optional.
//
// The error is [ErrUnsigned] for a request without signatures, an [*Error] for
// one whose every signature is refused, and otherwise what the key source gave.
func (v *Verifier) VerifyRequest(ctx context.Context, r *Request) (Verified, error) {
	return v.verify(ctx, &verification{
		message:  message{request: r},
		header:   r.Header,
		body:     r.Body,
		required: RequiredComponents(r),
	})
}

// VerifyResponse checks a response by UCP's verify_rest_response: a signature
// must cover the status and, where there is a body, its digest and type. What
// else it covers, the request's authority and path for instance, is in
// [Verified]. The errors are those of VerifyRequest.
func (v *Verifier) VerifyResponse(ctx context.Context, resp *Response) (Verified, error) {
	required := []string{"@status"}
	if len(resp.Body) > 0 {
		required = append(required, "content-digest", "content-type")
	}
	return v.verify(ctx, &verification{
		message:  message{request: resp.Request, response: resp},
		header:   resp.Header,
		body:     resp.Body,
		required: required,
	})
}

// verification is the check of one message.
type verification struct {
	message
	header   http.Header
	body     []byte
	required []string // names of components that a signature must cover

	refreshed     bool // the key source was asked to refresh
	digestChecked bool
	digestFault   error
}

// verify tries the signatures of a message in their order.
func (v *Verifier) verify(ctx context.Context, m *verification) (Verified, error) {
	candidates, err := parseSignatures(m.header)
	if err != nil {
		return Verified{}, err
	}
	var refusal *Error
	for i := range candidates {
		c := &candidates[i]
		key, err := v.check(ctx, m, c)
		if err == nil {
			return c.verified(key), nil
		}
		var fault *Error
		if !errors.As(err, &fault) {
			return Verified{}, err
		}
		if refusal == nil || fault.stage > refusal.stage {
			refusal = fault
		}
	}
	return Verified{}, refusal
}

func (c *candidate) verified(key Key) Verified {
	out := Verified{Label: c.label, Key: key, Created: c.created, Expires: c.expires, Tag: c.tag}
	for i := range c.components {
		out.Components = append(out.Components, c.components[i].id)
	}
	return out
}

// check takes one signature through the steps of the specification, in its
// order.
func (v *Verifier) check(ctx context.Context, m *verification, c *candidate) (Key, error) {
	if c.fault != nil {
		return Key{}, c.fault
	}
	if c.tag != "" && c.tag != tagWebBotAuth {
		return Key{}, c.refuse(stageParse, SignatureInvalid, "its tag is for a purpose unknown here", nil)
	}
	key, err := v.findKey(ctx, m, c)
	if err != nil {
		return Key{}, err
	}
	if c.alg != "" && c.alg != key.algorithm.registered() {
		return Key{}, c.refuse(stageAlgorithm, AlgorithmUnsupported, "its alg parameter does not fit the key; UCP leaves alg out", nil)
	}
	for _, name := range m.required {
		if !c.covers(name) {
			return Key{}, c.refuse(stageCoverage, SignatureInvalid, fmt.Sprintf("it does not cover %s", name), nil)
		}
	}
	if err := c.checkTimes(v.Now()); err != nil {
		return Key{}, err
	}
	if c.covers("content-digest") {
		if err := m.checkDigest(c); err != nil {
			return Key{}, err
		}
	}
	base, err := signatureBase(m.message, c.components, c.params)
	if err != nil {
		return Key{}, c.refuse(stageBase, SignatureInvalid, "its signature base cannot be built", err)
	}
	if len(c.signature) != rawSize {
		reason := fmt.Sprintf("the signature has %d bytes instead of %d", len(c.signature), rawSize)
		if key.algorithm == ES256 && isDER(c.signature) {
			reason = "the signature is ASN.1 DER; raw r||s of 64 bytes is required (RFC 9421 section 3.3.4)"
		}
		return Key{}, c.refuse(stageSignature, SignatureInvalid, reason, nil)
	}
	if !key.verify(base, c.signature) {
		return Key{}, c.refuse(stageSignature, SignatureInvalid, "the signature does not verify", nil)
	}
	return key, nil
}

// findKey finds a usable key for a candidate, looking past the source's cache
// once per message.
func (v *Verifier) findKey(ctx context.Context, m *verification, c *candidate) (Key, error) {
	if c.keyID == "" {
		return Key{}, c.refuse(stageKey, KeyNotFound, "it names no keyid", nil)
	}
	keys, err := v.Keys(ctx, c.keyID, false)
	if err != nil {
		return Key{}, fmt.Errorf("finding the signer's keys: %w", err)
	}
	key, found := selectKey(keys, c.keyID)
	if !found && !m.refreshed {
		m.refreshed = true
		if keys, err = v.Keys(ctx, c.keyID, true); err != nil {
			return Key{}, fmt.Errorf("refreshing the signer's keys: %w", err)
		}
		key, found = selectKey(keys, c.keyID)
	}
	switch {
	case !found:
		return Key{}, c.refuse(stageKey, KeyNotFound, "the signer has not published the key", nil)
	case key.algorithm == "":
		return Key{}, c.refuse(stageAlgorithm, key.faultCode, key.fault, nil)
	case c.tag == tagWebBotAuth && c.keyID != key.thumbprint:
		return Key{}, c.refuse(stageKey, SignatureInvalid, "its keyid is not the key's RFC 7638 thumbprint, which web-bot-auth demands", nil)
	}
	return key, nil
}

// selectKey finds a key by its kid. Should several have it, a usable one is
// taken.
func selectKey(keys []Key, id string) (key Key, found bool) {
	for _, k := range keys {
		if k.id == id && (!found || key.algorithm == "") {
			key, found = k, true
		}
	}
	return key, found
}

// covers says whether a signature covers the whole of a component of the
// target message. Of Signature-Agent it is enough to cover the member that
// belongs to the signature, as Web Bot Auth wants it.
func (c *candidate) covers(name string) bool {
	for i := range c.components {
		covered := &c.components[i]
		if covered.name != name || covered.req {
			continue
		}
		if !covered.hasKey || name == "signature-agent" && covered.key == c.label {
			return true
		}
	}
	return false
}

func (c *candidate) checkTimes(now time.Time) error {
	switch {
	case c.created.After(now.Add(clockSkew)):
		return c.refuse(stageTime, SignatureInvalid, "it was created in the future", nil)
	case !c.expires.IsZero() && now.After(c.expires.Add(clockSkew)):
		return c.refuse(stageTime, SignatureInvalid, "it has expired", nil)
	}
	return nil
}

// checkDigest compares the body with its digest, once per message.
func (m *verification) checkDigest(c *candidate) error {
	if !m.digestChecked {
		m.digestChecked = true
		m.digestFault = VerifyDigest(m.header["Content-Digest"], m.body)
	}
	if m.digestFault != nil {
		return c.refuse(stageDigest, DigestMismatch, "its content-digest is not that of the body", m.digestFault)
	}
	return nil
}

func (c *candidate) refuse(at stage, code Code, reason string, cause error) error {
	return &Error{Code: code, Label: c.label, KeyID: c.keyID, Reason: reason, Err: cause, stage: at}
}
