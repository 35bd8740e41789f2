package ucp

import (
	"errors"
	"net/http"

	"github.com/storeware/caddy-storeware/internal/httpdoor"
	"github.com/storeware/caddy-storeware/translate/basket"
	"github.com/storeware/caddy-storeware/upstream"
)

// failureOf returns what a caller is told of an error.
func failureOf(err error) *Failure {
	after, passing := basket.Passing(err)
	var failure *Failure
	var problems *Invalid
	var shop *upstream.Error
	switch {
	case errors.As(err, &failure):
	case passing:
		return httpdoor.NotNow(after, err)
	case errors.As(err, &problems):
		return &Failure{Status: http.StatusBadRequest, Code: InvalidRequest, Content: problems.Error()}
	case errors.As(err, &shop) && shop.Code == upstream.CodeInvalid:
		return &Failure{
			Status: http.StatusBadRequest, Code: InvalidRequest, Err: err,
			Content: "The shop does not take this as it stands: " + shop.Text,
		}
	case errors.As(err, &shop):
		return httpdoor.Unforeseen(err)
	}
	return httpdoor.FailureOf(err)
}
