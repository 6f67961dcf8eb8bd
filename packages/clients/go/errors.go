package compliance

import (
	"encoding/json"
	"errors"
	"time"
)

// Error kinds for errors.Is. An ErrBetaAccess error is also an ErrPermission error.
var (
	// ErrInvalidRequest means that the service rejected the request (400, 404, 413, 422, and other 4xx).
	ErrInvalidRequest = errors.New("invalid request")
	// ErrAuthentication means that the API key is missing or invalid (401).
	ErrAuthentication = errors.New("authentication")
	// ErrPermission means that the API key doesn't have access to the operation (403).
	ErrPermission = errors.New("permission")
	// ErrBetaAccess means that the API key is valid but doesn't have delegate access (403 beta).
	ErrBetaAccess = errors.New("beta access")
	// ErrRateLimit means that the rate limit for the API key or a scanned site was exceeded (429). Error.RetryAfter is the
	// time to wait.
	ErrRateLimit = errors.New("rate limit")
	// ErrUpstream means that the service or one of its upstreams failed (5xx).
	ErrUpstream = errors.New("upstream")
	// ErrConnection means that the connection failed or was lost before the response was complete.
	ErrConnection = errors.New("connection")
	// ErrTimeout means that the response wasn't complete in time.
	ErrTimeout = errors.New("timeout")
	// ErrDecode means that the response can't be used, for example because it's invalid JSON, a redirect, or a file that
	// doesn't match its SHA-256 hash.
	ErrDecode = errors.New("decode")
)

// Issue describes an invalid request field: its dotted path ("codes.3"), a stable code, and a message that explains how
// to fix the field.
type Issue struct {
	Path    string    `json:"path"`
	Code    IssueCode `json:"code"`
	Message string    `json:"message"`
}

// Error is the type of error that failed calls return, unless an argument is invalid or the context is canceled. Use
// Error with errors.As. An Error never contains the API key. The JSON form of an Error has the same fields as the
// service's error response.
//
//	var failed *compliance.Error
//	if errors.As(err, &failed) && failed.RetryAfter != nil {
//		time.Sleep(*failed.RetryAfter)
//	}
type Error struct {
	// Kind is the error kind, one of the Err variables.
	Kind error `json:"-"`
	// Status is the HTTP status, or 0 if there was no response.
	Status int `json:"-"`
	// Code is the stable error code from the service, such as "invalid_request". Switch on Code or
	// Kind, not on the message.
	Code    ErrorCode `json:"error"`
	Message string    `json:"message"`
	// Reason identifies why a page can't be scanned, such as "robots". It's set only for the "scan_failed" and "upstream"
	// codes.
	Reason ErrorReason `json:"reason"`
	// RequestID is the request ID to include when you contact the service operator.
	RequestID string `json:"request_id"`
	// Issues lists the invalid request fields.
	Issues []Issue `json:"issues"`
	// RateLimit lists the remaining rate limits, or is nil if there was no response or the response doesn't include any.
	RateLimit []RateLimitWindow `json:"-"`
	// Partial has the results of the requests that succeeded before another request in a long lookup failed.
	Partial *HtsLookupResponse `json:"-"`
	// RetryAfter is how long the service asks the client to wait before the next attempt, or nil if the service doesn't
	// specify a wait time.
	RetryAfter *time.Duration `json:"-"`
	// Body is the response body, including fields that Error doesn't define. Body is nil if the
	// response body isn't JSON.
	Body json.RawMessage `json:"-"`

	cause error
}

// Error returns the error message.
func (e *Error) Error() string { return "compliance: " + e.Message }

// Unwrap returns the underlying network or context error.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether the error has the target kind.
func (e *Error) Is(target error) bool {
	return target == e.Kind || target == ErrPermission && e.Kind == ErrBetaAccess
}

// messageFor returns a message for an error response without a message. For some errors, the service sends only a code.
func messageFor(code ErrorCode) string {
	switch code {
	case ErrorCodeBeta:
		return "the API key doesn't have delegate access (to get it, contact the operator who issued the key)"
	case ErrorCodeScope:
		return "the API key doesn't have access to this product area"
	}
	return "no message"
}

// kindOf returns the error kind for an HTTP status other than 2xx.
func kindOf(status int, code ErrorCode) error {
	switch {
	case status == 401:
		return ErrAuthentication
	case status == 403 && code == ErrorCodeBeta:
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
