package compliance

import "time"

// ResponseInfo contains response metadata that isn't part of the body.
type ResponseInfo struct {
	// Status is the HTTP status, or 0 if there was no response.
	Status int
	// RequestID is the request ID to include when you contact the service operator.
	RequestID string
	// RateLimit has the remaining rate limits, or is nil if the response doesn't include them.
	RateLimit []RateLimitWindow
}

// RequestEvent describes an attempt that is about to start. To protect secrets, the event omits the URL's query string
// and the headers.
type RequestEvent struct {
	Method, URL string
	// Attempt is the attempt number within the call, starting at 1.
	Attempt int
	// IdempotencyKey is the key that all attempts of the call share, or "" for a read-only call.
	IdempotencyKey string
}

// ResponseEvent describes an attempt that has ended.
type ResponseEvent struct {
	RequestEvent
	ResponseInfo
	Duration time.Duration
	// Err is the reason that the attempt failed, or nil if it succeeded. The error doesn't contain the API key.
	Err error
}

// Hooks are functions that the client calls before each attempt, and after each attempt that ends with a response or an
// error. OnResponse isn't called for an attempt that the caller cancels. Concurrent calls invoke the hooks
// concurrently.
type Hooks struct {
	OnRequest  func(RequestEvent)
	OnResponse func(ResponseEvent)
}

// WithHooks calls functions before and after each attempt, for example, for logging. Use this option only with New.
func WithHooks(hooks Hooks) Option { return func(s *settings) { s.hooks = hooks } }

// WithResponseInfo stores the status, request ID, and rate limits of a call's response in info. For a lookup that the
// client splits into several requests, these values are from the last response.
//
//	var info compliance.ResponseInfo
//	lists, err := client.Tariff.Lists(ctx, compliance.WithResponseInfo(&info))
func WithResponseInfo(info *ResponseInfo) Option { return func(s *settings) { s.info = info } }
