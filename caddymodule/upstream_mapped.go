package caddymodule

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/mapped"
)

func init() {
	caddy.RegisterModule(new(Mapped))
}

// Mapped is any shop with a JSON API, spoken to as a mapping says. Global
// placeholders such as {env.*} are replaced in url and mapping_file; the mapping
// itself may hold {env.NAME} where package upstream/mapped has it.
type Mapped struct {
	// URL is where the shop's API is, such as http://127.0.0.1:3000. It may be
	// empty if the mapping has the word api.
	URL string `json:"url,omitempty"`

	// MappingFile is the file with the mapping. It is read when the configuration
	// is loaded: after a change, reload.
	MappingFile string `json:"mapping_file,omitempty"`

	// Mapping is the mapping itself, in place of a file.
	Mapping *mapped.Mapping `json:"mapping,omitempty"`

	Connection
}

// CaddyModule returns the Caddy module information.
func (*Mapped) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.upstreams.mapped",
		New: func() caddy.Module { return new(Mapped) },
	}
}

// Provision replaces placeholders and reads the file, so that what it holds is
// among the fields that tell one shop from another.
func (m *Mapped) Provision(caddy.Context) error {
	if err := errors.Join(replace("url", &m.URL), replace("mapping_file", &m.MappingFile)); err != nil {
		return err
	}
	switch {
	case m.MappingFile == "":
		return nil
	case m.Mapping != nil:
		return errors.New("there is a mapping and a mapping_file: leave one out")
	}
	var err error
	m.Mapping, err = readMapping(m.MappingFile)
	return err
}

// readMapping reads the file of a mapping. What is wrong in it is told with the
// file's name and line.
func readMapping(file string) (*mapped.Mapping, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("reading the mapping: %w", err)
	}
	mapping, err := mapped.Parse(file, string(text))
	if err != nil && !hasLine(err) {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return mapping, err
}

// hasLine reports whether the fault of a mapping says where it is. What is missing
// is nowhere.
func hasLine(err error) bool {
	var fault *mapped.Fault
	return errors.As(err, &fault) && fault.At.Line > 0
}

// Validate checks all that can be checked without the shop.
func (m *Mapped) Validate() error {
	shop, err := m.open(UpstreamOptions{})
	if err != nil {
		return err
	}
	shop.Close()
	return nil
}

// OpenShop returns the shop.
func (m *Mapped) OpenShop(o UpstreamOptions) (upstream.Shop, error) { return m.open(o) }

func (m *Mapped) open(o UpstreamOptions) (*mapped.Shop, error) {
	config := mapped.Config{Client: m.client(o), Mapping: m.Mapping, Env: os.LookupEnv}
	config.Client.Now = time.Now
	if m.URL != "" {
		var err error
		if config.Client.BaseURL, err = shopURL(m.URL); err != nil {
			return nil, err
		}
	}
	return mapped.New(config)
}

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	mapped [<url>] [<mapping file>] {
//		mapping <file>
//		mapping {
//			<a whole mapping>
//		}
//		timeout        <duration>
//		max_concurrent <number>
//	}
//
// The mapping must stand in one of the three places. Without a URL the shop is
// where the mapping says with the word api.
func (m *Mapped) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	const example = "http://127.0.0.1:3000"
	noMapping := d.Err("the mapping is missing: write its file, as in upstream mapped " + example + " /etc/storeware/shop.map, or mapping and a block in the block of upstream mapped")
	noURL := d.Err("the URL of the shop is missing: write, for instance, upstream mapped " + example + ", or api " + example + " in the mapping")
	args := d.RemainingArgs()
	// A file is no URL, and a placeholder alone is taken for one.
	if len(args) > 1 || len(args) == 1 && (strings.Contains(args[0], "://") || strings.HasPrefix(args[0], "{")) {
		m.URL, args = args[0], args[1:]
		if err := checkShopURL(d, "mapped", m.URL, example); err != nil {
			return err
		}
	}
	switch len(args) {
	case 0:
	case 1:
		m.MappingFile = args[0]
	default:
		return d.Errf("unexpected %q after %q: the shop's URL and the mapping's file are all that stands on this line", args[1], args[0])
	}
	if err := readBlock(d, "upstream mapped", m.settings(settings{"mapping": {read: m.readMapping}})); err != nil {
		return err
	}
	switch {
	case m.Mapping == nil && m.MappingFile == "":
		return noMapping
	case m.URL == "" && m.Mapping != nil && m.Mapping.API == "":
		return noURL
	}
	return nil
}

// readMapping reads the word mapping: a file, or the block that it opens.
func (m *Mapped) readMapping(d *caddyfile.Dispenser) error {
	if m.MappingFile != "" {
		return d.Errf("there are two mappings: remove this one, or the file %s after upstream mapped", m.MappingFile)
	}
	segment := d.NextSegment()
	switch {
	case len(segment) == 1:
		return d.Err("mapping needs a file, such as mapping /etc/storeware/shop.map, or a block with a mapping in it")
	case segment[1].Text != "{" || segment[1].Quoted():
		m.MappingFile = segment[1].Text
		if len(segment) > 2 {
			return d.Errf("unexpected %q after %q: a mapping stands in a file or in a block", segment[2].Text, m.MappingFile)
		}
		return nil
	}
	tokens, err := mappingTokens(segment[2 : len(segment)-1])
	if err != nil {
		return err
	}
	if m.Mapping, err = mapped.ParseTokens(tokens); err != nil && !hasLine(err) {
		return d.WrapErr(err)
	}
	return err
}

// mappingTokens are the tokens of a block as a mapping has them.
func mappingTokens(block []caddyfile.Token) ([]mapped.Token, error) {
	tokens := make([]mapped.Token, 0, len(block))
	for _, token := range block {
		at := mapped.Position{File: token.File, Line: token.Line}
		// Which only Caddy writes, for its short names such as {path} and {query}.
		if start := strings.Index(token.Text, "{http."); start >= 0 {
			name, _, _ := strings.Cut(token.Text[start:], "}")
			return nil, &mapped.Fault{At: at, Text: "Caddy takes a name in braces here for its own " + name + "}: write the mapping into a file, where it is the mapping's"}
		}
		tokens = append(tokens, mapped.Token{Text: token.Text, At: at, Quoted: token.Quoted()})
	}
	return tokens, nil
}

// Interface guards
var (
	_ Upstream              = (*Mapped)(nil)
	_ caddy.Provisioner     = (*Mapped)(nil)
	_ caddy.Validator       = (*Mapped)(nil)
	_ caddyfile.Unmarshaler = (*Mapped)(nil)
)
