package medusa

import (
	"context"
	"slices"
	"strings"
	"unicode"
)

// maxCode is how long a discount code can be, in bytes.
const maxCode = 255

// readCodes returns the codes that a shop might know, as it would write them.
func readCodes(written []string) []string {
	codes := []string{} // A list, even with nothing in it.
	for _, code := range written {
		code = strings.TrimSpace(code)
		if code != "" && len(code) <= maxCode && !strings.ContainsFunc(code, unicode.IsControl) && !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// valid are the desired codes that the shop may know.
func (a *apply) valid() []string {
	return slices.DeleteFunc(slices.Clone(a.codes), func(code string) bool { return slices.Contains(a.kept.Unknown, code) })
}

// codesDiffer reports whether the cart has a code that is not desired, or lacks
// one that it has not been tried on.
func (a *apply) codesDiffer() bool {
	return len(a.undesired()) > 0 || slices.ContainsFunc(a.valid(), func(code string) bool {
		return !a.held.hasCode(code) && !slices.Contains(a.kept.Absent, code)
	})
}

// undesired are the codes on the cart that shall not be there.
func (a *apply) undesired() []string {
	var codes []string
	for _, promotion := range a.held.Get("promotions").Array() {
		code := promotion.Get("code").String()
		if !promotion.Get("is_automatic").Bool() && !slices.Contains(a.codes, code) {
			codes = append(codes, code)
		}
	}
	return codes
}

// eachCode writes codes one by one, after the shop refused them together: it does
// not know one of them.
func (a *apply) eachCode(ctx context.Context) error {
	if len(a.undesired()) > 0 {
		kept := slices.DeleteFunc(a.valid(), func(code string) bool { return !a.held.hasCode(code) })
		if _, err := a.write(ctx, object{"promo_codes": kept}); err != nil {
			return err
		}
	}
	for _, code := range a.valid() {
		if a.held.hasCode(code) {
			continue
		}
		refused, err := a.write(ctx, object{"promo_codes": []string{code}}, "promotions")
		if err != nil {
			return err
		}
		if refused {
			a.kept.Unknown = append(a.kept.Unknown, code)
		}
	}
	a.sent = true
	return nil
}

// retryCodes sends the codes once more that the cart did not meet the conditions
// of before something else was changed. Medusa forgets such a code at once.
func (a *apply) retryCodes(ctx context.Context) error {
	absent := slices.DeleteFunc(a.valid(), a.held.hasCode)
	if a.sent || len(absent) == 0 {
		return nil
	}
	refused, err := a.write(ctx, object{"promo_codes": absent}, "promotions")
	if refused {
		return a.eachCode(ctx)
	}
	return err
}
