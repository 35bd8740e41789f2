package doctor

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// several is a configuration with several servers, as the Caddyfile adapter makes
// them.
const several = `{
	"logging": {"logs": {
		"default": {"exclude": ["http.log.access.log0"]},
		"log0": {"writer": {"output": "file", "filename": "/x"}, "include": ["http.log.access.log0"],
			"encoder": {"format": "filter", "fields": {"request>headers>X-Api-Key": {"filter": "delete"}}}}
	}},
	"apps": {
		"http": {"http_port": 81, "servers": {
			"srv0": {
				"listen": ["127.0.0.1:81"],
				"routes": [{
					"match": [{"host": ["b.example"]}],
					"handle": [{"handler": "subroute", "routes": [{"handle": [{"handler": "vars", "name": 5}, {"handler": "storeware", "name": "bee"}]}]}]
				}],
				"logs": {"logger_names": {"b.example": [""]}}
			},
			"srv1": {
				"listen": ["udp/:443", ":443"],
				"trusted_proxies": {"source": "static"},
				"routes": [{
					"match": [{"host": ["A.example", "www.a.example"]}],
					"handle": [{"handler": "subroute", "routes": [{"handle": [{"handler": "storeware"}]}]}]
				}],
				"logs": {"logger_names": {"A.example": ["log0"], "www.a.example": "log0"}}
			},
			"srv2": {"listen": ["[::1]:8000"], "routes": [{"handle": [{"handler": "storeware"}]}], "logs": {}},
			"srv3": {"listen": ["unix//run/shop.sock"], "routes": [{"match": [{"path": ["/x"]}], "handle": [{"handler": "storeware", "name": "socket"}]}]},
			"srv4": {"listen": ["{no.such}"], "routes": [{"handle": [{"handler": "static_response"}]}]}
		}},
		"storeware": {"state": {"module": "redis"}}
	}
}`

func TestReadConfig(t *testing.T) {
	got, err := ReadConfig([]byte(several), "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	want := &Config{State: "redis", Storage: "file_system", Sites: []Site{
		{Shop: "bee", Host: "b.example", Network: "tcp", Address: "127.0.0.1:81", Port: 81, Plain: true, Logged: true, Revealing: []string{"default"}},
		{Shop: "a.example", Host: "A.example", Network: "tcp", Address: "192.0.2.1:443", Port: 443, Proxied: true, Logged: true, Revealing: []string{"default"}},
		{Shop: "a.example", Host: "www.a.example", Network: "tcp", Address: "192.0.2.1:443", Port: 443, Proxied: true, Logged: true, Revealing: []string{"default"}},
		{Shop: "default", Host: "::1", Network: "tcp", Address: "[::1]:8000", Port: 8000, Logged: true, Revealing: []string{"default"}},
		{Shop: "socket", Host: "localhost", Network: "unix", Address: "/run/shop.sock"},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadConfigRefuses(t *testing.T) {
	for config, want := range map[string]string{
		`{`: "reading Caddy's configuration",
		`{"apps": {"http": {"servers": {"a": {"listen": ["udp/:443"], "routes": [{"handle": [{"handler": "storeware"}]}]}}}}}`:       "server a: it listens on no address",
		`{"apps": {"http": {"servers": {"a": {"listen": [":1-x"], "routes": [{"handle": [{"handler": "storeware"}]}]}}}}}`:           "listening on",
		`{"apps": {"http": {"servers": {"a": {"listen": [":80"], "routes": [{"handle": [{"handler": "storeware", "name": 5}]}]}}}}}`: "server a",
	} {
		if _, err := ReadConfig([]byte(config), "127.0.0.1"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", config, err, want)
		}
	}
	off, err := ReadConfig([]byte(`{"admin": {"disabled": true}, "storage": {"module": "redis"}}`), "127.0.0.1")
	if diff := cmp.Diff(&Config{AdminOff: true, State: "bolt", Storage: "redis"}, off); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add([]byte(several))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, config []byte) {
		read, err := ReadConfig(config, "127.0.0.1")
		if (read == nil) == (err == nil) {
			t.Errorf("got %v and %v", read, err)
		}
	})
}
