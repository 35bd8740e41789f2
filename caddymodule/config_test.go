package caddymodule_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig"
	"github.com/tidwall/gjson"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// validate provisions a configuration and says what is wrong with it. Nothing is
// started.
func validate(config []byte) error {
	var c caddy.Config
	if err := json.Unmarshal(config, &c); err != nil {
		return err
	}
	return caddy.Validate(&c)
}

// What a Caddyfile cannot be seen to have wrong is found when it is provisioned,
// and what a configuration in JSON has wrong too.
func TestMistakesInAConfiguration(t *testing.T) {
	t.Setenv("STOREWARE_TEST_WRONG", "wrong")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "profile.json"), []byte(`{"ucp": {}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	const hash = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	demo := `"upstream": {"system": "demo", "url": "http://127.0.0.1:1"}`
	for name, test := range map[string]struct{ app, handler, want string }{
		"no upstream":                    {`{}`, `{}`, "upstream is missing"},
		"an unknown field":               {`{}`, `{` + demo + `, "upstreams": {}}`, `unknown field "upstreams"`},
		"an unknown system":              {`{}`, `{"upstream": {"system": "shopware"}}`, "shopware"},
		"a URL that is not set":          {`{}`, `{"upstream": {"system": "demo", "url": "{env.STOREWARE_TEST_UNSET}"}}`, "{env.STOREWARE_TEST_UNSET} is empty: set it where Caddy is started"},
		"a placeholder of a request":     {`{}`, `{"upstream": {"system": "vendure", "url": "http://{http.request.host}"}}`, "unrecognized placeholder {http.request.host}"},
		"a URL that is none":             {`{}`, `{"upstream": {"system": "vendure", "url": "{env.STOREWARE_TEST_WRONG}"}}`, `"wrong" is no URL of a shop`},
		"no URL":                         {`{}`, `{"upstream": {"system": "vendure"}}`, "the URL of the shop is missing"},
		"an Admin API that is none":      {`{}`, `{"upstream": {"system": "vendure", "url": "http://127.0.0.1", "admin_key": "k", "admin_url": "x"}}`, "admin_url"},
		"a template with other names":    {`{}`, `{"upstream": {"system": "vendure", "url": "http://127.0.0.1", "product_url": "https://shop.example/{sku}"}}`, "{sku} is none of"},
		"a negative timeout":             {`{}`, `{"upstream": {"system": "demo", "url": "http://127.0.0.1", "timeout": "-1s"}}`, "negative"},
		"a name that is not set":         {`{}`, `{` + demo + `, "name": "{env.STOREWARE_TEST_UNSET}"}`, "name: evaluated placeholder"},
		"a name that is too long":        {`{}`, `{` + demo + `, "name": "` + strings.Repeat("x", 65) + `"}`, "set another with name"},
		"a name with a space":            {`{}`, `{` + demo + `, "name": "my shop"}`, "no spaces"},
		"a hash that is none":            {`{}`, `{` + demo + `, "agents": [{"name": "a", "key_hash": "{env.STOREWARE_TEST_WRONG}"}]}`, `agent "a": key hash is not`},
		"two agents of one name":         {`{}`, `{` + demo + `, "agents": [{"name": "a", "key_hash": "` + hash + `"}, {"name": "a", "key_hash": "` + strings.Replace(hash, "0", "1", 1) + `"}]}`, "name is taken"},
		"two agents of one key":          {`{}`, `{` + demo + `, "agents": [{"name": "a", "key_hash": "` + hash + `"}, {"name": "b", "key_hash": "` + hash + `"}]}`, `key is that of agent "a"`},
		"a page of no type":              {`{}`, `{` + demo + `, "pages": [{"type": "returns", "url": "/x"}]}`, "is no type of page"},
		"a page that is nowhere":         {`{}`, `{` + demo + `, "pages": [{"type": "faq", "url": "x"}]}`, "neither a path"},
		"an origin that is none":         {`{}`, `{` + demo + `, "allow_origins": ["agent.example"]}`, "is no origin"},
		"a profile that is not there":    {`{}`, `{` + demo + `, "profile_files": {"https://agent.example/": "` + dir + `/none.json"}}`, "reading the profile that stands in for https://agent.example/"},
		"a profile that is none":         {`{}`, `{` + demo + `, "profile_files": {"https://agent.example/": "` + dir + `/profile.json"}}`, "$.ucp.version is missing"},
		"a profile at no URL":            {`{}`, `{` + demo + `, "profile_files": {"agent": "` + dir + `/profile.json"}}`, "profile_files"},
		"an unknown reader":              {`{}`, `{` + demo + `, "reader": {"module": "oracle"}}`, "oracle"},
		"a reader that is nowhere":       {`{}`, `{` + demo + `, "reader": {"module": "openai", "model": "m"}}`, "the base URL of the model's endpoint is missing"},
		"a reader at no URL":             {`{}`, `{` + demo + `, "reader": {"module": "openai", "model": "m", "base_url": "{env.STOREWARE_TEST_WRONG}"}}`, `"wrong" is no URL`},
		"a reader without a model":       {`{}`, `{` + demo + `, "reader": {"module": "openai", "base_url": "http://127.0.0.1:1/v1"}}`, "the model is missing"},
		"a reader without its key":       {`{}`, `{` + demo + `, "reader": {"module": "openai", "base_url": "http://127.0.0.1:1/v1", "model": "m", "api_key": "{env.STOREWARE_TEST_UNSET}"}}`, "{env.STOREWARE_TEST_UNSET} is empty"},
		"a reader that fails in its way": {`{}`, `{` + demo + `, "reader": {"module": "openai", "base_url": "http://127.0.0.1:1/v1", "model": "m", "on_failure": "guess"}}`, `on_failure "guess"`},
		"a reader without patience":      {`{}`, `{` + demo + `, "reader": {"module": "openai", "base_url": "http://127.0.0.1:1/v1", "model": "m", "timeout": "-1s"}}`, "a duration is negative"},
		"an unknown state":               {`{"state": {"module": "sqlite"}}`, `{` + demo + `}`, "sqlite"},
		"a Redis that is nowhere":        {`{"state": {"module": "redis"}}`, `{` + demo + `}`, "the url of the Redis is missing"},
		"a Redis at no URL":              {`{"state": {"module": "redis", "url": "{env.STOREWARE_TEST_WRONG}"}}`, `{` + demo + `}`, "redis: the URL is not of the form"},
	} {
		t.Run(name, func(t *testing.T) {
			handler := strings.Replace(test.handler, "{", `{"handler": "storeware", `, 1)
			handler = strings.Replace(handler, ", }", "}", 1)
			err := validate([]byte(`{"admin": {"disabled": true}, "storage": {"module": "file_system", "root": "` + dir + `"}, "apps": {
				"storeware": ` + test.app + `,
				"http": {"servers": {"s": {"listen": [":1"], "automatic_https": {"disable": true}, "routes": [{"handle": [` + handler + `]}]}}}}}`))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
		})
	}
}

// Settings may come from the environment and from files.
func TestPlaceholders(t *testing.T) {
	house := openHouse(t, shop.Options{})
	key, hash := newKey()
	other, otherHash := newKey()
	file := filepath.Join(t.TempDir(), "hash")
	if err := os.WriteFile(file, []byte(otherHash+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("STOREWARE_TEST_HASH", hash)
	t.Setenv("STOREWARE_TEST_SHOP", house.url())
	server := startCaddy(t, fill(site, "agent tester HASH", "agent tester {env.STOREWARE_TEST_HASH}\nagent other {file."+file+"}",
		"upstream demo SHOP", "upstream demo {env.STOREWARE_TEST_SHOP}", "reverse_proxy SHOP", ""))
	server.agent("", key).want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
	server.agent("", other).want(http.StatusOK, "POST", "/api/ucp/v1/catalog/search", search)
}

// A shop is called what its site is called, unless it has a name.
func TestNames(t *testing.T) {
	server := startCaddy(t, "{\nGLOBAL\nadmin 127.0.0.1:ADMIN\n}\n:PORT {\n}\n")
	block := "storeware {\nupstream demo http://127.0.0.1:1\n}\n"
	for sites, want := range map[string]string{
		":PORT {\n" + block + "}": "default",
		"http://Shop.Example:PORT, http://www.shop.example:PORT {\n" + block + "}":                        "shop.example",
		"http://a.example:PORT {\n}\nhttp://b.example:PORT {\nhandle /x/* {\n" + block + "}\n}":           "b.example",
		"http://a.example:PORT {\n" + block + "}\nhttp://b.example:PORT {\n" + block + "}":                "a.example b.example",
		"http://a.example:PORT {\n" + strings.Replace(block, "upstream", "name shop\nupstream", 1) + "}":  "shop",
		"http://a.example:PORT {\n@host host b.example\nhandle @host {\n" + block + "}\nrespond hello\n}": "a.example",
	} {
		server.load("{\nGLOBAL\nadmin 127.0.0.1:ADMIN\n}\n" + sites + "\n")
		_, health := server.adminGet("/storeware/health")
		var names []string
		for _, name := range gjson.GetBytes(health, "shops.#.name").Array() {
			names = append(names, name.String())
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s\nis called %s, want %s", sites, got, want)
		}
	}
}

// The example is a configuration, and so is what it has behind #.
func TestExample(t *testing.T) {
	content, err := os.ReadFile("../Caddyfile.example")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	key := "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----\n"
	profile, err := os.ReadFile("demo/agent.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"acme.pem": []byte(key), "agent.json": profile} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("REDIS_URL", "redis://127.0.0.1:6379/0")
	t.Setenv("VENDURE_ADMIN_KEY", "key")
	t.Setenv("OPENAI_API_KEY", "key")
	text := strings.NewReplacer("/var/log/caddy", dir, "/var/lib", dir, "/etc/storeware", dir).Replace(string(content))
	text, _ = otherUpstreams(text)
	option := regexp.MustCompile(`(?m)^(\t*)#[ \t]+((?:state redis|prefix|storage|servers|trusted_proxies|channel|payment|admin_key|admin_url|decimals|timeout|max_concurrent|agent acme|profile|public_key|webhook|sandbox|allow_origin|profile_file|development|reader openai|base_url|model|api_key|max_failures|pause|on_failure)\b.*|\})$`)
	all := option.ReplaceAllString(text, "$1$2")
	all = regexp.MustCompile(`(?m)^\t*state file .*$`).ReplaceAllString(all, "")
	if found := len(option.FindAllString(text, -1)); found < 31 {
		t.Errorf("only %d lines of settings are behind #", found)
	}
	for name, text := range map[string]string{"as it stands": text, "with all that is behind #": all} {
		t.Run(name, func(t *testing.T) {
			config, warnings, err := caddyconfig.GetAdapter("caddyfile").Adapt([]byte(text), map[string]any{"filename": "Caddyfile.example"})
			if err != nil {
				t.Fatal(err)
			}
			if name == "as it stands" {
				for _, warning := range warnings {
					t.Errorf("warning: %s", warning)
				}
			}
			if err := validate(config); err != nil {
				t.Error(err)
			}
			if name != "as it stands" && !strings.Contains(string(config), `"sandbox":true`) {
				t.Error("the agent's settings are still behind #")
			}
			if name != "as it stands" && !strings.Contains(string(config), `"on_failure":"rules"`) {
				t.Error("the reader's settings are still behind #")
			}
		})
	}
}
