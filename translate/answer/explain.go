package answer

import (
	"fmt"
	"strings"

	"github.com/storeware/caddy-storeware/translate/answer/reading"
)

// Message is something that an answer says in words.
type Message struct {
	Code    string
	Content string
}

// The codes of messages.
const (
	CodeUnderstood = "ai.storeware.understood"
	CodeRuledOut   = "ai.storeware.ruled_out"
	CodeNotStocked = "ai.storeware.not_stocked"
)

// Messages say an answer in words, for those who do not read its fields.
func (a *Answer) Messages() []Message {
	messages := []Message{{CodeUnderstood, a.reading()}}
	switch {
	case a.RuledOutCount == 1:
		messages = append(messages, Message{CodeRuledOut, fmt.Sprintf(
			"1 further product matched the description but failed a stated constraint. It is %s.", amount(*a.CheapestRuledOut, a.Currency))})
	case a.RuledOutCount > 1:
		messages = append(messages, Message{CodeRuledOut, fmt.Sprintf(
			"%d further products matched the description but failed a stated constraint. The cheapest of them is %s.",
			a.RuledOutCount, amount(*a.CheapestRuledOut, a.Currency))})
	}
	if a.ResultsCount == 0 && a.RuledOutCount == 0 && a.UnrelatedCount > 0 {
		messages = append(messages, Message{CodeNotStocked, fmt.Sprintf("This shop does not sell anything of the kind: %s.", quoted(a.Understood.Query))})
	}
	return messages
}

// reading says how the question was read.
func (a *Answer) reading() string {
	u := a.Understood
	if a.Degraded {
		text := fmt.Sprintf("Searched for %s as it stands: its constraints could not be read, so none of them was applied.", quoted(u.Query))
		if filters := a.filters(u.MaxPrice, u.MinPrice, u.Required, u.Excluded, u.InStock); filters != "" {
			text += " Filtered by " + filters + ", as was asked for apart from the words."
		}
		return text
	}
	if len(u.Passes) == 0 {
		return "Read as " + a.one(u.Query, a.filters(u.MaxPrice, u.MinPrice, u.Required, u.Excluded, u.InStock)) + "." + a.recalled()
	}
	parts := make([]string, len(u.Passes))
	for i, pass := range u.Passes {
		parts[i] = a.one(pass.Query, a.filters(pass.MaxPrice, pass.MinPrice, pass.Required, pass.Excluded, pass.InStock))
	}
	return fmt.Sprintf("Read as %d things: %s.%s", len(parts), strings.Join(parts, "; "), a.recalled())
}

func (a *Answer) one(query, filters string) string {
	if filters == "" {
		return quoted(query)
	}
	return quoted(query) + ", filtered by " + filters
}

// filters lists constraints.
func (a *Answer) filters(most, least *int64, required, excluded []reading.Attribute, inStock bool) string {
	var all []string
	if most != nil {
		all = append(all, "at most "+amount(*most, a.Currency))
	}
	if least != nil {
		all = append(all, "at least "+amount(*least, a.Currency))
	}
	for _, r := range required {
		all = append(all, r.Key+"="+r.Value)
	}
	for _, x := range excluded {
		all = append(all, "not "+x.Key+"="+x.Value)
	}
	if inStock {
		all = append(all, "in stock")
	}
	return strings.Join(all, ", ")
}

// recalled says what of that was said before.
func (a *Answer) recalled() string {
	before, standing := 0, 0
	for _, r := range a.Understood.Remembered {
		if r.Scope == Standing {
			standing++
		} else {
			before++
		}
	}
	text := ""
	if before > 0 {
		text = fmt.Sprintf(" %d of that was said earlier in this conversation.", before)
	}
	if standing > 0 {
		text += fmt.Sprintf(" %d of that the shopper told the shop before.", standing)
	}
	return text
}
