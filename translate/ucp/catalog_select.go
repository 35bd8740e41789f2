package ucp

import (
	"slices"
	"strings"

	"github.com/storeware/caddy-storeware/upstream"
)

// has reports whether a variant has everything that is selected.
func has(v *upstream.Variant, selected []SelectedOption) bool {
	for _, s := range selected {
		if !slices.Contains(v.Options, upstream.Choice{Name: s.Name, Value: s.Label}) {
			return false
		}
	}
	return true
}

// anyHas reports whether a variant has everything that is selected, and whether
// one of those that do can be bought.
func anyHas(variants []upstream.Variant, selected []SelectedOption) (exists, available bool) {
	for i := range variants {
		if has(&variants[i], selected) {
			exists = true
			if variants[i].Availability.Buyable() {
				return true, true
			}
		}
	}
	return exists, false
}

// spelled returns a selection in the words of the shop. Words that the shop does
// not have stay as they are.
func spelled(p *upstream.Product, selected []SelectedOption) []SelectedOption {
	out := slices.Clone(selected)
	for i := range out {
		for _, option := range p.Options {
			if !strings.EqualFold(option.Name, out[i].Name) {
				continue
			}
			out[i].Name = option.Name
			for _, value := range option.Values {
				if strings.EqualFold(value, out[i].Label) {
					out[i].Label = value
				}
			}
		}
	}
	return out
}

// relax drops selections until a variant has all that are left: first those that
// no variant has at all, then those without a preference, and then the least
// preferred (catalog/lookup, "Option Selection"). Of two that come equally late
// the one selected last goes first.
func relax(variants []upstream.Variant, selected []SelectedOption, preferences []string) []SelectedOption {
	selected = slices.DeleteFunc(slices.Clone(selected), func(s SelectedOption) bool {
		exists, _ := anyHas(variants, []SelectedOption{s})
		return !exists
	})
	rank := func(s SelectedOption) int {
		at := slices.IndexFunc(preferences, func(name string) bool { return strings.EqualFold(name, s.Name) })
		if at < 0 {
			return len(preferences)
		}
		return at
	}
	for {
		if exists, _ := anyHas(variants, selected); exists || len(selected) == 0 {
			return selected
		}
		last := 0
		for i := range selected {
			if rank(selected[i]) >= rank(selected[last]) {
				last = i
			}
		}
		selected = slices.Delete(selected, last, last+1)
	}
}

// signalAvailability says of every option value whether a variant exists, and
// whether one can be bought, that has this value beside all else that is
// selected.
func signalAvailability(p *Product, variants []upstream.Variant, selected []SelectedOption) {
	for _, option := range p.Options {
		others := slices.DeleteFunc(slices.Clone(selected), func(s SelectedOption) bool { return s.Name == option.Name })
		for i := range option.Values {
			value := &option.Values[i]
			exists, available := anyHas(variants, append(others[:len(others):len(others)], SelectedOption{option.Name, value.Label}))
			value.Exists, value.Available = &exists, &available
		}
	}
}
