package httpsig

import (
	"cmp"
	"fmt"
	"time"

	"github.com/dunglas/httpsfv"
)

// RequestOptions say how a request is signed. The zero value signs as UCP
// wants it.
type RequestOptions struct {
	Label      string        // "sig1" when empty
	Components []string      // what to cover, in order; RequiredComponents when nil
	Lifetime   time.Duration // adds "expires", this long after "created"; none when zero
	Nonce      string        // added when not empty
	Tag        string        // added when not empty
}

// RequiredComponents lists what UCP wants a signature of r to cover
// (signatures.md, "Signed Components"): the target, each of a closed set of
// fields that r has, and the body where there is one. A component that needs
// parameters is written as it stands in Signature-Input, for instance
// `"signature-agent";key="sig1"`.
func RequiredComponents(r *Request) []string {
	required := []string{"@method", "@authority", "@path"}
	if r.hasQuery() {
		required = append(required, "@query")
	}
	for _, field := range []string{"ucp-agent", "signature-agent", "idempotency-key"} {
		if len(r.Header.Values(field)) > 0 {
			required = append(required, field)
		}
	}
	if len(r.Body) > 0 {
		required = append(required, "content-digest", "content-type")
	}
	return required
}

// SignRequest adds a signature to r, and the Content-Digest of a body. Other
// signatures that r has already stay.
func (s *Signer) SignRequest(r *Request, options RequestOptions) error {
	if err := s.signRequest(r, options); err != nil {
		return fmt.Errorf("signing a request: %w", err)
	}
	return nil
}

func (s *Signer) signRequest(r *Request, options RequestOptions) error {
	if len(r.Body) > 0 {
		setOne(r.Header, "Content-Digest", ContentDigest(r.Body))
	}
	list, err := s.requestParams(r, options)
	if err != nil {
		return err
	}
	params, err := httpsfv.Marshal(list)
	if err != nil {
		return fmt.Errorf("serializing the parameters: %w", err)
	}
	components, err := parseComponents(list.Items)
	if err != nil {
		return err
	}
	base, err := signatureBase(message{request: r}, components, params)
	if err != nil {
		return err
	}
	raw, err := s.sign(base)
	if err != nil {
		return err
	}
	label := cmp.Or(options.Label, "sig1")
	inputs, err := addMember(r.Header["Signature-Input"], label, list)
	if err != nil {
		return fmt.Errorf("the Signature-Input field: %w", err)
	}
	signatures, err := addMember(r.Header["Signature"], label, httpsfv.NewItem(raw[:]))
	if err != nil {
		return fmt.Errorf("the Signature field: %w", err)
	}
	setOne(r.Header, "Signature-Input", inputs)
	setOne(r.Header, "Signature", signatures)
	return nil
}

// requestParams is the Signature-Input member for the options.
func (s *Signer) requestParams(r *Request, options RequestOptions) (httpsfv.InnerList, error) {
	names := options.Components
	if names == nil {
		names = RequiredComponents(r)
	}
	list := httpsfv.InnerList{Params: httpsfv.NewParams()}
	for _, name := range names {
		item := httpsfv.NewItem(name)
		if len(name) > 0 && name[0] == '"' {
			var err error
			if item, err = httpsfv.UnmarshalItem([]string{name}); err != nil {
				return list, fmt.Errorf("component %s: %w", name, err)
			}
		}
		list.Items = append(list.Items, item)
	}
	created := s.now()
	list.Params.Add("created", created.Unix())
	if options.Lifetime > 0 {
		list.Params.Add("expires", created.Add(options.Lifetime).Unix())
	}
	list.Params.Add("keyid", s.id)
	if options.Nonce != "" {
		list.Params.Add("nonce", options.Nonce)
	}
	if options.Tag != "" {
		list.Params.Add("tag", options.Tag)
	}
	return list, nil
}

// addMember puts a member behind those that a dictionary field has already.
func addMember(lines []string, label string, member httpsfv.Member) (string, error) {
	dict, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return "", err
	}
	if _, taken := dict.Get(label); taken {
		return "", fmt.Errorf("the label %q is taken", label)
	}
	dict.Add(label, member)
	return httpsfv.Marshal(dict)
}
