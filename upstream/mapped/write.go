package mapped

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/secret"
)

// writer makes the values of requests.
type writer struct {
	tables map[string]map[string]string
	money  Scale
	names  names
}

// texts returns what a value comes to, as texts. There is none if it comes to
// nothing.
func (w *writer) texts(v Value) ([]string, error) {
	for _, source := range v.From {
		texts, err := w.source(v, source.Text)
		if err != nil {
			return nil, err
		}
		if len(texts) > 0 {
			return w.operate(v, texts), nil
		}
	}
	if v.Default != "" {
		return []string{v.Default}, nil
	}
	return nil, nil
}

// source fills a template. Only a template that is a name alone can be a list.
func (w *writer) source(v Value, template string) ([]string, error) {
	if name, ok := alone(template); ok {
		return w.value(v, w.names.value(name))
	}
	var failed error
	text, found := fill(template, func(name string) string {
		texts, err := w.value(v, w.names.value(name))
		if err != nil {
			failed = err
		}
		return strings.Join(texts, ",")
	})
	if failed != nil || !found {
		return nil, failed
	}
	return []string{strings.TrimSpace(text)}, nil
}

// value writes what a name stands for.
func (w *writer) value(v Value, value any) ([]string, error) {
	var text string
	switch value := value.(type) {
	case nil:
	case string:
		text = value
	case int64:
		text = strconv.FormatInt(value, 10)
	case []string:
		return value, nil
	case secret.String:
		text = value.Reveal()
	case gjson.Result:
		if value.IsArray() {
			return flat(value), nil
		}
		text = literal(value)
	case money.Amount:
		scale := v.Scale
		if scale == "" {
			scale = w.money
		}
		number, err := writeAmount(value, scale)
		if err != nil {
			return nil, fmt.Errorf("writing an amount: %w", err)
		}
		text = number
	}
	if text == "" {
		return nil, nil
	}
	return []string{text}, nil
}

// operate does to texts what their value says. What is not in the table is
// nothing.
func (w *writer) operate(v Value, texts []string) []string {
	var out []string
	for _, text := range texts {
		if v.Table != "" {
			row, ok := w.tables[v.Table][text]
			if !ok {
				row = w.tables[v.Table]["*"]
			}
			text = row
		}
		switch v.Case {
		case CaseUpper:
			text = strings.ToUpper(text)
		case CaseLower:
			text = strings.ToLower(text)
		}
		if text != "" {
			out = append(out, text)
		}
	}
	switch {
	case len(out) == 0 && v.Default != "":
		return []string{v.Default}
	case v.Join != "" && len(out) > 0:
		return []string{strings.Join(out, v.Join)}
	}
	return out
}

// text returns what a value comes to as one text.
func (w *writer) text(v Value) (string, error) {
	texts, err := w.texts(v)
	return strings.Join(texts, ","), err
}

// set writes settings into a JSON text. Those for a line are left to setLine.
func (w *writer) set(body string, settings []Setting) (string, error) {
	for _, s := range settings {
		if forLines(s.Name) {
			continue
		}
		var err error
		if body, err = w.write(body, s.Name, s.Value); err != nil {
			return "", err
		}
	}
	return body, nil
}

// setLine writes the settings for the line at index i.
func (w *writer) setLine(body string, i int, settings []Setting) (string, error) {
	for _, s := range settings {
		if !forLines(s.Name) {
			continue
		}
		var err error
		if body, err = w.write(body, linePath(s.Name, i), s.Value); err != nil {
			return "", err
		}
	}
	return body, nil
}

// forLines reports whether a path has the element that stands for each line.
func forLines(path string) bool { return strings.Contains("."+path+".", ".#.") }

func linePath(path string, i int) string {
	elements := strings.Split(path, ".")
	for at, element := range elements {
		if element == "#" {
			elements[at] = strconv.Itoa(i)
		}
	}
	return strings.Join(elements, ".")
}

// write writes one value. One that comes to nothing leaves the body as it is.
func (w *writer) write(body, path string, v Value) (string, error) {
	texts, err := w.texts(v)
	if err != nil || len(texts) == 0 {
		return body, err
	}
	raw, err := w.raw(v, texts)
	if err != nil {
		return "", err
	}
	out, err := sjson.SetRaw(body, path, raw)
	if err != nil {
		return "", faultf(v.At, "%q is no path to write to", path)
	}
	return out, nil
}

// raw is a value as JSON: a number or a list where the template is a name of one,
// or what the value says that it is; else a text.
func (w *writer) raw(v Value, texts []string) (string, error) {
	text := strings.Join(texts, ",")
	plainly := v.Table == "" && v.Case == "" && v.Join == "" && len(v.From) == 1
	switch v.As {
	case AsText:
		return quoted(text)
	case AsNumber:
		if text == "true" || text == "false" || gjson.Valid(text) && gjson.Parse(text).Type == gjson.Number {
			return text, nil
		}
		return "", faultf(v.At, "what is written there is no number")
	case AsJSON:
		if gjson.Valid(text) {
			return text, nil
		}
		return "", faultf(v.At, "what is written there is no JSON")
	}
	if name, ok := alone(v.From[0].Text); ok && plainly {
		switch value := w.names.value(name).(type) {
		case []string:
			encoded, err := json.Marshal(value)
			return string(encoded), err
		case int64, money.Amount:
			return text, nil
		case gjson.Result:
			return value.Raw, nil
		}
	}
	return quoted(text)
}

func quoted(text string) (string, error) {
	encoded, err := json.Marshal(text)
	return string(encoded), err
}
