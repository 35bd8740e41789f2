package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// The defaults of a [Config].
const (
	DefaultTimeout  = 3 * time.Second
	DefaultFailures = 3
	DefaultPause    = 30 * time.Second
)

// Why a question was not read.
var (
	// ErrPaused: the endpoint failed often and is not asked for now.
	ErrPaused = errors.New("the endpoint is left alone after failures")
	// ErrUnavailable: the endpoint gave no answer, or none in time.
	ErrUnavailable = errors.New("the endpoint gave no answer")
	// ErrAnswer: the answer is not what was asked for.
	ErrAnswer = errors.New("the answer is not of the form that was asked for")
	// ErrInvented: the answer claims what was not said.
	ErrInvented = errors.New("the answer claims what was not said")
)

// Config is how the endpoint is reached. Endpoint, Model and HTTP are needed.
type Config struct {
	// Endpoint is the base URL, such as https://api.example.com/v1.
	Endpoint string
	Model    string
	// Key is sent as bearer token, unless it is empty.
	Key  secret.String
	HTTP *http.Client
	// Clock is time.Now when nil.
	Clock func() time.Time
	// Timeout bounds one call.
	Timeout time.Duration
	// After Failures in a row nothing is asked for the length of Pause.
	Failures int
	Pause    time.Duration
}

// Reader reads questions. It is safe for concurrent use.
type Reader struct {
	config  Config
	url     string
	rules   *reading.Rules
	breaker breaker
}

var _ reading.Reader = (*Reader)(nil)

// New returns a reader. The error says what is wrong with the configuration.
func New(c Config) (*Reader, error) {
	base, err := url.Parse(c.Endpoint)
	switch {
	case err != nil:
		return nil, fmt.Errorf("the base URL of the endpoint: %w", err)
	case base.Scheme != "https" && base.Scheme != "http" || base.Host == "":
		return nil, errors.New("the base URL of the endpoint must begin with https:// or http://")
	case c.Model == "":
		return nil, errors.New("the model is missing")
	case c.HTTP == nil:
		return nil, errors.New("the HTTP client is missing")
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	if c.Failures <= 0 {
		c.Failures = DefaultFailures
	}
	if c.Pause <= 0 {
		c.Pause = DefaultPause
	}
	return &Reader{
		config: c, url: base.JoinPath("chat", "completions").String(), rules: reading.NewRules(),
		breaker: breaker{failures: c.Failures, pause: c.Pause},
	}, nil
}

// Read implements reading.Reader. Its errors are ErrPaused, ErrUnavailable,
// ErrAnswer and ErrInvented, or that of a context that has ended. Only questions
// with words are sent.
func (r *Reader) Read(ctx context.Context, question reading.Question) (reading.Reading, error) {
	if err := ctx.Err(); err != nil {
		return reading.Reading{}, err
	}
	words := question.Text()
	if words == "" {
		return reading.Complete(question, nil, nil, ""), nil
	}
	if !r.breaker.allow(r.config.Clock()) {
		return reading.Reading{}, ErrPaused
	}
	read, err := r.read(ctx, question, words)
	switch {
	case err == nil:
		r.breaker.succeeded()
	case ctx.Err() != nil:
		// The caller gave up, which says nothing about the endpoint.
		r.breaker.abandoned()
		return reading.Reading{}, ctx.Err()
	default:
		r.breaker.failed(r.config.Clock())
	}
	return read, err
}

func (r *Reader) read(ctx context.Context, question reading.Question, words string) (reading.Reading, error) {
	ctx, cancel := context.WithTimeout(ctx, r.config.Timeout)
	defer cancel()
	content, err := r.complete(ctx, words)
	if err != nil {
		return reading.Reading{}, err
	}
	claim, err := parse(content)
	if err != nil {
		return reading.Reading{}, err
	}
	check := checker{rules: r.rules, question: question, words: words, language: claim.Language}
	passes, err := check.passes(claim.Passes)
	if err != nil {
		return reading.Reading{}, err
	}
	for _, context := range claim.Context {
		if err := check.quoted(context); err != nil {
			return reading.Reading{}, err
		}
	}
	return reading.Complete(question, passes, claim.Context, claim.Language), nil
}
