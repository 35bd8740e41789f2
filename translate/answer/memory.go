package answer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/storeware/caddy-storeware/internal/money"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/answer/reading"
	"github.com/storeware/caddy-storeware/translate/answer/verdict"
)

// conversationLife is how long a conversation is kept after the last question.
const conversationLife = 24 * time.Hour

// MaxConversation bounds the id of a conversation, in bytes.
const MaxConversation = 256

// Asker is who asks. A conversation is remembered for the same asker alone.
type Asker struct {
	// Shop and Agent are the shop's name and the agent's id.
	Shop, Agent string
	// Shopper is the linked shopper's id, empty without one.
	Shopper string
}

// Memory keeps what was asked in conversations.
type Memory struct {
	// Store seals what it keeps: a conversation says what a person wants.
	Store state.Store
	// Now is the clock.
	Now func() time.Time
}

// remembered is what is kept of a conversation: the last thing that was talked
// about, with all that was said of it.
type remembered struct {
	Query    string
	Noun     string
	Min, Max *int64
	Currency money.Currency
	Required []reading.Attribute
	Excluded []reading.Attribute
	InStock  bool
}

// key is where a conversation is kept. What callers choose is hashed, so that none
// of it is read as a part of the key.
func (Memory) key(a Asker, conversation string) string {
	h := sha256.New()
	for _, part := range []string{a.Agent, a.Shopper, conversation} {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return "conversation/" + a.Shop + "/" + base64.RawURLEncoding.EncodeToString(h.Sum(nil))
}

// recall fills the gaps of a reading with what was said earlier in the same
// conversation about the same thing, and says what that was.
func (s *Service) recall(ctx context.Context, asker Asker, q Query, currency money.Currency, read *reading.Reading) ([]Remembered, error) {
	if s.Memory == nil || q.Conversation == "" || read.Degraded || len(read.Passes) != 1 {
		return nil, nil
	}
	entry, err := s.Memory.Store.Get(ctx, s.Memory.key(asker, q.Conversation))
	if errors.Is(err, state.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("recalling a conversation: %w", err)
	}
	var before remembered
	if err := json.Unmarshal(entry.Value, &before); err != nil {
		return nil, nil // of another release of this program; it begins anew
	}
	pass := &read.Passes[0]
	filled := before.fill(pass, currency)
	read.Pass = *pass
	return filled, nil
}

// fill fills the gaps of a pass that is about the same thing, and returns with what.
func (r remembered) fill(pass *reading.Pass, currency money.Currency) []Remembered {
	if pass.Noun != "" && !strings.EqualFold(pass.Noun, r.Noun) {
		return nil // now it is about something else
	}
	var filled []Remembered
	say := func(constraint, key string, wanted verdict.Datum) {
		filled = append(filled, Remembered{Scope: InConversation, Constraint: constraint, Key: key, Wanted: wanted})
	}
	if pass.Noun == "" && r.Query != "" {
		pass.Query, pass.Noun = strings.TrimSpace(r.Query+" "+pass.Query), r.Noun
		say("query", "", verdict.Text(r.Query))
	}
	if !pass.Price.Set() && (r.Min != nil || r.Max != nil) && r.Currency == currency {
		pass.Price.Min, pass.Price.Max = r.Min, r.Max
		if r.Max != nil {
			say(string(verdict.MaxPrice), "", verdict.Number(*r.Max))
		}
		if r.Min != nil {
			say(string(verdict.MinPrice), "", verdict.Number(*r.Min))
		}
	}
	now := *pass
	for _, a := range r.Required {
		if !speaksOf(&now, a) {
			pass.Required = append(pass.Required, a)
			say(string(verdict.Attribute), a.Key, verdict.Text(a.Value))
		}
	}
	for _, a := range r.Excluded {
		if !speaksOf(&now, a) {
			pass.Excluded = append(pass.Excluded, a)
			say(string(verdict.ExcludedAttribute), a.Key, verdict.Text(a.Value))
		}
	}
	if r.InStock && !pass.InStock {
		pass.InStock = true
		say(string(verdict.InStock), "", verdict.Truth(true))
	}
	return filled
}

// remember keeps what was asked, if the caller named a conversation.
func (s *Service) remember(ctx context.Context, asker Asker, q Query, currency money.Currency, read reading.Reading) (*Conversation, error) {
	if s.Memory == nil || q.Conversation == "" {
		return nil, nil
	}
	conversation := &Conversation{ID: q.Conversation, Expires: Moment{s.Memory.Now().UTC().Add(conversationLife)}}
	if read.Degraded {
		return conversation, nil
	}
	// Of several things the last one is what "it" is about.
	last := read.Passes[len(read.Passes)-1]
	encoded, err := json.Marshal(remembered{
		Query: last.Query, Noun: last.Noun, Min: last.Price.Min, Max: last.Price.Max, Currency: currency,
		Required: last.Required, Excluded: last.Excluded, InStock: last.InStock,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding a conversation: %w", err)
	}
	if _, err := s.Memory.Store.Put(ctx, s.Memory.key(asker, q.Conversation), encoded, conversationLife); err != nil {
		return nil, fmt.Errorf("remembering a conversation: %w", err)
	}
	return conversation, nil
}
