package safehttp_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/safehttp"
)

func TestParseURL(t *testing.T) {
	for _, test := range []struct {
		raw, want string
		err       error
	}{
		{"https://agent.example/profile.json", "https://agent.example/profile.json", nil},
		{"HTTPS://Agent.Example/Profile.json", "https://agent.example/Profile.json", nil},
		{"https://agent.example", "https://agent.example/", nil},
		{"https://agent.example:443/a", "https://agent.example/a", nil},
		{"https://agent.example:0443/a", "https://agent.example/a", nil},
		{"https://agent.example:8443/a", "https://agent.example:8443/a", nil},
		{"https://agent.example:80/a", "https://agent.example:80/a", nil},
		{"http://localhost:80/a", "http://localhost/a", nil},
		{"https://agent.example/a?b=C&d", "https://agent.example/a?b=C&d", nil},
		{"https://agent.example/a?", "https://agent.example/a", nil},
		{"https://agent.example/a#keys", "https://agent.example/a", nil},
		{"https://agent.example/%7Ea/../b", "https://agent.example/%7Ea/../b", nil},
		{"https://agent.example./a", "https://agent.example./a", nil},
		{"https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/", nil},
		{"https://[2606:4700:0::1111]:443/", "https://[2606:4700::1111]/", nil},
		{"https://8.8.8.8/", "https://8.8.8.8/", nil},

		{"", "", safehttp.ErrScheme},
		{"agent.example/profile", "", safehttp.ErrScheme},
		{"//agent.example/profile", "", safehttp.ErrScheme},
		{"ftp://agent.example/", "", safehttp.ErrScheme},
		{"file:///etc/passwd", "", safehttp.ErrScheme},
		{"gopher://agent.example/", "", safehttp.ErrScheme},
		{"javascript:alert(1)", "", safehttp.ErrScheme},
		{"https:agent.example", "", safehttp.ErrURL},
		{"https://", "", safehttp.ErrURL},
		{"https:///path", "", safehttp.ErrURL},
		{"https://:443/", "", safehttp.ErrURL},
		{"https://user@agent.example/", "", safehttp.ErrURL},
		{"https://user:pass@agent.example/", "", safehttp.ErrURL},
		{"https://agent.example@10.0.0.1/", "", safehttp.ErrURL},
		{"https://agent.example:/", "", safehttp.ErrURL},
		{"https://agent.example:0/", "", safehttp.ErrURL},
		{"https://agent.example:65536/", "", safehttp.ErrURL},
		{"https://agent.example:x/", "", safehttp.ErrURL},
		{"https://bücher.example/", "", safehttp.ErrURL},
		{"https://agent..example/", "", safehttp.ErrURL},
		{"https://.example/", "", safehttp.ErrURL},
		{"https://./", "", safehttp.ErrURL},
		{"https://agent$.example/", "", safehttp.ErrURL},
		{"https://agent.example\\@10.0.0.1/", "", safehttp.ErrURL},
		{"https://agent example/", "", safehttp.ErrURL},
		{" https://agent.example/", "", safehttp.ErrURL},
		{"https://agent.example/\r\nHost: x", "", safehttp.ErrURL},
		{"https://[fe80::1%25eth0]/", "", safehttp.ErrURL},
		{"https://[::1/", "", safehttp.ErrURL},
		{"https://" + strings.Repeat("a", 64) + ".example/", "", safehttp.ErrURL},
		{"https://agent.example/" + strings.Repeat("a", 2048), "", safehttp.ErrURL},
	} {
		got, err := safehttp.ParseURL(test.raw)
		if !errors.Is(err, test.err) || (err == nil && got.String() != test.want) {
			t.Errorf("ParseURL(%q) = %v, %v, want %q, %v", test.raw, got, err, test.want, test.err)
		}
		if err != nil && strings.Contains(err.Error(), "pass") {
			t.Errorf("ParseURL(%q) repeats the password: %v", test.raw, err)
		}
	}
}

func TestCheck(t *testing.T) {
	strict := safehttp.NewClient(safehttp.Options{})
	development := safehttp.NewClient(safehttp.Options{AllowLoopback: true})
	for _, test := range []struct {
		raw                 string
		strict, development error
	}{
		{"https://agent.example/", nil, nil},
		{"https://8.8.8.8/", nil, nil},
		{"https://127.0.0.1/", safehttp.ErrForbiddenAddress, nil},
		{"https://[::1]:8443/", safehttp.ErrForbiddenAddress, nil},
		{"https://[::ffff:127.0.0.1]/", safehttp.ErrForbiddenAddress, nil},
		{"https://10.0.0.1/", safehttp.ErrForbiddenAddress, safehttp.ErrForbiddenAddress},
		{"https://169.254.169.254/latest/meta-data", safehttp.ErrForbiddenAddress, safehttp.ErrForbiddenAddress},
		{"http://127.0.0.1:8080/", safehttp.ErrScheme, nil},
		{"http://localhost/", safehttp.ErrScheme, nil},
		{"http://8.8.8.8/", safehttp.ErrScheme, safehttp.ErrForbiddenAddress},
		{"http://10.0.0.1/", safehttp.ErrScheme, safehttp.ErrForbiddenAddress},
	} {
		u, err := safehttp.ParseURL(test.raw)
		if err != nil {
			t.Errorf("ParseURL(%q): %v", test.raw, err)
			continue
		}
		if err := strict.Check(u); !errors.Is(err, test.strict) {
			t.Errorf("%s: got %v, want %v", test.raw, err, test.strict)
		}
		if err := development.Check(u); !errors.Is(err, test.development) {
			t.Errorf("%s in development: got %v, want %v", test.raw, err, test.development)
		}
	}
	if err := strict.Check(nil); !errors.Is(err, safehttp.ErrURL) {
		t.Errorf("no URL: got %v, want ErrURL", err)
	}
}

func FuzzParseURL(f *testing.F) {
	for _, seed := range []string{
		"https://agent.example/.well-known/ucp", "https://user:p@h/", "https://[::ffff:10.0.0.1]:443/?q#f",
		"http://0x7f.1/", "https://2130706433/", "https://a%2eb/", "https://a\\b@c/", "https://h:443:443/", "https:////h",
		"https://[64:ff9b::7f00:1]/", "https://H./%2e%2e/", "https://h/?", "https://bücher.example",
	} {
		f.Add(seed)
	}
	client := safehttp.NewClient(safehttp.Options{})
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := safehttp.ParseURL(raw)
		if err != nil {
			if !errors.Is(err, safehttp.ErrURL) && !errors.Is(err, safehttp.ErrScheme) {
				t.Fatalf("ParseURL(%q): an error of no kind: %v", raw, err)
			}
			return
		}
		normal := u.String()
		again, err := safehttp.ParseURL(normal)
		if err != nil || again.String() != normal {
			t.Fatalf("ParseURL(%q) is %q, which becomes %v, %v", raw, normal, again, err)
		}
		if u.User != nil || u.Fragment != "" || u.Host != strings.ToLower(u.Host) {
			t.Fatalf("ParseURL(%q) is not normal: %#v", raw, u)
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil && addr.Unmap().IsPrivate() && client.Check(u) == nil {
			t.Fatalf("%q names a private address and passes", raw)
		}
	})
}
