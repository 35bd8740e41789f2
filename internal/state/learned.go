package state

import "strings"

// Learned reports whether what stands at a key was learned from a shop and will be
// again: what it says of itself, its catalogue, its photographs. A store that holds
// nothing else is empty to whoever restores a backup.
func Learned(key string) bool {
	for _, prefix := range []string{"shop/", "crawl/", "photo/"} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}
