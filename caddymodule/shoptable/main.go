// Command shoptable writes the README's table of shops: what each can do, as its
// adapter says. It calls no shop.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

//go:generate go run .

// readme is the file with the table, from this folder.
const readme = "../../README.md"

// The table stands between these lines.
const (
	begin = "<!-- The table is made by go generate ./caddymodule/shoptable. -->\n"
	end   = "<!-- The table ends here. -->\n"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "shoptable:", err)
		os.Exit(1)
	}
}

func run() error {
	text, err := os.ReadFile(readme)
	if err != nil {
		return err
	}
	made, err := withTable(string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(readme, []byte(made), 0o644)
}

// withTable returns the README with the table as it has to be.
func withTable(text string) (string, error) {
	before, rest, found := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		return "", errors.New("the README has no place for the table")
	}
	rows, err := shops()
	if err != nil {
		return "", err
	}
	return before + begin + table(rows) + end + after, nil
}
