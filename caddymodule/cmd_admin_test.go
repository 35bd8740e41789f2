package caddymodule_test

import (
	"errors"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// A file that turns the admin API off is about a Caddy that cannot be asked, so that
// no command asks another one in its place.
func TestAdminOff(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	other := startCaddy(t, fill(withAdmin, "SHOP", house.url(), "HASH", hash))
	dir := t.TempDir()
	config, backup, facts := filepath.Join(dir, "config.json"), filepath.Join(dir, "backup"), filepath.Join(dir, "facts.csv")
	for file, content := range map[string]string{config: `{"admin": {"disabled": true}}`, facts: "product,key,value\n"} {
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for command, instead := range map[string]string{
		"agent add newcomer":           "agent declare",
		"agent list":                   "agent declare",
		"agent revoke tester":          "whose line is taken out",
		"key list":                     "/.well-known/ucp",
		"key rotate":                   "turn admin on",
		"state backup " + backup:       "copy the file",
		"state restore " + facts:       "copy the file",
		"index":                        "turn admin on",
		"facts gaps":                   "turn admin on",
		"facts import " + facts:        "turn admin on",
		"read boots --shop local.shop": "leave out --shop",
	} {
		out, _, err := other.command(append(strings.Fields(command), "--config", config)...)
		if err == nil || !strings.HasPrefix(err.Error(), "admin is off in "+config+", ") || !strings.Contains(err.Error(), instead) {
			t.Errorf("%s: %v\n%s", command, err, out)
		}
	}
	if listed := other.mustCommand("agent", "list"); strings.Contains(listed, "newcomer") {
		t.Errorf("another Caddy was asked:\n%s", listed)
	}
	if _, err := os.Stat(backup); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a backup was written: %v", err)
	}
}

// Who calls a Caddy that does not run is told to start it.
func TestNoCaddyRuns(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := &caddyServer{t: t, admin: listener.Addr().(*net.TCPAddr).Port}
	listener.Close()
	for _, command := range []string{"agent list", "doctor", "state backup -"} {
		_, _, err := nobody.command(strings.Fields(command)...)
		if err == nil || !regexp.MustCompile(`^nobody answers at 127.0.0.1:\d+,.* Is Caddy running\? Start it with caddy run --config FILE,.*--address`).MatchString(err.Error()) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

// What answers at the address may be anything.
func TestNotAnAdminAPI(t *testing.T) {
	stranger := httptest.NewServer(http.NotFoundHandler())
	defer stranger.Close()
	at := &caddyServer{t: t, admin: stranger.Listener.Addr().(*net.TCPAddr).Port}
	if _, _, err := at.command("agent", "list"); err == nil || !strings.Contains(err.Error(), "answered 404 Not Found: is that a Caddy with storeware in it?") {
		t.Errorf("a server that is no Caddy: %v", err)
	}
}

// The admin API may listen at a socket, with permissions in its address.
func TestAdminSocket(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	folder, err := os.MkdirTemp("", "") // t.TempDir is too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	address := "unix/" + folder + "/admin.sock|0200"
	server := startCaddy(t, fill(strings.Replace(site, "GLOBAL", "GLOBAL\n\tadmin "+address, 1), "SHOP", house.url(), "HASH", hash))
	if listed := server.mustCommand("agent", "list", "--address", address); !strings.Contains(listed, "tester") {
		t.Errorf("listed at a socket:\n%s", listed)
	}
}

// Where there are several shops, the flag that names one is named.
func TestWhichShop(t *testing.T) {
	house := openHouse(t, shop.Options{})
	_, hash := newKey()
	caddyfile := strings.Replace(twoShops, "GLOBAL", "GLOBAL\nadmin 127.0.0.1:ADMIN", 1)
	server := startCaddy(t, fill(caddyfile, "ONE", house.url(), "TWO", house.url(), "HASH1", hash, "HASH2", hash))
	_, _, err := server.command("agent", "list")
	if want := "say which shop, with --shop (shop in the API): there are one.example and second"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
