package ucp

import "github.com/storeware/caddy-storeware/internal/httpdoor"

// Reception takes requests in, for the bindings of one shop.
type Reception struct {
	*httpdoor.Reception
	// Server answers the calls.
	Server *Server
	// Business returns what the shop offers now.
	Business func() *Business
	// Profiles finds the platforms' profiles.
	Profiles Profiles
	// Development lets profiles be at plain http on this machine.
	Development bool
}

// replied returns the answer that is the reply to a call, and says in the event what
// it is.
func replied(reply *Reply, event *Event) *httpdoor.Answer {
	answer := httpdoor.JSON(reply.Status, reply.Body)
	answer.Sent = reply.free
	if event.Replayed {
		answer.Header.Set("Idempotent-Replayed", "true")
	} else {
		event.Outcome = reply.Outcome
	}
	return answer
}

// note notes a failure in the event, and finishes what is told of it.
func (c *Reception) note(event *Event, f *Failure) *Failure {
	event.Outcome, event.Err = string(f.Code), f.Err
	switch f.Code {
	case InvalidProfileURL, ProfileUnreachable, ProfileMalformed, VersionUnsupported:
		// The buyer can still go there (overview, "The continue_url Field").
		f.ContinueURL = c.Server.Storefront
	}
	return f
}
