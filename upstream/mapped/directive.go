package mapped

import "slices"

// maxDepth is how deep blocks may be nested.
const maxDepth = 6

// directive is a line of a mapping, with the block that it opens if it does.
type directive struct {
	at     Position
	name   string
	args   []Token
	block  []directive
	braced bool
}

// directives makes lines of tokens. The error is a [*Fault].
func directives(tokens []Token) ([]directive, error) {
	r := treeReader{tokens: tokens}
	lines, err := r.lines(0)
	if err != nil {
		return nil, err
	}
	if len(r.tokens) > 0 {
		return nil, faultf(r.tokens[0].At, "this } closes no block")
	}
	return lines, nil
}

// treeReader holds the tokens that were not read yet.
type treeReader struct{ tokens []Token }

// lines reads to the end of the text, or to the brace that closes the block.
func (r *treeReader) lines(depth int) ([]directive, error) {
	var lines []directive
	for len(r.tokens) > 0 && !r.tokens[0].is("}") {
		line, err := r.line(depth)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// line reads a line and its block.
func (r *treeReader) line(depth int) (directive, error) {
	words := r.take()
	first := words[0]
	d := directive{at: first.At, name: first.Text, args: words[1:]}
	switch {
	case first.is("{"):
		return d, faultf(first.At, "a block needs a name before its {")
	case len(d.args) == 0 || !d.args[len(d.args)-1].is("{"):
		if slices.ContainsFunc(d.args, func(t Token) bool { return t.is("}") }) {
			return d, faultf(d.at, "the } that closes a block stands on a line of its own")
		}
		return d, nil
	case depth == maxDepth:
		return d, faultf(d.at, "blocks are nested too deep")
	}
	d.args, d.braced = d.args[:len(d.args)-1], true
	var err error
	if d.block, err = r.lines(depth + 1); err != nil {
		return d, err
	}
	if len(r.tokens) == 0 {
		return d, faultf(d.at, "the block of %s is not closed: write } on a line after it", d.name)
	}
	closed := r.take()
	if len(closed) > 1 {
		return d, faultf(closed[1].At, "nothing may follow a } on its line")
	}
	return d, nil
}

// take removes the tokens of the first line. One that begins where another one
// ends is on the same line.
func (r *treeReader) take() []Token {
	n := 1
	for n < len(r.tokens) && r.tokens[n].At.File == r.tokens[0].At.File && r.tokens[n].At.Line == r.tokens[n-1].lastLine() {
		n++
	}
	line := r.tokens[:n:n]
	r.tokens = r.tokens[n:]
	return line
}
