package verdict

import (
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading/language"
)

// key is an attribute's name in the form it is compared in.
func (l *Lexicon) key(name string) string {
	l.mu.RLock()
	key, ok := l.keys[name]
	l.mu.RUnlock()
	if ok {
		return key
	}
	key = l.readKey(name)
	if len(name) > longestMemo {
		return key
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.keys) >= maxKeys {
		clear(l.keys)
	}
	l.keys[strings.Clone(name)] = key
	return key
}

// compared brings the keys of facts into the form they are compared in.
func (l *Lexicon) compared(facts []fact) {
	unknown := -1
	l.mu.RLock() // once for all of them
	for i := range facts {
		key, ok := l.keys[facts[i].key]
		if !ok {
			unknown = i
			break
		}
		facts[i].key = key
	}
	l.mu.RUnlock()
	for i := unknown; i >= 0 && i < len(facts); i++ {
		facts[i].key = l.key(facts[i].key)
	}
}

func (l *Lexicon) readKey(name string) string {
	key, general := language.Key(name)
	if general {
		return key
	}
	if forms := l.forms(key); len(forms) > 0 {
		return strings.Join(forms, " ")
	}
	return key
}

// chosen reports whether a key is of what a buyer chooses between: what a
// description says of it may be about something else that goes with the product.
func chosen(key string) bool {
	switch key {
	case "color", "size", "gender", "age", "brand", "pattern":
		return true
	}
	return false
}
