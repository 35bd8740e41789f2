package caddymodule

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/caddyserver/caddy/v2"
	"github.com/caddyserver/caddy/v2/caddyconfig/caddyfile"
	"golang.org/x/text/language"

	"github.com/storeware/caddy-storeware/internal/pageurl"
)

// settings are the words that a Caddyfile block may hold.
type settings map[string]setting

// setting says how the rest of a word's line, and its own block, are read.
type setting struct {
	read func(d *caddyfile.Dispenser) error
	// many: the word may stand more than once.
	many bool
}

// readBlock reads the block that follows on the line of what, if there is one.
// Whatever it does not know, or finds twice, is an error that says what would be
// right.
func readBlock(d *caddyfile.Dispenser, what string, known settings) error {
	if err := nothingElse(d); err != nil {
		return err
	}
	seen := map[string]int{} // word to line
	for nesting := d.Nesting(); d.NextBlock(nesting); {
		word := d.Val()
		setting, ok := known[word]
		if !ok {
			return d.Errf("%s has no setting %q: it may hold %s", what, word, list(slices.Sorted(maps.Keys(known)), "and"))
		}
		if line, ok := seen[word]; ok && !setting.many {
			return d.Errf("%s is set twice for %s: remove this one or the one in line %d", word, what, line)
		}
		seen[word] = d.Line()
		if err := setting.read(d); err != nil {
			return err
		}
	}
	return nil
}

// nothingElse returns an error if the line goes on.
func nothingElse(d *caddyfile.Dispenser) error {
	last := d.Val()
	if d.NextArg() {
		return d.Errf("unexpected %q after %q: nothing more can stand on this line", d.Val(), last)
	}
	return nil
}

// argument moves on to the next word of the line. Without one the error says what
// it would be, as in "a name, such as contact shop@example.com".
func argument(d *caddyfile.Dispenser, want string) error {
	word := d.Val()
	if !d.NextArg() {
		return d.Errf("%s needs %s", word, want)
	}
	return nil
}

// textSetting is a word with one value.
func textSetting(to *string, want string) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, want); err != nil {
			return err
		}
		*to = d.Val()
		if d.NextArg() {
			return d.Errf("unexpected %q after %q: put a value of several words in quotes", d.Val(), *to)
		}
		return nil
	}}
}

// urlSetting is a word with an absolute URL of the web, or placeholders in it.
func urlSetting(to *string, want string) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, want); err != nil {
			return err
		}
		*to = d.Val()
		if u, err := url.Parse(*to); !strings.Contains(*to, "{") && (err != nil || !isWeb(u)) {
			return d.Errf("%q is no URL that begins with https:// or http://: write %s", *to, want)
		}
		return nothingElse(d)
	}}
}

// productExample is the address of a product's page as an operator may write it.
const productExample = "https://shop.example.com/products/{handle}"

// pageSetting is a word with the address of a page, which holds some of the names,
// to be replaced. The example is such an address.
func pageSetting(to *string, example string, names ...string) setting {
	want := "an address with {" + strings.Join(names, "} or {") + "} in it, such as " + example
	return setting{read: func(d *caddyfile.Dispenser) error {
		word := d.Val()
		if err := textSetting(to, want).read(d); err != nil {
			return err
		}
		if placeholder.MatchString(*to) {
			return nil
		}
		if _, err := pageurl.Parse(*to, names...); err != nil {
			return d.Errf("%s: %w: write %s", word, err, want)
		}
		return nil
	}}
}

// languageSetting is a word with a language.
func languageSetting(to *string) setting {
	const want = "a language tag, such as en-GB"
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := textSetting(to, want).read(d); err != nil {
			return err
		}
		if _, err := language.Parse(*to); err != nil && !placeholder.MatchString(*to) {
			return d.Errf("%q is no language: write %s", *to, want)
		}
		return nil
	}}
}

// secretSetting is a word with a value that should come from the environment or
// from a file. The name is an example of a variable.
func secretSetting(to *string, name string) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, "a value: write {env."+name+"}, and set "+name+" in Caddy's environment"); err != nil {
			return err
		}
		if err := checkSecret(d, name); err != nil {
			return err
		}
		*to = d.Val()
		return nothingElse(d)
	}}
}

// listSetting is a word with one or more values, which may stand more than once.
func listSetting(to *[]string, want string) setting {
	return setting{many: true, read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, want); err != nil {
			return err
		}
		*to = append(append(*to, d.Val()), d.RemainingArgs()...)
		return nil
	}}
}

// flagSetting is a word that stands alone.
func flagSetting(to *bool) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		*to = true
		return nothingElse(d)
	}}
}

// durationSetting is a word with a duration of more than 0.
func durationSetting(to *caddy.Duration) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, "a duration, such as 10s"); err != nil {
			return err
		}
		duration, err := caddy.ParseDuration(d.Val())
		if err != nil || duration <= 0 {
			return d.Errf("%q is no duration: write a number with a unit, such as 500ms, 10s or 1m", d.Val())
		}
		*to = caddy.Duration(duration)
		return nothingElse(d)
	}}
}

// numberSetting is a word with a whole number from least to most.
func numberSetting(to *int, least, most int) setting {
	return setting{read: func(d *caddyfile.Dispenser) error {
		if err := argument(d, fmt.Sprintf("a number from %d to %d", least, most)); err != nil {
			return err
		}
		number, err := strconv.Atoi(d.Val())
		if err != nil || number < least || number > most {
			return d.Errf("%q is no whole number from %d to %d", d.Val(), least, most)
		}
		*to = number
		return nothingElse(d)
	}}
}

// checkSecret refuses a secret that was meant to be a placeholder and is none:
// it would be taken for the secret itself, and the shop would refuse it much
// later. The text of the secret is not repeated.
func checkSecret(d *caddyfile.Dispenser, name string) error {
	value := d.Val()
	rest := placeholder.ReplaceAllString(value, "")
	if strings.ContainsAny(rest, "{}") || looksLikePlaceholder.MatchString(rest) {
		return d.Errf("this looks like a placeholder and is none: write {env.%s} for a variable of Caddy's environment, or {file./path/to/secret} for a file", name)
	}
	return nil
}

var (
	// placeholder is what Caddy replaces in a setting.
	placeholder = regexp.MustCompile(`\{(env|file|system)\.[^{}]+\}`)
	// looksLikePlaceholder is what people write when they mean one.
	looksLikePlaceholder = regexp.MustCompile(`^(\$[A-Za-z_(]|%[A-Z_]+%$|(env|file)\.)`)
)

// replace puts the values of placeholders into a setting. One that is not known,
// or empty, is an error.
func replace(name string, value *string) error {
	replaced, err := caddy.NewReplacer().ReplaceOrErr(*value, true, true)
	if err != nil {
		return fmt.Errorf("%s: %w: set it where Caddy is started, or write the value itself", name, err)
	}
	*value = replaced
	return nil
}

// replaceEach is replace for a list.
func replaceEach(name string, values []string) error {
	for i := range values {
		if err := replace(name, &values[i]); err != nil {
			return err
		}
	}
	return nil
}

// replaceKnown puts the values of global placeholders into a text that has others
// of its own.
func replaceKnown(text string) string { return caddy.NewReplacer().ReplaceKnown(text, "") }

// list writes words as a sentence has them: "a, b and c".
func list(words []string, last string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " " + last + " " + words[len(words)-1]
}

// guestNames are the names of the modules in a namespace, as a Caddyfile has them.
func guestNames(namespace string) []string {
	var names []string
	for _, module := range caddy.GetModules(namespace) {
		names = append(names, module.ID.Name())
	}
	return names
}
