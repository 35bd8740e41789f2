package caddymodule_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A shop's page that cannot be had is answered as Caddy answers it, and the key that
// an agent sent along is in no log.
func TestNoKeyInTheErrorLog(t *testing.T) {
	for name, routes := range map[string]string{
		"no error routes": "",
		"an error route":  "handle_errors 5xx {\nheader X-Error {err.status_code}\nrespond \"{uri} cannot be had\"\n}",
		"one for others":  "handle_errors 404 {\nrespond no\n}",
		"one that fails":  "handle_errors {\nreverse_proxy 127.0.0.1:1\n}",
		"a 4xx":           "@gone path /gone*\nerror @gone 410",
	} {
		t.Run(name, func(t *testing.T) {
			plain := freePort(t)
			server := startCaddy(t, fill(`
{
	GLOBAL
}
:PORT {
	uri strip_prefix /shop
	storeware {
		upstream demo http://127.0.0.1:1
	}
	reverse_proxy 127.0.0.1:1
	ROUTES
}
:PLAIN {
	uri strip_prefix /shop
	reverse_proxy 127.0.0.1:1
	ROUTES
}
`, "PLAIN", fmt.Sprint(plain), "ROUTES", routes))
			for _, path := range []string{"/products/boots?colour=tan", "/shop/boots", "/gone"} {
				request := "GET " + path + " HTTP/1.1\r\nHost: shop.example\r\nConnection: close\r\nX-API-Key: theirs\r\n\r\n"
				ours, theirs := exchange(t, server.port, request), exchange(t, plain, strings.Replace(request, "theirs", "", 1))
				if ours != theirs {
					t.Errorf("%s answers\n%s\nand without the module\n%s", path, ours, theirs)
				}
			}
			text, err := os.ReadFile(filepath.Join(server.dir, "caddy.log"))
			if err != nil {
				t.Fatal(err)
			}
			// Other handlers log requests when the log is set to debug.
			log := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool { return strings.Contains(line, `"level":"debug"`) })
			has := func(text string) bool {
				return slices.ContainsFunc(log, func(line string) bool { return strings.Contains(line, text) })
			}
			if has("theirs") {
				t.Errorf("the key is in the log:\n%s", text)
			}
			logged := has("the next handler failed")
			if want := !strings.Contains(routes, "respond"); logged != want {
				t.Errorf("logged is %t, want %t:\n%s", logged, want, text)
			}
		})
	}
}
