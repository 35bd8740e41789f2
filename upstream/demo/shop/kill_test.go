package shop_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/storeware/caddy-storeware/internal/secret"
	"github.com/storeware/caddy-storeware/upstream/demo/shop"
)

// childDir is the environment variable that makes this test binary a shop.
const childDir = "DEMO_SHOP_DIR"

// runChild runs a shop until it is killed, in a process that was started for it.
func runChild() {
	dir := os.Getenv(childDir)
	if dir == "" {
		return
	}
	s, err := shop.New(shop.Options{DataDir: dir, BackOffice: secret.New(office), Faults: true})
	if err == nil {
		var listener net.Listener
		if listener, err = net.Listen("tcp", "127.0.0.1:0"); err == nil {
			fmt.Println(listener.Addr())
			err = http.Serve(listener, s)
		}
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// child is a shop in a process of its own.
type child struct {
	t       *testing.T
	command *exec.Cmd
	address string
}

func spawn(t *testing.T, dir string) *child {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), childDir+"="+dir)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	c := &child{t: t, command: command}
	t.Cleanup(c.kill)
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the shop did not start: %v", err)
	}
	c.address = "http://" + strings.TrimSpace(line)
	return c
}

// kill ends the process as kill -9 does.
func (c *child) kill() {
	_ = c.command.Process.Kill()
	_ = c.command.Wait()
}

// ask makes a request and returns the status (0 when no answer came) and the body.
func (c *child) ask(method, path, body string, header ...string) (int, string) {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), method, c.address+path, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	request.Close = true
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, ""
	}
	return response.StatusCode, bodyOf(c.t, response)
}

// TestKilled: what was answered is there after a SIGKILL, and so is an order whose
// answer was not sent; a basket that was ordered is not ordered again.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	c := spawn(t, dir)
	token := func() string {
		t.Helper()
		status, body := c.ask(http.MethodPost, "/api/basket", complete)
		_, rest, _ := strings.Cut(body, `"token":"`)
		token, _, _ := strings.Cut(rest, `"`)
		if status != http.StatusCreated || token == "" {
			t.Fatalf("%d %s", status, body)
		}
		return token
	}
	answered, silent, left := token(), token(), token()
	if status, body := c.ask(http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", answered); status != http.StatusCreated {
		t.Fatalf("%d %s", status, body)
	}
	// The second order is on disk and its answer is held when the process dies.
	c.ask(http.MethodPost, "/api/faults", `{"path":"/api/basket/order","kind":"hold","after":true,"times":1}`)
	heard := make(chan int, 1)
	go func() {
		status, _ := c.ask(http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", silent)
		heard <- status
	}()
	for {
		if _, body := c.ask(http.MethodGet, "/api/backoffice/orders/count", "", "Authorization", "Bearer "+office); strings.Contains(body, `"count":2`) {
			break
		}
	}
	c.kill()
	if status := <-heard; status != 0 {
		t.Fatalf("the second order was answered %d", status)
	}
	c = spawn(t, dir)
	for _, token := range []string{answered, silent} {
		if status, body := c.ask(http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", token); status != http.StatusConflict || !strings.Contains(body, `"code":"ordered"`) {
			t.Errorf("ordered again: %d %s", status, body)
		}
	}
	if status, body := c.ask(http.MethodGet, "/api/basket", "", "Basket-Token", left); status != http.StatusOK || !strings.Contains(body, `"total":4895`) {
		t.Errorf("the open basket: %d %s", status, body)
	}
	if _, body := c.ask(http.MethodGet, "/api/backoffice/orders/count", "", "Authorization", "Bearer "+office); !strings.Contains(body, `"count":2`) {
		t.Errorf("there are not two orders: %s", body)
	}
	if _, body := c.ask(http.MethodGet, "/api/products/SOK-M", ""); !strings.Contains(body, `"stock":56`) {
		t.Errorf("the stock was not sold twice: %s", body)
	}
	if status, _ := c.ask(http.MethodPost, "/api/basket/order", orderBody, "Basket-Token", left); status != http.StatusCreated {
		t.Errorf("the open basket cannot be ordered: %d", status)
	}
}
