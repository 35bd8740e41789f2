package fakeshop

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
)

// request is a GraphQL request.
type request struct {
	Query         string
	OperationName string
	Variables     map[string]any
}

// ServeHTTP implements http.Handler.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	admin := strings.HasPrefix(r.URL.Path, "/admin/")
	path := strings.TrimPrefix(r.URL.Path, "/admin")
	if r.Method != http.MethodPost || !strings.HasPrefix(path, "/api/") || !strings.HasSuffix(path, "/graphql.json") {
		http.NotFound(w, r)
		return
	}
	var asked request
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	if err := decoder.Decode(&asked); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if intercept := s.ask(asked.OperationName); intercept != nil && intercept(asked.OperationName, w, r) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("X-Shopify-API-Version", s.options.Version)
	if !welcome(r, admin) {
		w.WriteHeader(http.StatusUnauthorized)
		write(w, map[string]any{"errors": "[API] Invalid API key or access token"})
		return
	}
	schema, root := s.options.Storefront, s.storefront
	if admin {
		schema, root = s.options.Admin, s.admin
	}
	write(w, s.answer(asked, schema, root))
}

// ask notes that an operation was asked for, and returns who may answer instead.
func (s *Shop) ask(operation string) Intercept {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, operation)
	return s.intercept
}

// welcome reports whether a request has the token it needs. With a private token
// Shopify wants to know the buyer's address where there is one.
func welcome(r *http.Request, admin bool) bool {
	private := r.Header.Get("Shopify-Storefront-Private-Token")
	switch {
	case admin:
		return r.Header.Get("X-Shopify-Access-Token") == AdminToken && private == ""
	case private != "":
		return private == PrivateToken && r.Header.Get("Shopify-Storefront-Buyer-IP") == r.Header.Get("X-Forwarded-For")
	}
	return r.Header.Get("X-Shopify-Storefront-Access-Token") == PublicToken
}

func write(w http.ResponseWriter, answer any) {
	// The client may have gone; there is nobody to tell.
	_ = json.NewEncoder(w).Encode(answer)
}

// answer runs a request, if Shopify would.
func (s *Shop) answer(asked request, schema *ast.Schema, root func(*ast.OperationDefinition, map[string]any) object) map[string]any {
	document, err := parser.ParseQuery(&ast.Source{Input: asked.Query})
	if err != nil {
		return s.refuse("", err)
	}
	operation := document.Operations.ForName(asked.OperationName)
	if operation == nil {
		return s.refuse("", fmt.Errorf("there is no operation %q", asked.OperationName))
	}
	if schema != nil {
		if problems := validator.ValidateWithRules(schema, document, nil); len(problems) > 0 {
			return s.refuse("", problems)
		}
		if _, err := validator.VariableValues(schema, operation, asked.Variables); err != nil {
			return s.refuse("INVALID_VARIABLE", err)
		}
	}
	if err := checkLists(asked.Variables); err != nil {
		return s.refuse("INVALID_VARIABLE", err)
	}
	variables := withDefaults(operation, asked.Variables)
	run := execution{document: document, variables: variables}
	answer := map[string]any{"data": run.run(operation, root(operation, variables))}
	if len(run.errors) > 0 {
		answer["errors"] = run.errors
	}
	return answer
}

// refuse says that a request was not run, and tells who minds.
func (s *Shop) refuse(code string, why error) map[string]any {
	s.options.Refused(why)
	problem := map[string]any{"message": why.Error()}
	if code != "" {
		problem["extensions"] = map[string]any{"code": code}
	}
	return map[string]any{"errors": []any{problem}}
}

// checkLists refuses lists that are longer than Shopify takes.
func checkLists(value any) error {
	var problems []error
	switch v := value.(type) {
	case map[string]any:
		for _, one := range v {
			problems = append(problems, checkLists(one))
		}
	case []any:
		if len(v) > 250 {
			return fmt.Errorf("a list of %d values is longer than 250", len(v))
		}
		for _, one := range v {
			problems = append(problems, checkLists(one))
		}
	}
	return errors.Join(problems...)
}

// withDefaults returns the variables with what the operation says of those that
// were left out.
func withDefaults(o *ast.OperationDefinition, given map[string]any) map[string]any {
	all := make(map[string]any, len(given))
	for name, value := range given {
		all[name] = value
	}
	for _, d := range o.VariableDefinitions {
		if _, ok := all[d.Variable]; !ok && d.DefaultValue != nil {
			all[d.Variable], _ = d.DefaultValue.Value(nil)
		}
	}
	return all
}

// Ask runs a document of the Storefront API as it stands.
func (s *Shop) Ask(document, operation string, variables map[string]any) map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.answer(request{document, operation, variables}, s.options.Storefront, s.storefront)
}
