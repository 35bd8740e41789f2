package wootest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// route is a route of the API as the shop describes it itself.
type route struct {
	Route   string              `json:"route"`
	Methods []string            `json:"methods"`
	Args    map[string]argument `json:"args"`
	pattern *regexp.Regexp
}

// argument is a parameter of a route, in JSON Schema as WordPress has it.
type argument struct {
	Type       any             `json:"type"`
	Enum       []any           `json:"enum"`
	Minimum    *float64        `json:"minimum"`
	Maximum    *float64        `json:"maximum"`
	MaxItems   int             `json:"maxItems"`
	Items      *argument       `json:"items"`
	Properties json.RawMessage `json:"properties"`
	Required   any             `json:"required"`
}

func (r *route) compile() { r.pattern = regexp.MustCompile("^" + r.Route + "$") }

// refusal is a recorded refusal.
type refusal struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

// exchange is a request to an API and its answer.
type exchange struct {
	shop  *Shop
	w     http.ResponseWriter
	r     *http.Request
	path  string
	route *route
	args  object // what the request is given, from its path, query and body
	inner bool   // it is part of a batch

	session *session
}

// refuse answers with a recorded refusal.
func (c *exchange) refuse(name string) { c.refuseWith(name, nil) }

// refuseWith answers with a recorded refusal and more data.
func (c *exchange) refuseWith(name string, data object) {
	recorded, ok := c.shop.errors[name]
	if !ok {
		c.shop.t.Errorf("no refusal %q was recorded", name)
	}
	var body object
	if err := json.Unmarshal(recorded.Body, &body); err != nil {
		c.shop.t.Errorf("%s: %v", name, err)
	}
	if len(data) > 0 {
		maps.Copy(body["data"].(object), data)
	}
	c.shop.answer(c.w, recorded.Status, body, nil)
}

// read finds the route and checks what the request is given. It reports false
// if the request was refused.
func (c *exchange) read() bool {
	var groups []string
	for i := range c.shop.routes {
		one := &c.shop.routes[i]
		if found := one.pattern.FindStringSubmatch(c.path); found != nil && slices.Contains(one.Methods, c.r.Method) {
			c.route, groups = one, found
			break
		}
	}
	if c.route == nil {
		c.refuse("157-unknown-route")
		return false
	}
	c.args = make(object)
	for i, name := range c.route.pattern.SubexpNames() {
		if name != "" {
			c.args[name] = groups[i]
		}
	}
	if !c.inner && !c.readBody() {
		return false
	}
	c.readQuery()
	return c.check()
}

// readBody reads a body, JSON or a form.
func (c *exchange) readBody() bool {
	body, err := io.ReadAll(c.r.Body)
	if err != nil {
		c.shop.t.Errorf("reading a body: %v", err)
	}
	if len(body) == 0 {
		return true
	}
	if strings.HasPrefix(c.r.Header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		form, err := url.ParseQuery(string(body))
		if err != nil {
			c.shop.t.Errorf("%s %s: %v", c.r.Method, c.path, err)
		}
		for name := range form {
			c.args[name] = form.Get(name)
		}
		return true
	}
	if !strings.HasPrefix(c.r.Header.Get("Content-Type"), "application/json") {
		c.shop.t.Errorf("%s %s: the body is %q", c.r.Method, c.path, c.r.Header.Get("Content-Type"))
	}
	var given object
	if err := json.Unmarshal(body, &given); err != nil {
		c.refuse("226-add-item-bad-json")
		return false
	}
	maps.Copy(c.args, given)
	return true
}

// elements is a parameter that is a list, written as PHP reads one.
var elements = regexp.MustCompile(`^(\w+)\[(\d*)\]$`)

// readQuery reads the query.
func (c *exchange) readQuery() {
	query := c.r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		value := query.Get(name)
		if found := elements.FindStringSubmatch(name); found != nil {
			list, _ := c.args[found[1]].([]any)
			c.args[found[1]] = append(list, value)
			continue
		}
		switch {
		case name == "rest_route", name == "_fields", strings.HasPrefix(name, "oauth_"):
		case c.path == "/wc/store/v1/checkout" && name == "__experimental_calc_totals":
		case strings.HasPrefix(c.path, "/wc/store/v1/order/") && (name == "key" || name == "billing_email"):
			c.args[name] = value
		default:
			c.args[name] = value
		}
	}
}

// check holds what the request is given against the route's schema.
func (c *exchange) check() bool {
	var missing, wrong []string
	params, details := make(object), make(object)
	for name, a := range c.route.Args {
		value, given := c.args[name]
		if !given {
			if a.Required == true {
				missing = append(missing, name)
			}
			continue
		}
		if name == "payment_method" {
			for _, gateway := range gateways() {
				a.Enum = append(a.Enum, gateway.id)
			}
		}
		if code, message := a.check(name, value); code != "" {
			wrong = append(wrong, name)
			params[name] = message
			details[name] = object{"code": code, "message": message, "data": nil}
		}
	}
	for name := range c.args {
		isPath := slices.Contains(c.route.pattern.SubexpNames(), name)
		isOrder := strings.HasPrefix(c.path, "/wc/store/v1/order/") && (name == "key" || name == "billing_email")
		if _, known := c.route.Args[name]; !known && !isPath && !isOrder {
			c.shop.t.Errorf("%s %s has no parameter %q", c.r.Method, c.path, name)
		}
	}
	slices.Sort(missing)
	slices.Sort(wrong)
	switch {
	case len(missing) > 0:
		c.shop.answer(c.w, http.StatusBadRequest, object{
			"code": "rest_missing_callback_param", "message": "Missing parameter(s): " + strings.Join(missing, ", "),
			"data": object{"status": 400, "params": missing},
		}, nil)
		return false
	case len(wrong) > 0:
		c.shop.answer(c.w, http.StatusBadRequest, object{
			"code": "rest_invalid_param", "message": "Invalid parameter(s): " + strings.Join(wrong, ", "),
			"data": object{"status": 400, "params": params, "details": details},
		}, nil)
		return false
	}
	return true
}

// check says what is wrong with a value, in WordPress's words, or nothing.
func (a argument) check(name string, value any) (code, message string) {
	types, _ := a.Type.([]any)
	if one, ok := a.Type.(string); ok {
		types = []any{one}
	}
	if len(types) > 0 && !slices.ContainsFunc(types, func(t any) bool { return isOf(t.(string), value) }) {
		return "rest_invalid_type", fmt.Sprintf("%s is not of type %v.", name, types[0])
	}
	if len(a.Enum) > 0 && !slices.ContainsFunc(a.Enum, func(e any) bool { return fmt.Sprint(e) == fmt.Sprint(value) }) {
		return "rest_not_in_enum", fmt.Sprintf("%s is not one of %v.", name, a.Enum)
	}
	if n, err := strconv.ParseFloat(fmt.Sprint(value), 64); err == nil {
		if a.Minimum != nil && n < *a.Minimum || a.Maximum != nil && n > *a.Maximum {
			return "rest_out_of_bounds", fmt.Sprintf("%s is out of bounds", name)
		}
	}
	list, _ := value.([]any)
	if a.MaxItems > 0 && len(list) > a.MaxItems {
		return "rest_too_many_items", fmt.Sprintf("%s must contain at most %d items.", name, a.MaxItems)
	}
	if a.Items != nil {
		for i, one := range list {
			if code, message = a.Items.check(fmt.Sprintf("%s[%d]", name, i), one); code != "" {
				return code, message
			}
		}
	}
	var properties map[string]argument
	if of, ok := value.(object); ok && json.Unmarshal(a.Properties, &properties) == nil {
		for property, schema := range properties {
			if inner, given := of[property]; given {
				if code, message = schema.check(name+"["+property+"]", inner); code != "" {
					return code, message
				}
			}
		}
	}
	return "", ""
}

// isOf reports whether a value is of a type, as WordPress reads values that may
// come from a query.
func isOf(kind string, value any) bool {
	text, isText := value.(string)
	number, isNumber := value.(float64)
	switch kind {
	case "string":
		return isText
	case "integer":
		if isText {
			_, err := strconv.ParseInt(text, 10, 64)
			return err == nil
		}
		return isNumber && number == math.Trunc(number)
	case "number":
		if isText {
			_, err := strconv.ParseFloat(text, 64)
			return err == nil
		}
		return isNumber
	case "boolean":
		_, is := value.(bool)
		return is || text == "true" || text == "false" || text == "1" || text == "0"
	case "array":
		_, is := value.([]any)
		return is || isText
	case "object":
		_, is := value.(object)
		return is
	case "null":
		return value == nil
	}
	return false
}

// text, integer and strings read parameters.
func (c *exchange) text(name string) string {
	text, _ := c.args[name].(string)
	return text
}

func (c *exchange) integer(name string) int64 {
	switch value := c.args[name].(type) {
	case float64:
		return int64(value)
	case string:
		n, _ := strconv.ParseInt(value, 10, 64) // It was checked to be one.
		return n
	}
	return 0
}

func (c *exchange) strings(name string) []string {
	switch value := c.args[name].(type) {
	case string:
		return strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
	case []any:
		list := make([]string, len(value))
		for i, one := range value {
			list[i] = fmt.Sprint(one)
		}
		return list
	}
	return nil
}
