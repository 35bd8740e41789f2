package caddymodule

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/caddyserver/caddy/v2"
	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/keyring"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/internal/state/archive"
	"github.com/storeware/caddy-storeware/translate/answer/facts"
)

func init() {
	caddy.RegisterModule(new(adminAPI))
}

// adminAPI adds to Caddy's admin API what an operator does with the shops that
// run. Every route is about the configuration that is active when it is called.
//
//	GET    /storeware/health           the state and the shops: 503 if the state is away
//	GET    /storeware/agents           the agents of a shop (?shop=)
//	POST   /storeware/agents           add an agent; the answer holds its key
//	DELETE /storeware/agents           revoke an agent (?shop= &agent=, a name or id)
//	GET    /storeware/keys             the published signing keys of a shop (?shop=)
//	POST   /storeware/keys/rotate      make a new signing key (?shop=)
//	POST   /storeware/keys/revoke      remove a signing key at once (?shop= &kid=)
//	GET    /storeware/index            how far a shop's catalogue is known (?shop=)
//	POST   /storeware/read             how a shop reads a question (?shop=)
//	PUT    /storeware/facts            record facts of products, a CSV file (?shop=)
//	GET    /storeware/facts            what is asked for and recorded nowhere (?shop=)
//	GET    /storeware/doctor           what only Caddy itself knows of the shops
//	POST   /storeware/doctor/key       a key for an examination (?shop=)
//	DELETE /storeware/doctor/key       end it (?shop= &visitor=, its id)
//	GET    /storeware/state/backup     all that is stored, as one archive
//	POST   /storeware/state/restore    put back what backup gave (?replace=true)
//
// Where one shop runs alone, shop may be left out.
type adminAPI struct{}

// CaddyModule returns the Caddy module information.
func (*adminAPI) CaddyModule() caddy.ModuleInfo {
	return caddy.ModuleInfo{
		ID:  "admin.api.storeware",
		New: func() caddy.Module { return new(adminAPI) },
	}
}

// Routes returns the routes.
func (*adminAPI) Routes() []caddy.AdminRoute {
	var routes []caddy.AdminRoute
	for pattern, methods := range map[string]adminMethods{
		"/storeware/health":        {http.MethodGet: adminHealth},
		"/storeware/agents":        {http.MethodGet: adminListAgents, http.MethodPost: adminAddAgent, http.MethodDelete: adminRevokeAgent},
		"/storeware/keys":          {http.MethodGet: adminListKeys},
		"/storeware/keys/rotate":   {http.MethodPost: adminRotateKey},
		"/storeware/keys/revoke":   {http.MethodPost: adminRevokeKey},
		"/storeware/index":         {http.MethodGet: adminIndex},
		"/storeware/read":          {http.MethodPost: adminRead},
		"/storeware/facts":         {http.MethodGet: adminGaps, http.MethodPut: adminImportFacts},
		"/storeware/doctor":        {http.MethodGet: adminInside},
		"/storeware/doctor/key":    {http.MethodPost: adminAdmitVisitor, http.MethodDelete: adminDismissVisitor},
		"/storeware/state/backup":  {http.MethodGet: adminBackup},
		"/storeware/state/restore": {http.MethodPost: adminRestore},
	} {
		routes = append(routes, caddy.AdminRoute{Pattern: pattern, Handler: methods})
	}
	return routes
}

// adminMethods are what a route does, by HTTP method.
type adminMethods map[string]func(w http.ResponseWriter, r *http.Request, a *App) error

// ServeHTTP implements caddy.AdminHandler.
func (m adminMethods) ServeHTTP(w http.ResponseWriter, r *http.Request) error {
	do, ok := m[r.Method]
	if !ok {
		for method := range m {
			w.Header().Add("Allow", method)
		}
		return caddy.APIError{HTTPStatus: http.StatusMethodNotAllowed, Err: fmt.Errorf("method %s is not allowed", r.Method)}
	}
	app, err := caddy.ActiveContext().AppIfConfigured(appName)
	if err != nil {
		return caddy.APIError{HTTPStatus: http.StatusServiceUnavailable, Err: errors.New("the running configuration has no storeware in it")}
	}
	if err := do(w, r, app.(*App)); err != nil {
		return adminError(err)
	}
	return nil
}

// adminError gives an error the status that it deserves.
func adminError(err error) error {
	var told caddy.APIError
	if errors.As(err, &told) {
		return told
	}
	status := http.StatusInternalServerError
	for _, known := range []struct {
		err    error
		status int
	}{
		{agents.ErrInvalid, http.StatusBadRequest},
		{agents.ErrNotFound, http.StatusNotFound},
		{agents.ErrNameTaken, http.StatusConflict},
		{agents.ErrDeclared, http.StatusConflict},
		{keyring.ErrRotating, http.StatusConflict},
		{keyring.ErrNoKey, http.StatusNotFound},
		{errFull, http.StatusTooManyRequests},
		{errNoVisitor, http.StatusNotFound},
		{facts.ErrFacts, http.StatusBadRequest},
		{state.ErrNotEmpty, http.StatusConflict},
		{state.ErrSchema, http.StatusConflict},
		{archive.ErrDamaged, http.StatusBadRequest},
		{state.ErrUnavailable, http.StatusServiceUnavailable},
	} {
		if errors.Is(err, known.err) {
			status = known.status
			break
		}
	}
	return caddy.APIError{HTTPStatus: status, Err: err}
}

// answerJSON writes an answer.
func answerJSON(w http.ResponseWriter, status int, body any) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, err = w.Write(append(encoded, '\n'))
	return err
}

// query returns a parameter of the request's address.
func query(r *http.Request, name string) string { return r.URL.Query().Get(name) }

// shopNamed returns a handler of the shop of a name, the only one for no name.
func (a *App) shopNamed(name string) (*Handler, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	var names []string
	for _, h := range a.handlers {
		if h.Name == name {
			return h, nil
		}
		if !slices.Contains(names, h.Name) {
			names = append(names, h.Name)
		}
	}
	slices.Sort(names)
	switch {
	case name != "" && len(names) > 0:
		return nil, caddy.APIError{HTTPStatus: http.StatusNotFound, Err: fmt.Errorf("no shop is called %q: there is %s", name, list(names, "and"))}
	case len(names) == 1:
		return a.handlers[0], nil
	case len(names) == 0:
		return nil, caddy.APIError{HTTPStatus: http.StatusNotFound, Err: errors.New("the running configuration has no shop")}
	}
	return nil, caddy.APIError{HTTPStatus: http.StatusBadRequest, Err: fmt.Errorf("say which shop, with --shop (shop in the API): there are %s", list(names, "and"))}
}

// Interface guards
var _ caddy.AdminRouter = (*adminAPI)(nil)
