package httpsig

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/dunglas/httpsfv"
)

// Signer signs messages with one private key. It is safe for concurrent use.
type Signer struct {
	// sign signs a signature base. The key is out of sight in a closure, where
	// no printer can find it.
	sign   func(base []byte) ([rawSize]byte, error)
	id     string // the kid
	quoted string // the kid as a structured string
	now    func() time.Time
}

// NewSigner takes an *ecdsa.PrivateKey on P-256 or an ed25519.PrivateKey, the
// kid it is published under and the clock for "created".
func NewSigner(key crypto.Signer, keyID string, now func() time.Time) (*Signer, error) {
	if _, err := algorithmOf(key.Public()); err != nil {
		return nil, fmt.Errorf("making a signer: %w", err)
	}
	quoted, err := httpsfv.Marshal(httpsfv.NewItem(keyID))
	if err != nil || keyID == "" || len(keyID) > maxKeyID {
		return nil, fmt.Errorf("making a signer: the key id %q is not 1 to %d visible ASCII characters", keyID, maxKeyID)
	}
	s := &Signer{id: keyID, quoted: quoted, now: now}
	switch key := key.(type) {
	case *ecdsa.PrivateKey:
		s.sign = func(base []byte) ([rawSize]byte, error) { return signES256(key, base) }
	case ed25519.PrivateKey:
		s.sign = func(base []byte) ([rawSize]byte, error) { return [rawSize]byte(ed25519.Sign(key, base)), nil }
	default:
		return nil, fmt.Errorf("making a signer: a %T is not a private key in memory", key)
	}
	return s, nil
}

// KeyID is the kid that the signer's key is published under.
func (s *Signer) KeyID() string { return s.id }

// line is one component of a response with its value.
type line struct{ id, value string }

// SignResponse signs resp twice, as the package comment explains, and sets
// Content-Digest, Signature-Input and Signature in its header, replacing what
// was there. Status, body and Content-Type must be final. Of the request only
// Scheme, Authority and Target are used.
func (s *Signer) SignResponse(resp *Response) error {
	if err := s.signResponse(resp); err != nil {
		return fmt.Errorf("signing a response: %w", err)
	}
	return nil
}

func (s *Signer) signResponse(resp *Response) error {
	lines, err := responseLines(resp)
	if err != nil {
		return err
	}
	w := writers.Get().(*writer)
	defer writers.Put(w)
	w.input = append(w.input[:0], "sig1="...)
	w.signature = append(w.signature[:0], "sig1="...)
	created := s.now().Unix()
	if err := s.signLines(w, lines, created); err != nil {
		return err
	}
	w.input = append(w.input, ", sig2="...)
	w.signature = append(w.signature, ", sig2="...)
	lines[1].id, lines[2].id = `"@authority";req`, `"@path";req`
	if err := s.signLines(w, lines, created); err != nil {
		return err
	}
	setOne(resp.Header, "Signature-Input", string(w.input))
	setOne(resp.Header, "Signature", string(w.signature))
	return nil
}

// responseLines gives the components of sig1 and sets Content-Digest.
func responseLines(resp *Response) ([]line, error) {
	if resp.Request == nil {
		return nil, errors.New("the request it answers is not at hand")
	}
	if resp.Status < 100 || resp.Status > 999 {
		return nil, fmt.Errorf("status %d does not have three digits", resp.Status)
	}
	lines := append(make([]line, 0, 5),
		line{`"@status"`, strconv.Itoa(resp.Status)},
		line{`"@authority"`, resp.Request.authority()},
		line{`"@path"`, resp.Request.path()},
	)
	if len(resp.Body) == 0 {
		// Content-Type stays out too: net/http drops it from a 304.
		resp.Header.Del("Content-Digest")
	} else {
		contentType := combined(resp.Header["Content-Type"])
		if contentType == "" {
			return nil, errors.New("it has a body and no Content-Type, which UCP wants covered")
		}
		digest := ContentDigest(resp.Body)
		setOne(resp.Header, "Content-Digest", digest)
		lines = append(lines, line{`"content-digest"`, digest}, line{`"content-type"`, contentType})
	}
	for _, l := range lines {
		if !signable(l.value) {
			return nil, fmt.Errorf("component %s has characters that cannot be signed", l.id)
		}
	}
	return lines, nil
}

// writer holds what is being written while a response is signed.
type writer struct{ base, input, signature []byte }

// writers are reused. They grow as long as the paths of requests, which a server
// bounds.
var writers = sync.Pool{New: func() any { return new(writer) }}

// signLines appends one member's worth to both fields: the signature
// parameters, and the signature over lines.
func (s *Signer) signLines(w *writer, lines []line, created int64) error {
	start := len(w.input)
	w.input = append(w.input, '(')
	w.base = w.base[:0]
	for i, l := range lines {
		if i > 0 {
			w.input = append(w.input, ' ')
		}
		w.input = append(w.input, l.id...)
		w.base = appendLine(w.base, l.id, l.value)
	}
	w.input = append(w.input, ");created="...)
	w.input = strconv.AppendInt(w.input, created, 10)
	w.input = append(w.input, ";keyid="...)
	w.input = append(w.input, s.quoted...)
	w.base = appendParamsLine(w.base, w.input[start:])
	raw, err := s.sign(w.base)
	if err != nil {
		return err
	}
	w.signature = append(w.signature, ':')
	w.signature = base64.StdEncoding.AppendEncode(w.signature, raw[:])
	w.signature = append(w.signature, ':')
	return nil
}

// setOne sets a field by its canonical name.
func setOne(header http.Header, name, value string) { header[name] = []string{value} }
