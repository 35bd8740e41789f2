package ucp

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/agents"
	"github.com/storeware/caddy-storeware/internal/idempotency"
	"github.com/storeware/caddy-storeware/internal/state"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// defaultRetry is when to try again where nobody knows better.
const defaultRetry = 5 * time.Second

// failureOf returns what a caller is told of an error.
func failureOf(err error) *Failure {
	var failure *Failure
	var problems *Invalid
	var running *idempotency.InFlightError
	var shop *upstream.Error
	switch {
	case errors.As(err, &failure):
		told := *failure
		told.Err = err
		return &told
	case errors.As(err, &problems):
		return &Failure{Status: http.StatusBadRequest, Code: InvalidRequest, Content: problems.Error()}
	case errors.Is(err, agents.ErrTwoKeys):
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "The request names two different agent keys; send one",
		}
	case errors.Is(err, agents.ErrCredentials):
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "Authorization or X-API-Key cannot be read; send Authorization: Bearer and the agent key",
		}
	case errors.Is(err, idempotency.ErrPayloadMismatch):
		return &Failure{
			Status: http.StatusConflict, Code: IdempotencyReused, Err: err,
			Content: "This Idempotency-Key came with another body before; a changed request needs a new key",
		}
	case errors.As(err, &running):
		return &Failure{
			Status: http.StatusConflict, Code: IdempotencyRunning, Err: err, RetryAfter: running.RetryAfter,
			Content: "The first request with this Idempotency-Key is still running",
		}
	case errors.Is(err, idempotency.ErrKey):
		return refuse(http.StatusBadRequest, InvalidRequest, "Idempotency-Key must be 1 to %d bytes", idempotency.MaxKey)
	case errors.As(err, &shop):
		return shopFailure(shop, err)
	case errors.Is(err, basket.ErrBusy):
		return unavailable(time.Second, err)
	case errors.Is(err, state.ErrUnavailable), errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return unavailable(defaultRetry, err)
	}
	return internalFailure(err)
}

// shopFailure returns what a caller is told of a refusal of the shop that no
// operation has words for.
func shopFailure(shop *upstream.Error, err error) *Failure {
	switch shop.Code {
	case upstream.CodeUnavailable, upstream.CodeBusy, upstream.CodeDenied:
		after := shop.RetryAfter
		if after == 0 {
			after = defaultRetry
		}
		return unavailable(after, err)
	case upstream.CodeInvalid:
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "The shop does not take this as it stands: " + shop.Text,
		}
	}
	return internalFailure(err)
}

// unavailable is the failure of a request that may well succeed later.
func unavailable(after time.Duration, err error) *Failure {
	return &Failure{
		Status: http.StatusServiceUnavailable, Code: Unavailable, RetryAfter: after, Err: err,
		Content: "The shop cannot answer just now; try again later",
	}
}

// internalFailure is the failure that nobody saw coming.
func internalFailure(err error) *Failure {
	return &Failure{
		Status: http.StatusInternalServerError, Code: InternalError, Err: err,
		Content: "Something went wrong here; the shop has a record of it",
	}
}
