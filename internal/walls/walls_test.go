package walls_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/storeware/caddy-storeware"

// pkg is a package as go list tells it.
type pkg struct {
	ImportPath string
	Imports    []string
	Deps       []string
	TestImports,
	XTestImports []string
}

func list(t *testing.T, args ...string) []pkg {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports"}, args...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %s", exit.Stderr)
		}
		t.Fatal(err)
	}
	var pkgs []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}

// room is the part of the house a package stands in.
func room(path string) string {
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(path, module), "/"), "/")
	switch {
	case parts[0] == "upstream" && len(parts) > 1 && parts[1] != "shopclient" && parts[1] != "shoptest" && parts[1] != "listwalk":
		return "upstream/" + parts[1]
	case parts[0] == "translate" && len(parts) > 1:
		return "translate/" + parts[1]
	case parts[0] == "upstream" && len(parts) > 1:
		return "upstream for adapters"
	}
	return parts[0]
}

// allowed says which rooms a room may import besides itself.
func allowed(from, to string) bool {
	if to == "internal" {
		return true
	}
	switch {
	case from == "cmd":
		// The demo and the shop of its own process are commands of the binary.
		return to == "caddymodule" || strings.HasPrefix(to, "upstream/")
	case from == "caddymodule":
		return to != "cmd"
	case from == "translate/basket", from == "translate/answer":
		return to == "upstream"
	case strings.HasPrefix(from, "translate/"):
		return to == "upstream" || to == "translate/basket" || to == "translate/answer"
	case strings.HasPrefix(from, "upstream/"):
		return to == "upstream" || to == "upstream for adapters"
	case from == "upstream for adapters":
		return to == "upstream"
	}
	return false
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	for _, p := range list(t, "./...") {
		for _, imported := range p.Imports {
			if !strings.HasPrefix(imported, module) {
				continue
			}
			if from, to := room(p.ImportPath), room(imported); from != to && !allowed(from, to) {
				t.Errorf("%s imports %s: %s may not know %s", p.ImportPath, imported, from, to)
			}
		}
	}
}

// Everything but the Caddy room compiles without Caddy, so that it is tested in
// seconds and can serve another host one day.
func TestOnlyTheCaddyRoomKnowsCaddy(t *testing.T) {
	for _, p := range list(t, "./translate/...", "./upstream/...", "./internal/...") {
		for _, dep := range p.Deps {
			for _, foreign := range []string{"github.com/caddyserver/", "go.uber.org/zap", "github.com/prometheus/"} {
				if strings.HasPrefix(dep, foreign) {
					t.Errorf("%s depends on %s", p.ImportPath, dep)
				}
			}
		}
	}
}

// What only tests need is not linked into the binary.
func TestBinaryLinksNothingOfTheTests(t *testing.T) {
	for _, p := range list(t, "./cmd/storeware") {
		for _, unwanted := range []string{
			"testing", "pgregory.net/rapid", "github.com/google/go-cmp/cmp", "github.com/alicebob/miniredis/v2",
			"github.com/remitly-oss/httpsig-go",
			module + "/internal/spectest", module + "/upstream/shoptest",
		} {
			if slices.Contains(p.Deps, unwanted) {
				t.Errorf("the binary links %s", unwanted)
			}
		}
	}
}
