package caddymodule

import (
	"encoding/json"
	"fmt"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

func init() {
	caddy.RegisterModule(new(RulesReader))
}

// QuestionReader is what a reader module opens: it reads the questions that agents
// ask for shoppers. Its method must be safe for concurrent use.
type QuestionReader = reading.Reader

// ReaderModule is what a guest module in the namespace storeware.readers
// implements.
type ReaderModule interface {
	caddy.Module

	// OpenReader returns the reader. It is opened when a configuration is
	// provisioned, so that opening it calls nothing. If it has a method Close(),
	// that is called once the configuration is not used any more.
	OpenReader(o ReaderOptions) (QuestionReader, error)
}

// ReaderOptions are what a reader is given beside its configuration.
type ReaderOptions struct {
	// Rules is the reader by rules, which never fails, for the questions that
	// another one fails at.
	Rules QuestionReader
	// Observe is told of every question what became of it: nil, or why the reader
	// failed. It must be called for the metrics to be complete, and may be called
	// from any goroutine.
	Observe func(error)
}

// RulesReader reads questions by rules: at once, with no network, and always in the
// same way. It is the reader of a configuration that names none.
type RulesReader struct{}

// CaddyModule returns the Caddy module information.
func (*RulesReader) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.readers.rules",
		New: func() caddy.Module { return new(RulesReader) },
	}
}

// OpenReader returns the reader.
func (*RulesReader) OpenReader(o ReaderOptions) (QuestionReader, error) { return o.Rules, nil }

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	rules
func (*RulesReader) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	if err := nothingElse(d); err != nil {
		return err
	}
	if d.NextBlock(0) {
		return d.Errf("reader rules has no setting %q: it has none at all", d.Val())
	}
	return nil
}

// readReader reads which reader it is.
func (h *Handler) readReader(d *caddyfile.Dispenser) (err error) {
	h.ReaderRaw, err = readGuest(d, guest{
		namespace: "storeware.readers", inlineKey: "module", noun: "reader", example: "reader rules",
	})
	return err
}

// loadReader loads the guest module and opens it.
func (h *Handler) loadReader(ctx caddy.Context) error {
	var module any
	var err error
	if h.ReaderRaw == nil {
		module, err = ctx.LoadModuleByID("storeware.readers.rules", json.RawMessage("{}"))
	} else {
		module, err = ctx.LoadModule(h, "ReaderRaw")
	}
	if err != nil {
		return fmt.Errorf("loading the reader: %w", err)
	}
	reader, ok := module.(ReaderModule)
	if !ok {
		return fmt.Errorf("%T is no reader", module)
	}
	h.reader, err = reader.OpenReader(ReaderOptions{
		Rules: reading.NewRules(), Observe: metrics.reading(h.Name, reader.CaddyModule().ID.Name()),
	})
	return err
}

// closeReader ends what the reader has begun.
func (h *Handler) closeReader() {
	if c, ok := h.reader.(interface{ Close() }); ok {
		c.Close()
	}
}

// Interface guards
var (
	_ ReaderModule          = (*RulesReader)(nil)
	_ caddyfile.Unmarshaler = (*RulesReader)(nil)
)
