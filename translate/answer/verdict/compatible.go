package verdict

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
)

// device is what something has to fit, as a clause may name it.
type device struct {
	// names are the words of it, the maker's left out where others are left, in the
	// ways that it is called: "ps 5" is "playstation 5".
	names [][]string
}

// deviceOf returns the device that forms name.
func deviceOf(forms []string) *device {
	names := slices.DeleteFunc(slices.Clone(forms), maker)
	if len(names) == 0 {
		names = forms
	}
	d := &device{names: [][]string{names}}
	if number, ok := strings.CutPrefix(names[0], "ps"); ok && len(number) == 1 {
		d.names = append(d.names, append([]string{"playstation", number}, names[1:]...))
	}
	return d
}

// maker reports whether a word only says who makes a device: "Galaxy S9" and
// "Samsung Galaxy S9" are one.
func maker(form string) bool {
	switch form {
	case "apple", "samsung", "google", "sony", "huawei", "xiaomi", "amazon", "microsoft", "nintendo", "motorola", "hp", "lenovo", "dell", "asus", "acer":
		return true
	}
	return false
}

// find returns where a clause names the device, and how many words that are; -1
// where it does not. A device is another with another model's word behind it: an
// iPhone 6 Plus is no iPhone 6.
func (d *device) find(clause []term) (at, n int) {
	for _, names := range d.names {
		for at := 0; at+len(names) <= len(clause); at++ {
			if n := d.standsAt(clause[at:], names); n > 0 {
				return at, n
			}
		}
	}
	return -1, 0
}

// standsAt returns how many words name the device at the front of a clause, zero
// if they do not. Models may be listed: "iPhone 5/5S and SE".
func (d *device) standsAt(clause []term, names []string) int {
	last := len(names) - 1
	exact := strings.ContainsAny(strings.Join(names, ""), "0123456789") // any iPad is an iPad
	for i, name := range names[:last] {
		if !sameModel(clause[i].form, name) {
			return 0
		}
	}
	for i := last; i < len(clause); i++ {
		t := clause[i]
		switch {
		case sameModel(t.form, names[last]):
			if !exact || i+1 == len(clause) || !otherModel(clause[i+1]) {
				return i + 1
			}
		case last == 0, !listed(t) && !slices.Contains(names[:last], t.form):
			return 0
		}
	}
	return 0
}

// sameModel compares one word of a device's name. Its size may be in inches.
func sameModel(form, name string) bool { return form == name || form == name+"inch" }

// otherModel reports whether a word behind the name of a device makes it another.
func otherModel(t term) bool {
	switch t.form {
	case "plus", "pro", "max", "mini", "ultra", "lite", "xl", "fe", "se":
		return true
	}
	return false
}

// listed reports whether a word may stand between the models in a list.
func listed(t term) bool {
	switch t.form {
	case "/", "&", "+", "or":
		return true
	}
	return t.role.Has(language.And|language.Or|language.Model) || strings.ContainsAny(t.form, "0123456789")
}
