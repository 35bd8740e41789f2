package caddymodule_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// oldShop is what stands behind Caddy: a shop that does what shops do.
func oldShop(t *testing.T) *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		w.Header()["X-Odd"] = []string{"b", "a"}
		w.Header().Add("Set-Cookie", "basket=1; Path=/")
		w.Header().Add("Set-Cookie", "visit=2; HttpOnly")
		w.Header().Set("ETag", `W/"abc"`)
		fmt.Fprintf(w, "%s %s\n", r.Method, r.RequestURI)
		for _, name := range []string{"Cookie", "Authorization", "X-Api-Key", "UCP-Agent", "Accept-Encoding"} {
			fmt.Fprintf(w, "%s: %q\n", name, r.Header.Values(name))
		}
		fmt.Fprintf(w, "%d bytes: %.64q\n", len(body), body)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/elsewhere?x=1#y", http.StatusFound)
	})
	mux.HandleFunc("/none", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	mux.HandleFunc("/broken", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<b>500</b>", http.StatusInternalServerError)
	})
	mux.HandleFunc("/chunk", func(w http.ResponseWriter, _ *http.Request) {
		// Of several chunks it is chance how the proxy joins them.
		w.Header().Set("Trailer", "X-End")
		_, _ = io.WriteString(w, "all of it")
		w.(http.Flusher).Flush()
		w.Header().Set("X-End", "yes")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(bytes.Repeat([]byte("0123456789abcdef"), 1<<18))
	})
	mux.HandleFunc("/socket", func(w http.ResponseWriter, _ *http.Request) {
		connection, buffered, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer connection.Close()
		_, _ = io.WriteString(connection, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
		line, err := buffered.ReadString('\n')
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(connection, "echo "+line)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// exchange sends a request as it stands and returns the answer as it stands, but
// for its date.
func exchange(t *testing.T, port int, request string) string {
	t.Helper()
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(connection)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`Date: [^\r]*`).ReplaceAllString(string(answer), "Date: now")
}

// Whatever is not a protocol path passes as if the module were not there.
func TestEverythingElsePassesUntouched(t *testing.T) {
	shop := oldShop(t)
	plain := freePort(t)
	server := startCaddy(t, fill(`
{
	GLOBAL
}
:PORT {
	encode
	storeware {
		upstream demo http://127.0.0.1:1
	}
	reverse_proxy SHOP
}
:PLAIN {
	encode
	reverse_proxy SHOP
}
`, "SHOP", shop.URL, "PLAIN", fmt.Sprint(plain)))
	get := func(method, path string, header ...string) string {
		lines := append([]string{method + " " + path + " HTTP/1.1", "Host: shop.example", "Connection: close"}, header...)
		return strings.Join(lines, "\r\n") + "\r\n\r\n"
	}
	for _, request := range []string{
		get("GET", "/"),
		get("HEAD", "/"),
		get("OPTIONS", "/"),
		get("GET", "/products/a%2Fb//c?q=%20x&q=y"),
		get("GET", "/", "Cookie: a=1", "Cookie: b=2", "Authorization: Bearer swa_x", "X-API-Key: k", `UCP-Agent: profile="https://x.example/"`),
		get("GET", "/", "Accept-Encoding: gzip"),
		get("POST", "/basket", "Content-Type: application/json", "Content-Length: 7") + `{"a":1}`,
		get("POST", "/basket", "Transfer-Encoding: chunked") + "3\r\nabc\r\n0\r\n\r\n",
		get("DELETE", "/basket"),
		get("GET", "/moved"), get("GET", "/none"), get("GET", "/broken"), get("GET", "/chunk"), get("GET", "/large"),
		get("GET", "/.well-known/ucpx"), get("GET", "/.well-known/acp.jsonx"), get("GET", "/api/acpx"), get("GET", "/api/ucp"), get("GET", "/api/ucp/v2/carts"),
		get("GET", "/api/ucp/v10"), get("POST", "/API/UCP/V1/carts"), get("GET", "/storeware/basket"), get("GET", "/storeware/"),
	} {
		first, _, _ := strings.Cut(request, "\r\n")
		with, without := exchange(t, server.port, request), exchange(t, plain, request)
		if with != without {
			t.Errorf("%s: with the module\n%.600s\nwithout it\n%.600s", first, with, without)
		}
		if !strings.HasPrefix(with, "HTTP/1.1 ") {
			t.Errorf("%s: no answer: %.80q", first, with)
		}
	}
}

func TestWebsocketsPass(t *testing.T) {
	shop := oldShop(t)
	server := startCaddy(t, fill(site, "SHOP", shop.URL, "agent tester HASH\n", "\n"))
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", server.port))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(connection, "GET /socket HTTP/1.1\r\nHost: shop.example\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
	if err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(connection)
	response, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		t.Fatalf("status %d", response.StatusCode)
	}
	if _, err := io.WriteString(connection, "hello\n"); err != nil {
		t.Fatal(err)
	}
	if line, err := reader.ReadString('\n'); err != nil || line != "echo hello\n" {
		t.Errorf("got %q (%v)", line, err)
	}
}
