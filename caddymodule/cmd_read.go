package caddymodule

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/reading/vocabulary"
	"github.com/storeware/caddy-storeware/upstream"
	"github.com/storeware/caddy-storeware/upstream/demo"
)

func readCommand() caddycmd.Command {
	return caddycmd.Command{
		Name:  "read",
		Usage: "<question> [--shop <name> | --catalogue <file>] [--language <tag>] [--json] | --jsonl",
		Short: "Shows what would be understood of a question",
		Long: `
Shows what would be understood of a shopper's question: what is searched for, and
which prices, attributes and denials are read from the words.

With --shop it is read as that shop of a running Caddy would, with the words of its
catalogue; with --catalogue, with those of a file, which has a product in each line
as the demo's catalogues have. With neither, only what is general is known.

With --jsonl it reads many questions from standard input, a JSON object with "id" and
"query" (and "lang") in each line, and prints a line for each.
`,
		CobraFunc: func(cmd *cobra.Command) {
			var c readCall
			flags := cmd.Flags()
			flags.StringVar(&c.shop, "shop", "", "Name of a shop of the running Caddy")
			flags.StringVar(&c.catalogue, "catalogue", "", "File with products, one JSON object in each line")
			flags.StringVar(&c.language, "language", "", "Language of the question, such as de")
			flags.StringVar(&c.currency, "currency", "GBP", "Currency of amounts that name none")
			flags.BoolVar(&c.json, "json", false, "Print JSON")
			flags.BoolVar(&c.many, "jsonl", false, "Read many questions from standard input")
			adminFlags(cmd, "turn admin on, if only at a socket (admin unix//run/caddy.sock), or leave out --shop")
			cmd.Args = cobra.MaximumNArgs(1)
			cmd.RunE = c.run
		},
	}
}

// readCall is a call of the command.
type readCall struct {
	shop, catalogue, language, currency string
	json, many                          bool
}

func (c *readCall) run(cmd *cobra.Command, args []string) error {
	if c.many != (len(args) == 0) {
		return errors.New("give one question, in quotation marks, or --jsonl and many on standard input")
	}
	read, err := c.reader(cmd)
	if err != nil {
		return err
	}
	if c.many {
		return readMany(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), c.language, read)
	}
	answer, err := read(cmd.Context(), args[0], c.language)
	if err != nil {
		return err
	}
	if c.json {
		return printJSON(cmd.OutOrStdout(), answer)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), answer.text())
	return err
}

// reader returns what reads a question.
func (c *readCall) reader(cmd *cobra.Command) (func(ctx context.Context, question, language string) (Reading, error), error) {
	if c.shop != "" {
		return func(_ context.Context, question, language string) (answer Reading, err error) {
			body, err := json.Marshal(map[string]string{"question": question, "language": language})
			if err != nil {
				return Reading{}, err
			}
			err = callAdminJSON(cmd, http.MethodPost, "/storeware/read?shop="+url.QueryEscape(c.shop), bytes.NewReader(body), &answer)
			return answer, err
		}, nil
	}
	currency, err := money.ParseCurrency(c.currency)
	if err != nil {
		return nil, fmt.Errorf("--currency: %w", err)
	}
	var words *vocabulary.Vocabulary
	if c.catalogue != "" {
		if words, err = wordsOf(cmd.Context(), c.catalogue); err != nil {
			return nil, fmt.Errorf("reading %s: %w", c.catalogue, err)
		}
	}
	rules := reading.NewRules()
	return func(ctx context.Context, question, language string) (Reading, error) {
		read, err := rules.Read(ctx, reading.Question{Words: question, Language: language, Currency: currency, Vocabulary: words})
		return readingOf(read, currency), err
	}, nil
}

// wordsOf returns the words of a catalogue in a file, as the demo shop sells it.
func wordsOf(ctx context.Context, file string) (*vocabulary.Vocabulary, error) {
	server, err := (&goods{catalogue: file}).server("")
	if err != nil {
		return nil, err
	}
	defer server.Close()
	config := demo.Config{}
	config.Client.BaseURL = &url.URL{Scheme: "http", Host: "catalogue"}
	config.Client.Transport = inProcess{server}
	shop, err := demo.New(config)
	if err != nil {
		return nil, err
	}
	defer shop.Close()
	var words vocabulary.Builder
	for q := (upstream.Query{Limit: 100}); ; {
		page, err := shop.Search(ctx, upstream.Visit{}, q)
		if err != nil {
			return nil, err
		}
		for i := range page.Products {
			words.Add(&page.Products[i])
		}
		if page.Next == "" {
			return words.Snapshot(), nil
		}
		q.Cursor = page.Next
	}
}

// inProcess hands requests to a handler in this process.
type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	a := newAnswer()
	p.handler.ServeHTTP(a, r)
	return &http.Response{
		StatusCode: a.status, Header: a.header, Body: io.NopCloser(a.body), ContentLength: int64(a.body.Len()), Request: r,
	}, nil
}

// maxRow bounds a line of many questions, in bytes.
const maxRow = 1 << 20

// readMany reads questions line by line.
func readMany(ctx context.Context, in io.Reader, out io.Writer, language string, read func(context.Context, string, string) (Reading, error)) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxRow)
	encoder := json.NewEncoder(out)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var row struct {
			ID    string `json:"id"`
			Query string `json:"query"`
			Lang  string `json:"lang"`
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if row.Lang == "" {
			row.Lang = language
		}
		answer, err := read(ctx, row.Query, row.Lang)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		answer.ID = row.ID
		if err := encoder.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// text is a reading for a person.
func (r Reading) text() string {
	var b strings.Builder
	if r.Degraded {
		fmt.Fprintf(&b, "Its constraints could not be read (%s); it is searched for as it stands.\n", r.Reason)
	}
	for i, p := range r.Passes {
		if len(r.Passes) > 1 {
			fmt.Fprintf(&b, "Thing %d\n", i+1)
		}
		fmt.Fprintf(&b, "  search for  %s\n", p.Query)
		if p.Noun != "" {
			fmt.Fprintf(&b, "  which is a  %s\n", p.Noun)
		}
		if p.Max != nil {
			fmt.Fprintf(&b, "  at most     %s\n", money.Amount{Minor: *p.Max, Currency: p.Currency}.Display())
		}
		if p.Min != nil {
			fmt.Fprintf(&b, "  at least    %s\n", money.Amount{Minor: *p.Min, Currency: p.Currency}.Display())
		}
		for _, a := range p.Required {
			fmt.Fprintf(&b, "  must be     %s: %s\n", a.Key, a.Value)
		}
		for _, a := range p.Excluded {
			fmt.Fprintf(&b, "  must not be %s: %s\n", a.Key, a.Value)
		}
		if p.InStock {
			b.WriteString("  in stock\n")
		}
	}
	for _, c := range r.Context {
		fmt.Fprintf(&b, "  context     %s\n", c)
	}
	return b.String()
}

func printJSON(out io.Writer, v any) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
