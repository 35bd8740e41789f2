package agents

import "errors"

// The errors that callers decide on. They arrive wrapped, and none of them holds
// a key.
var (
	// ErrUnknownKey says that a key is of no agent of the shop, or no key at all.
	ErrUnknownKey = errors.New("unknown agent key")

	// ErrRevoked says that a key was revoked.
	ErrRevoked = errors.New("agent key was revoked")

	// ErrCredentials says that a request's credentials cannot be read.
	ErrCredentials = errors.New("malformed credentials")

	// ErrTwoKeys says that a request names two different agent keys.
	ErrTwoKeys = errors.New("two different agent keys")

	// ErrProfileConflict says that an agent named another platform profile than
	// the one it is bound to.
	ErrProfileConflict = errors.New("not the profile that the agent key is bound to")

	// ErrInvalid says that an agent cannot be registered as described.
	ErrInvalid = errors.New("invalid agent")

	// ErrNameTaken says that an agent of this name exists.
	ErrNameTaken = errors.New("agent name is taken")

	// ErrNotFound says that no agent that could be revoked has this id or name.
	ErrNotFound = errors.New("no such agent")

	// ErrDeclared says that an agent stands in the configuration and can only be
	// removed there.
	ErrDeclared = errors.New("agent is declared in the configuration")
)
