package mapped

import (
	"reflect"
	"strings"
)

// labelled is a value with what it is called in a mapping.
type labelled struct {
	// Block is the outermost block it is in, such as product.
	block string
	// field is its name, with those of the blocks within the outermost one.
	field string
	// sent: it goes into a request.
	sent bool
	Value
}

// values returns every mapped value of the mapping.
func (m *Mapping) values() []labelled {
	var w valueWalk
	w.walk(reflect.ValueOf(*m), nil, false)
	return w.all
}

// valueWalk goes through the fields of a mapping. What they are called in JSON is
// what they are called in the text.
type valueWalk struct{ all []labelled }

func (w *valueWalk) walk(v reflect.Value, path []string, sent bool) {
	switch value := v.Interface().(type) {
	case Value:
		if value.mapped() {
			label := labelled{Value: value, sent: sent}
			if len(path) > 0 {
				label.block, label.field = path[0], strings.Join(path[1:], ".")
			}
			w.all = append(w.all, label)
		}
		return
	case Setting:
		w.walk(reflect.ValueOf(value.Value), append(path[:len(path):len(path)], value.Name), true)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			w.walk(v.Elem(), path, sent)
		}
	case reflect.Slice:
		for i := range v.Len() {
			w.walk(v.Index(i), path, sent)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			inner := path[:len(path):len(path)]
			if name != "" {
				inner = append(inner, name)
			}
			if field.IsExported() {
				w.walk(v.Field(i), inner, sent)
			}
		}
	}
}
