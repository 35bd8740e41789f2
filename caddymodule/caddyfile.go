package caddymodule

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"github.com/caddyserver/caddy/v2/caddyconfig/httpcaddyfile"
	"github.com/caddyserver/caddy/v2/modules/caddyhttp"

	"github.com/storeware/caddy-storeware/internal/agents"
)

func init() {
	httpcaddyfile.RegisterGlobalOption("storeware", parseGlobalOption)
	httpcaddyfile.RegisterHandlerDirective("storeware", parseDirective)
	// Whatever rewrites a response after it was signed breaks the signature, and
	// encode is the first of those directives.
	httpcaddyfile.RegisterDirectiveOrder("storeware", httpcaddyfile.Before, "encode")
}

// parseGlobalOption reads the global option. Syntax:
//
//	storeware {
//		state <module> ...
//	}
func parseGlobalOption(d *caddyfile.Dispenser, existing any) (any, error) {
	if existing != nil {
		d.Next()
		return nil, d.Err("the global option storeware stands twice: put all of it into one block")
	}
	app := new(App)
	if err := app.UnmarshalCaddyfile(d); err != nil {
		return nil, err
	}
	return httpcaddyfile.App{Name: appName, Value: caddyconfig.JSON(app, nil)}, nil
}

// UnmarshalCaddyfile sets the app up from Caddyfile tokens. Syntax:
//
//	storeware {
//		state file <path>
//		state redis <url> {
//			prefix <text>
//		}
//	}
//
// Of state only one may stand there. Without it the state is a file in Caddy's
// data directory. Other words after state name other modules in the namespace
// storeware.state.
func (a *App) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the option's name
	return readBlock(d, "the global option storeware", settings{
		"state": {read: func(d *caddyfile.Dispenser) error {
			raw, err := readGuest(d, guest{
				namespace: "storeware.state", inlineKey: "module", noun: "state module",
				example: "state file /var/lib/storeware/state.db", alias: map[string]string{"file": "bolt"},
			})
			a.StateRaw = raw
			return err
		}},
	})
}

// parseDirective reads the directive.
func parseDirective(h httpcaddyfile.Helper) (caddyhttp.MiddlewareHandler, error) {
	handler := new(Handler)
	if err := handler.UnmarshalCaddyfile(h.Dispenser); err != nil {
		return nil, err
	}
	return handler, checkNamesake(h, handler)
}

// checkNamesake returns an error if another directive of the Caddyfile gives its name
// to another shop. A shop may be served by several sites.
func checkNamesake(h httpcaddyfile.Helper, handler *Handler) error {
	if handler.Name == "" {
		return nil
	}
	key := "storeware.shops." + handler.Name
	other, ok := h.State[key].(json.RawMessage)
	if ok && !bytes.Equal(other, handler.UpstreamRaw) {
		return h.Errf("two shops are called %q: give each its own with name, since agents' keys and baskets belong to a name", handler.Name)
	}
	h.State[key] = handler.UpstreamRaw
	return nil
}

// UnmarshalCaddyfile sets the handler up from Caddyfile tokens. Syntax:
//
//	storeware [<matcher>] {
//		upstream <system> [<url>] {
//			...
//		}
//		name <name>
//		contact <text>
//		agent <name> sha256:<digits> {
//			profile <url>
//			public_key <pem>
//			webhook <url>
//			sandbox
//		}
//		page <type> <path>|<url>
//		allow_origin <origins...>
//		search index|upstream
//		candidates <number>
//		reader <module> {
//			...
//		}
//		answer_schema <origin>
//		profile_file <url> <path>
//		development
//	}
//
// Only upstream must be there. The words after its URL are those of the system's
// module in the namespace storeware.upstreams, and those after reader of one in
// storeware.readers. The words agent, page, allow_origin and profile_file may stand
// more than once.
func (h *Handler) UnmarshalCaddyfile(d *caddyfile.Dispenser) error {
	d.Next() // consume the directive's name
	noUpstream := d.Errf("storeware needs a shop: write upstream in its block, with one of %s, as in upstream vendure http://127.0.0.1:3000",
		list(guestNames("storeware.upstreams"), "or"))
	if d.NextArg() {
		return d.Errf("unexpected %q: storeware takes its settings in a block, as in storeware { upstream demo http://127.0.0.1:9000 }", d.Val())
	}
	err := readBlock(d, "storeware", settings{
		"upstream": {read: func(d *caddyfile.Dispenser) error {
			raw, err := readGuest(d, guest{
				namespace: "storeware.upstreams", inlineKey: "system", noun: "shop system",
				example: "upstream vendure http://127.0.0.1:3000",
			})
			h.UpstreamRaw = raw
			return err
		}},
		"name":          {read: h.readName},
		"contact":       textSetting(&h.Contact, "a text that says how to get an agent key, such as contact shop@example.com"),
		"agent":         {read: h.readAgent, many: true},
		"page":          {read: h.readPage, many: true},
		"allow_origin":  {read: h.readOrigins, many: true},
		"search":        {read: h.readSearch},
		"candidates":    numberSetting(&h.Candidates, leastCandidates, mostCandidates),
		"reader":        {read: h.readReader},
		"answer_schema": urlSetting(&h.AnswerSchema, "the origin where the JSON Schema of answers is published, such as https://storeware.ai"),
		"profile_file":  {read: h.readProfileFile, many: true},
		"development":   flagSetting(&h.Development),
	})
	if err != nil {
		return err
	}
	if h.UpstreamRaw == nil {
		return noUpstream
	}
	return nil
}

func (h *Handler) readName(d *caddyfile.Dispenser) error {
	if err := argument(d, "the shop's name, which agents' keys are bound to, such as name shop.example.com"); err != nil {
		return err
	}
	h.Name = d.Val()
	if !strings.Contains(h.Name, "{") {
		if err := checkShopName(h.Name); err != nil {
			return d.WrapErr(err)
		}
	}
	return nothingElse(d)
}

func (h *Handler) readAgent(d *caddyfile.Dispenser) error {
	const hint = "storeware agent declare prints this line with a new key"
	if err := argument(d, "a name and the hash of a key, as in agent acme sha256:…: "+hint); err != nil {
		return err
	}
	agent := Agent{Name: d.Val()}
	if slices.ContainsFunc(h.Agents, func(a Agent) bool { return a.Name == agent.Name }) {
		return d.Errf("the agent %q is declared twice: give each agent a name of its own", agent.Name)
	}
	if err := argument(d, "the hash of a key after it, as in agent "+agent.Name+" sha256:…: "+hint); err != nil {
		return err
	}
	agent.KeyHash = d.Val()
	if strings.HasPrefix(agent.KeyHash, "swa_") {
		return d.Err("this is an agent key: a Caddyfile holds its hash alone, sha256: and 64 hexadecimal digits, since whoever has the key is the agent")
	}
	if !strings.Contains(agent.KeyHash, "{") {
		if _, err := agents.ParseHash(agent.KeyHash); err != nil {
			return d.Errf("agent %s: %w: %s", agent.Name, err, hint)
		}
	}
	check := func(d *caddyfile.Dispenser) error {
		if err := checkAgents(append(slices.Clone(h.Agents), agent)); err != nil {
			return d.WrapErr(err)
		}
		return nil
	}
	if err := check(d); err != nil {
		return err
	}
	// Each setting is checked as it is read, so that the error has its line.
	checked := func(s setting) setting {
		read := s.read
		s.read = func(d *caddyfile.Dispenser) error {
			if err := read(d); err != nil {
				return err
			}
			return check(d)
		}
		return s
	}
	err := readBlock(d, "agent "+agent.Name, settings{
		"profile":    checked(urlSetting(&agent.ProfileURL, "the URL of the agent's platform profile, such as https://agent.example/ucp.json")),
		"public_key": checked(textSetting(&agent.PublicKey, "a public key in PEM, such as {file./etc/storeware/acme.pem}")),
		"webhook":    checked(urlSetting(&agent.WebhookURL, "the URL that hears of the agent's orders, such as https://agent.example/orders")),
		"sandbox":    flagSetting(&agent.Sandbox),
	})
	if err != nil {
		return err
	}
	h.Agents = append(h.Agents, agent)
	return nil
}

// checkAgents says what is wrong with agents that are declared, apart from those
// whose placeholders nobody can read yet.
func checkAgents(declared []Agent) error {
	var declarations []agents.Declaration
	for _, agent := range declared {
		if strings.Contains(agent.KeyHash+agent.ProfileURL+agent.PublicKey+agent.WebhookURL, "{") {
			continue
		}
		declaration, err := agent.declaration("any")
		if err != nil {
			return err
		}
		declarations = append(declarations, declaration)
	}
	// A directory without a store says what is wrong with a declaration.
	_, err := agents.NewDirectory(nil, agents.Options{Declared: declarations})
	return err
}

func (h *Handler) readPage(d *caddyfile.Dispenser) error {
	const example = "as in page refund_policy /returns"
	if err := argument(d, "a type and where the page is, "+example); err != nil {
		return err
	}
	page := Page{Type: d.Val()}
	if !slices.Contains(pageTypes(), page.Type) {
		return d.Errf("%q is no type of page: take one of %s", page.Type, list(pageTypes(), "and"))
	}
	if slices.ContainsFunc(h.Pages, func(p Page) bool { return p.Type == page.Type }) {
		return d.Errf("the page %s is set twice: a shop has one page of a type", page.Type)
	}
	if err := argument(d, "a path on this site or a URL after the type, "+example); err != nil {
		return err
	}
	page.URL = d.Val()
	if err := checkPage(page); err != nil {
		return d.WrapErr(err)
	}
	h.Pages = append(h.Pages, page)
	return nothingElse(d)
}

func (h *Handler) readOrigins(d *caddyfile.Dispenser) error {
	if err := argument(d, "the origins of web pages that may call the shop, such as allow_origin https://agent.example"); err != nil {
		return err
	}
	for {
		if err := checkOrigin(d.Val()); err != nil {
			return d.WrapErr(err)
		}
		h.AllowOrigins = append(h.AllowOrigins, d.Val())
		if !d.NextArg() {
			return nil
		}
	}
}

func (h *Handler) readSearch(d *caddyfile.Dispenser) error {
	const hint = "index, which finds by an index of the shop's words that is kept here, or upstream, which finds by the shop's own search"
	if err := argument(d, hint); err != nil {
		return err
	}
	h.Search = d.Val()
	if h.Search != searchIndex && h.Search != searchUpstream {
		return d.Errf("there is no search %q: write %s", h.Search, hint)
	}
	return nothingElse(d)
}

func (h *Handler) readProfileFile(d *caddyfile.Dispenser) error {
	const example = "as in profile_file https://agent.example/ucp.json /etc/storeware/agent.json"
	if err := argument(d, "the URL of a platform profile and the file that stands in for it, "+example); err != nil {
		return err
	}
	address := d.Val()
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return d.Errf("%q is not the URL of a platform profile: write it as agents send it in UCP-Agent, %s", address, example)
	}
	if _, ok := h.ProfileFiles[address]; ok {
		return d.Errf("the profile %s has two files: remove one", address)
	}
	if err := argument(d, "a file after the URL, "+example); err != nil {
		return err
	}
	if h.ProfileFiles == nil {
		h.ProfileFiles = map[string]string{}
	}
	h.ProfileFiles[address] = d.Val()
	return nothingElse(d)
}

// guest is a kind of guest module that a setting names.
type guest struct {
	namespace, inlineKey string
	noun, example        string
	alias                map[string]string // other words for modules
}

// readGuest reads a setting whose first argument is the name of a guest module,
// which reads the rest.
func readGuest(d *caddyfile.Dispenser, g guest) (json.RawMessage, error) {
	names := guestNames(g.namespace)
	for word, name := range g.alias {
		names[slices.Index(names, name)] = word
	}
	slices.Sort(names)
	if err := argument(d, "a "+g.noun+", one of "+list(names, "and")+", as in "+g.example); err != nil {
		return nil, err
	}
	word := d.Val()
	name := word
	if aliased, ok := g.alias[word]; ok {
		name = aliased
	}
	id := g.namespace + "." + name
	if _, err := caddy.GetModule(id); err != nil {
		return nil, d.Errf("there is no %s %q: take one of %s, as in %s, or build Caddy with a plugin that has it", g.noun, word, list(names, "and"), g.example)
	}
	module, err := caddyfile.UnmarshalModule(d, id)
	if err != nil {
		return nil, err
	}
	return caddyconfig.JSONModuleObject(module, g.inlineKey, name, nil), nil
}

// Interface guards
var (
	_ caddyfile.Unmarshaler = (*App)(nil)
	_ caddyfile.Unmarshaler = (*Handler)(nil)
)
