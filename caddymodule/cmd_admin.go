package caddymodule

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/caddyserver/caddy/v2"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	"github.com/spf13/cobra"
)

// withoutAdmin is the annotation of a command that says what to do instead where
// there is no admin API.
const withoutAdmin = "storeware: without admin"

// adminFlags adds the flags that say where the admin API is. What is to be done
// where there is none is said by instead.
func adminFlags(cmd *cobra.Command, instead string) {
	flags := cmd.PersistentFlags()
	flags.String("address", "", "Address of the admin API, if it is not the default one")
	flags.StringP("config", "c", "", "Configuration file to find the address of the admin API in")
	flags.StringP("adapter", "a", "", "Name of the config adapter for that file")
	cmd.Annotations = map[string]string{withoutAdmin: instead}
}

// adminOffError says that the file that --config names turns the admin API off.
// Whoever answers at its default address then is another Caddy.
type adminOffError struct {
	file    string
	config  []byte // what the file holds, as Caddy's JSON
	instead string
}

func (e *adminOffError) Error() string {
	return fmt.Sprintf("admin is off in %s, so the Caddy that runs it cannot be asked: %s", e.file, e.instead)
}

// adminAddress returns the address of the admin API that the flags name, or an
// *adminOffError.
func adminAddress(cmd *cobra.Command) (string, error) {
	flags := cmd.Flags()
	values := map[string]string{}
	for _, name := range []string{"address", "config", "adapter"} {
		value, err := flags.GetString(name)
		if err != nil {
			return "", err
		}
		values[name] = value
	}
	var config []byte
	if file := values["config"]; file != "" {
		var err error
		if config, _, _, err = caddycmd.LoadConfig(file, values["adapter"]); err != nil {
			return "", fmt.Errorf("finding the admin API: %w", err)
		}
		var read struct {
			Admin caddy.AdminConfig `json:"admin"`
		}
		if err := json.Unmarshal(config, &read); err != nil {
			return "", fmt.Errorf("finding the admin API in %s: %w", file, err)
		}
		if read.Admin.Disabled {
			return "", &adminOffError{file: file, config: config, instead: insteadOf(cmd)}
		}
	}
	address, err := caddycmd.DetermineAdminAPIAddress(values["address"], config, values["config"], values["adapter"])
	if err != nil {
		return "", fmt.Errorf("finding the admin API: %w", err)
	}
	return address, nil
}

// insteadOf returns what to do instead of a command, or of the one that it is below.
func insteadOf(cmd *cobra.Command) string {
	for ; cmd != nil; cmd = cmd.Parent() {
		if text, ok := cmd.Annotations[withoutAdmin]; ok {
			return text
		}
	}
	return ""
}

// maxRefusal bounds what is read of an answer that is an error, in bytes.
const maxRefusal = 1 << 20

// callAdmin calls the admin API. The caller closes the answer's body. It is not
// caddycmd.AdminAPIRequest, which knows no context and makes one text of everything
// that can go wrong.
func callAdmin(cmd *cobra.Command, method, uri string, header http.Header, body io.Reader) (*http.Response, error) {
	address, err := adminAddress(cmd)
	if err != nil {
		return nil, err
	}
	at, err := caddy.ParseNetworkAddress(address)
	if err != nil || at.PortRangeSize() > 1 {
		return nil, fmt.Errorf("%q is not the address of an admin API", address)
	}
	host, origin := at.JoinHostPort(0), "http://"+at.JoinHostPort(0)
	if at.IsUnixNetwork() {
		host, _, _ = strings.Cut(host, "|") // what follows are the socket's permissions
		origin = "http://127.0.0.1"         // which Caddy expects at a socket
	}
	request, err := http.NewRequestWithContext(cmd.Context(), method, origin+uri, body)
	if err != nil {
		return nil, fmt.Errorf("calling the admin API at %s: %w", address, err)
	}
	if !at.IsUnixNetwork() {
		request.Header.Set("Origin", origin)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, at.Network, host)
		},
	}}
	response, err := client.Do(request)
	if failed, ok := errors.AsType[*net.OpError](err); ok && failed.Op == "dial" {
		return nil, fmt.Errorf("nobody answers at %s, where the admin API should be. Is Caddy running? Start it with %s run --config FILE, or say with --address or --config where its admin API is (%w)",
			address, cmp.Or(caddy.CustomBinaryName, "caddy"), failed)
	}
	if err != nil {
		return nil, fmt.Errorf("calling the admin API at %s: %w", address, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		defer response.Body.Close()
		return nil, refusal(address, response)
	}
	return response, nil
}

// refusal is what an answer of the admin API that is an error says.
func refusal(address string, response *http.Response) error {
	text, err := io.ReadAll(io.LimitReader(response.Body, maxRefusal))
	if err != nil {
		return fmt.Errorf("reading why the admin API at %s refused: %w", address, err)
	}
	var said caddy.APIError
	if json.Unmarshal(text, &said) == nil && said.Message != "" {
		return errors.New(said.Message)
	}
	return fmt.Errorf("the admin API at %s answered %s: is that a Caddy with storeware in it? %s", address, response.Status, strings.TrimSpace(string(text)))
}

// callAdminJSON calls the admin API and decodes what it answers.
func callAdminJSON(cmd *cobra.Command, method, uri string, body io.Reader, answer any) error {
	response, err := callAdmin(cmd, method, uri, nil, body)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("reading what the admin API answered: %w", err)
	}
	return nil
}
