package vendure

import (
	"context"
	"fmt"

	"github.com/storeware/caddy-storeware/upstream"
)

// doubts are what of the configuration does not fit the shop. The error is only that
// of the context.
func (s *Shop) doubts(ctx context.Context, sc *schema) ([]string, error) {
	var doubts []string
	if sc.active != nil {
		doubts = upstream.DoubtPayments(s.payments, sc.active)
	}
	if s.channel != "" {
		// A shop with one channel sells in that, whatever the token.
		data, err := s.optional(ctx, upstream.Visit{}, call{op: learning, name: "Channel", document: channelDocument, safe: true})
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if token := data.Get("activeChannel.token"); err == nil && token.Exists() && token.String() != s.channel {
			doubts = append(doubts, "channel is the token of no channel that the shop has, which sells in its default channel instead")
		}
	}
	if s.admin != nil {
		if doubt := s.doubtAdmin(ctx); doubt != "" {
			doubts = append(doubts, doubt)
		}
	}
	return doubts, ctx.Err()
}

// doubtAdmin asks the Admin API for an order that nobody has placed.
func (s *Shop) doubtAdmin(ctx context.Context) string {
	_, err := s.runAdmin(ctx, upstream.Visit{}, call{
		op: "asking the Admin API", name: "AdminOutcome", document: adminOutcomeDocument, variables: variables{"code": ""},
		safe: true, landmark: true,
	})
	switch {
	case err == nil:
		return ""
	case upstream.CodeOf(err) == upstream.CodeDenied:
		return "admin_key is refused: see that the key is right and has the permission ReadOrder, and that authOptions.tokenMethod in the shop's configuration holds api-key"
	}
	return fmt.Sprintf("admin_key cannot be used: %v", err)
}
