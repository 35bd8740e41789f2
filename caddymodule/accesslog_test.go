package caddymodule_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// An operator whose access log would hold agents' keys is told so, once, and nobody
// else is.
func TestKeysInAccessLogs(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	filtered := func(filter string) string {
		return "log {\noutput file DIR/access.log\nformat filter {\n" + filter + "\n}\n}"
	}
	const plain = "log {\noutput file DIR/access.log\n}"
	for name, test := range map[string]struct {
		hosts string // of the site
		log   string // of the site
		other string // another site
		want  int
	}{
		"no access log":             {":PORT", "", "", 0},
		"the default log":           {":PORT", "log", "", 1},
		"a log of its own":          {":PORT", plain, "", 1},
		"console":                   {":PORT", "log {\noutput file DIR/access.log\nformat console\n}", "", 1},
		"two listeners":             {":PORT, :ADMIN", plain, "", 1},
		"two logs":                  {"http://shop.example:PORT", "log one {\noutput file DIR/1.log\n}\nlog two {\noutput file DIR/2.log\n}", "", 3},
		"as in the example":         {":PORT", strings.Replace(logOfExample(t), "\t", "", 1), "", 0},
		"the header is deleted":     {":PORT", filtered("request>headers>X-Api-Key delete"), "", 0},
		"the header is hashed":      {":PORT", filtered("request>headers>X-Api-Key hash"), "", 0},
		"the header is replaced":    {":PORT", filtered("request>headers>X-Api-Key replace gone"), "", 0},
		"all headers are deleted":   {":PORT", filtered("request>headers delete"), "", 0},
		"the request is deleted":    {":PORT", filtered("request delete"), "", 0},
		"another header is deleted": {":PORT", filtered("request>headers>X-Other delete"), "", 1},
		"spelt as no header is":     {":PORT", filtered("request>headers>x-api-key delete"), "", 1},
		"thrown away":               {":PORT", "log {\noutput discard\n}", "", 0},
		// Caddy means not to log this site, but to skip it by its name with the port,
		// which is the name of no host.
		"only another site logs": {"http://shop.example:PORT", "", "http://other.example:PORT {\n" + plain + "\n}", 1},
		// Requests for other hosts than the site's are written to Caddy's own log.
		"both sites log":       {"http://shop.example:PORT", filtered("request>headers>X-Api-Key delete"), "http://other.example:PORT {\nlog\n}", 1},
		"a site with a name":   {"http://shop.example:PORT", plain, "http://other.example:PORT {\nrespond ok\n}", 2},
		"a site of many names": {"http://*.shop.example:PORT", plain, "", 2},
	} {
		t.Run(name, func(t *testing.T) {
			caddyfile := strings.Replace(site, ":PORT {", test.hosts+" {\n"+test.log, 1) + test.other
			server := startCaddy(t, fill(caddyfile, "SHOP", house.url(), "HASH", hash))
			log, err := os.ReadFile(filepath.Join(server.dir, "caddy.log"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(string(log), "holds agents' keys"); got != test.want {
				t.Errorf("%d warnings, want %d", got, test.want)
			}
		})
	}
}
