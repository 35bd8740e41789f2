package upstream

import (
	"fmt"
	"slices"
	"strings"
)

// DoubtPayments compares the ways to pay that a configuration names with those that
// the shop has. It returns a doubt if some of the former are not among the latter,
// and nothing otherwise.
func DoubtPayments(named, has []string) []string {
	missing := slices.DeleteFunc(slices.Clone(named), func(id string) bool { return slices.Contains(has, id) })
	if len(missing) == 0 {
		return nil
	}
	own := "it has none that is switched on"
	if len(has) > 0 {
		own = "it has " + strings.Join(has, ", ")
	}
	return []string{fmt.Sprintf("payment names %s, which the shop does not have: %s", strings.Join(missing, ", "), own)}
}
