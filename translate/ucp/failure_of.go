package ucp

import (
	"errors"
	"net/http"
	"time"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// failureOf returns what a caller is told of an error.
func failureOf(err error) *Failure {
	var failure *Failure
	var problems *Invalid
	var shop *upstream.Error
	switch {
	case errors.As(err, &failure):
	case errors.As(err, &problems):
		return &Failure{Status: http.StatusBadRequest, Code: InvalidRequest, Content: problems.Error()}
	case errors.As(err, &shop):
		return shopFailure(shop, err)
	case errors.Is(err, basket.ErrBusy):
		return httpdoor.NotNow(time.Second, err)
	}
	return httpdoor.FailureOf(err)
}

// shopFailure returns what a caller is told of a refusal of the shop that no
// operation has words for.
func shopFailure(shop *upstream.Error, err error) *Failure {
	switch shop.Code {
	case upstream.CodeUnavailable, upstream.CodeBusy, upstream.CodeDenied:
		after := shop.RetryAfter
		if after == 0 {
			after = httpdoor.DefaultRetry
		}
		return httpdoor.NotNow(after, err)
	case upstream.CodeInvalid:
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "The shop does not take this as it stands: " + shop.Text,
		}
	}
	return httpdoor.Unforeseen(err)
}
