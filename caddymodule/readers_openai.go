package caddymodule

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"go.uber.org/zap"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/openai"
)

func init() {
	caddy.RegisterModule(new(OpenAIReader))
}

// OpenAIReader reads questions with a language model behind an OpenAI-compatible
// endpoint for chat completions that answers with JSON by a schema, such as
// OpenAI's own, vLLM, llama.cpp or Ollama. It is sent the words of the question and
// nothing else. What it claims is held against them: a number that was not said,
// or a property that was neither said nor recorded, makes the whole answer void.
// Global placeholders such as {env.*} are replaced in all texts.
type OpenAIReader struct {
	// BaseURL is where the endpoint is, up to and with its version, such as
	// https://api.openai.com/v1.
	BaseURL string `json:"base_url,omitempty"`

	// Model is the model's name there.
	Model string `json:"model,omitempty"`

	// APIKey is sent as bearer token. An endpoint on one's own machine may need
	// none. Use a placeholder.
	APIKey string `json:"api_key,omitempty"`

	// Timeout bounds how long reading one question may take. The default is 3s.
	Timeout caddy.Duration `json:"timeout,omitempty"`

	// MaxFailures is after how many failures in a row the endpoint is left alone
	// for the length of Pause. The defaults are 3 and 30s.
	MaxFailures int            `json:"max_failures,omitempty"`
	Pause       caddy.Duration `json:"pause,omitempty"`

	// OnFailure says what becomes of questions that the model does not read, or
	// not truly: "rules", the default, reads them by rules; "degraded" answers
	// that their constraints could not be read.
	OnFailure string `json:"on_failure,omitempty"`

	logger *zap.Logger
}

// What becomes of questions that a model does not read.
const (
	onFailureRules    = "rules"
	onFailureDegraded = "degraded"
)

// mostFailures bounds MaxFailures.
const mostFailures = 100

// CaddyModule returns the Caddy module information.
func (*OpenAIReader) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "storeware.readers.openai",
		New: func() caddy.Module { return new(OpenAIReader) },
	}
}

// Provision replaces placeholders.
func (o *OpenAIReader) Provision(ctx caddy.Context) error {
	o.logger = ctx.Logger()
	return errors.Join(replace("base_url", &o.BaseURL), replace("model", &o.Model), replace("api_key", &o.APIKey))
}

// Validate checks all that can be checked without the endpoint.
func (o *OpenAIReader) Validate() error {
	if err := checkModelURL(o.BaseURL); err != nil {
		return err
	}
	switch {
	case o.Model == "":
		return errors.New("the model is missing")
	case o.Timeout < 0 || o.Pause < 0:
		return errors.New("a duration is negative")
	case o.MaxFailures < 0 || o.MaxFailures > mostFailures:
		return fmt.Errorf("max_failures %d: they are 1 to %d", o.MaxFailures, mostFailures)
	case o.OnFailure != "" && o.OnFailure != onFailureRules && o.OnFailure != onFailureDegraded:
		return fmt.Errorf("on_failure %q: it is %s or %s", o.OnFailure, onFailureRules, onFailureDegraded)
	}
	return nil
}

// checkModelURL returns an error unless text is a base URL of an endpoint.
func checkModelURL(text string) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
		return errors.New("the base URL of the model's endpoint is missing")
	case err == nil && u.User != nil:
		return errors.New("the base URL holds credentials, which would appear in logs")
	case err != nil || !isWeb(u):
		return fmt.Errorf("%q is no URL that begins with https:// or http://", text)
	case u.RawQuery != "" || u.Fragment != "":
		return fmt.Errorf("%q must end with its path", text)
	}
	return nil
}

// How many calls of an endpoint run at once, and how long an unused connection is
// kept. Questions beyond wait for their turn, as long as their timeout lasts.
const (
	modelConnections = 32
	modelIdle        = 90 * time.Second
)

// OpenReader returns the reader.
func (o *OpenAIReader) OpenReader(options ReaderOptions) (QuestionReader, error) {
	connections := &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true,
		MaxConnsPerHost: modelConnections, MaxIdleConnsPerHost: modelConnections, IdleConnTimeout: modelIdle,
	}
	model, err := openai.New(openai.Config{
		Endpoint: o.BaseURL, Model: o.Model, Key: secret.New(o.APIKey),
		Timeout: time.Duration(o.Timeout), Failures: o.MaxFailures, Pause: time.Duration(o.Pause),
		HTTP: &http.Client{
			Transport: connections,
			// The key and the words go where the operator said and nowhere else.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	})
	if err != nil {
		return nil, err
	}
	reader := modelReader{connections: connections}
	reader.Reader = model
	if o.OnFailure != onFailureDegraded {
		reader.Instead = options.Rules
	}
	reader.Observe = func(err error) {
		options.Observe(err)
		o.log(err)
	}
	return reader, nil
}

// log writes down why a question was not read. Of an endpoint that is left alone
// for a while this was said.
func (o *OpenAIReader) log(err error) {
	switch {
	case err == nil:
	case errors.Is(err, openai.ErrPaused):
		o.logger.Debug("the model is not asked", zap.Error(err))
	default:
		o.logger.Warn("the model did not read a question", zap.Error(err))
	}
}

// modelReader is a reader with the connections that it holds.
type modelReader struct {
	reading.Fallback
	connections *http.Transport
}

// Close closes the connections.
func (r modelReader) Close() { r.connections.CloseIdleConnections() }

// UnmarshalCaddyfile sets the module up from Caddyfile tokens. Syntax:
//
//	openai {
//		base_url     <url>
//		model        <name>
//		api_key      <key>
//		timeout      <duration>
//		max_failures <number>
//		pause        <duration>
//		on_failure   rules|degraded
//	}
//
// The first two must be there.
func (o *OpenAIReader) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the module's name
	const example = "base_url https://api.openai.com/v1"
	noURL := d.Errf("reader openai needs to know where the model is: write, for instance, %s in its block", example)
	noModel := d.Err("reader openai needs a model: write, for instance, model gpt-4.1-mini in its block")
	err := readBlock(d, "reader openai", settings{
		"base_url":     {read: func(d *caddyfile.Dispenser) error { return readModelURL(d, &o.BaseURL, example) }},
		"model":        textSetting(&o.Model, "the name of a model, such as model gpt-4.1-mini"),
		"api_key":      secretSetting(&o.APIKey, "OPENAI_API_KEY"),
		"timeout":      durationSetting(&o.Timeout),
		"max_failures": numberSetting(&o.MaxFailures, 1, mostFailures),
		"pause":        durationSetting(&o.Pause),
		"on_failure":   {read: o.readOnFailure},
	})
	switch {
	case err != nil:
		return err
	case o.BaseURL == "":
		return noURL
	case o.Model == "":
		return noModel
	}
	return nil
}

func readModelURL(d *caddyfile.Dispenser, to *string, example string) error {
	if err := textSetting(to, "the URL of an endpoint, such as "+example).read(d); err != nil {
		return err
	}
	if placeholder.MatchString(*to) {
		return nil
	}
	if err := checkModelURL(*to); err != nil {
		return d.Errf("%w: write, for instance, %s", err, example)
	}
	return nil
}

func (o *OpenAIReader) readOnFailure(d *caddyfile.Dispenser) error {
	const hint = onFailureRules + ", which reads the question by rules, or " + onFailureDegraded + ", which answers that it could not be read"
	if err := textSetting(&o.OnFailure, hint).read(d); err != nil {
		return err
	}
	if o.OnFailure != onFailureRules && o.OnFailure != onFailureDegraded {
		return d.Errf("there is no on_failure %q: write %s", o.OnFailure, hint)
	}
	return nil
}

// Interface guards
var (
	_ ReaderModule          = (*OpenAIReader)(nil)
	_ caddy.Provisioner     = (*OpenAIReader)(nil)
	_ caddy.Validator       = (*OpenAIReader)(nil)
	_ caddyfile.Unmarshaler = (*OpenAIReader)(nil)
)
