package compliance

import (
	"encoding/json"
	"errors"
	"time"
)

// The kinds of failure, for errors.Is. ErrBetaAccess is also ErrPermission.
var (
	// ErrInvalidRequest: the service does not take the request (400, 404, 413, 422 and other 4xx); Error.Issues names the fields.
	ErrInvalidRequest = errors.New("invalid request")
	// ErrAuthentication: the key is missing or not valid (401).
	ErrAuthentication = errors.New("authentication")
	// ErrPermission: the key is not for this (403).
	ErrPermission = errors.New("permission")
	// ErrBetaAccess: the key is valid but not admitted to the beta (403 beta).
	ErrBetaAccess = errors.New("beta access")
	// ErrRateLimit: the limit of the key is used up (429); Error.RetryAfter says for how long.
	ErrRateLimit = errors.New("rate limit")
	// ErrUpstream: the service, or what it asked, failed (5xx).
	ErrUpstream = errors.New("upstream")
	// ErrConnection: no connection, or it broke before the answer was complete.
	ErrConnection = errors.New("connection")
	// ErrTimeout: the answer was not complete in time.
	ErrTimeout = errors.New("timeout")
	// ErrDecode: an answer came that is not what the service promises: no JSON, a redirect, another file.
	ErrDecode = errors.New("decode")
)

// Issue is one fault of a request: the dotted path of the field ("codes.3"), a stable code, and what to do.
type Issue struct {
	Path    string `json:"path"`
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error is what every failed call returns, for errors.As. It never holds the API key. As JSON it has the fields
// of the service.
//
//	var failed *compliance.Error
//	if errors.As(err, &failed) && failed.RetryAfter != nil {
//		time.Sleep(*failed.RetryAfter)
//	}
type Error struct {
	// Kind is one of the Err variables.
	Kind error `json:"-"`
	// Status is the HTTP status; 0 when no answer came.
	Status int `json:"-"`
	// Code is the stable error code of the service, such as "invalid_request". Switch on it or on Kind, not on the message.
	Code    string `json:"error"`
	Message string `json:"message"`
	// RequestID names the request in a report to the operator.
	RequestID string `json:"request_id"`
	// Issues are the fields at fault.
	Issues []Issue `json:"issues"`
	// RetryAfter is how long the service asks to wait; nil when it does not say.
	RetryAfter *time.Duration `json:"-"`
	// Body is the answer, with fields that are not named here; nil when it is not JSON.
	Body json.RawMessage `json:"-"`

	cause error
}

// Error says what failed.
func (e *Error) Error() string { return "compliance: " + e.Message }

// Unwrap gives what lies below: a network error, or the error of the context.
func (e *Error) Unwrap() error { return e.cause }

// Is tells the kind.
func (e *Error) Is(target error) bool {
	return target == e.Kind || target == ErrPermission && e.Kind == ErrBetaAccess
}

// kindOf is the kind for an HTTP status that is no success.
func kindOf(status int, code string) error {
	switch {
	case status == 401:
		return ErrAuthentication
	case status == 403 && code == "beta":
		return ErrBetaAccess
	case status == 403:
		return ErrPermission
	case status == 429:
		return ErrRateLimit
	case status >= 500:
		return ErrUpstream
	case status >= 400:
		return ErrInvalidRequest
	}
	return ErrDecode
}
