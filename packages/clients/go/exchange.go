package compliance

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// maxResponse is the maximum response size, which is far larger than any real response and prevents memory exhaustion.
// maxWait is the longest time that the client waits before a retry.
const maxResponse, maxWait = 64 << 20, 60 * time.Second

var printable = regexp.MustCompile(`^[\x21-\x7e]+$`)

// exchange is the request layer that all client operations share. The exchange adds the API key, retries requests,
// applies timeouts, and maps errors.
type exchange struct {
	// Keep the key only in closures so that printing a client never shows the key.
	authorize func(http.Header)
	redact    func([]byte) []byte
	settings  settings
	left      atomic.Pointer[[]RateLimitWindow]
}

func (e *exchange) with(options []Option) settings {
	s := e.settings
	s.idempotencyKey = fmt.Sprintf("%016x%016x", rand.Uint64(), rand.Uint64())
	for _, option := range options {
		option(&s)
	}
	return s
}

// attempt is a request that can be sent again.
type attempt struct {
	method, url string
	header      http.Header
	body        []byte
}

// call calls an operation with a JSON body. The path is relative to /api/v1/.
func call[Response any](ctx context.Context, e *exchange, s settings, path string, request any) (*Response, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if !printable.MatchString(s.idempotencyKey) {
		return nil, errors.New("compliance: the idempotency key must be printable ASCII without spaces")
	}
	header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {s.idempotencyKey}}
	return send[Response](ctx, e, s, attempt{"POST", path, header, body})
}

// read calls a read-only operation. Each field replaces its {name} placeholder in the path or, unless it is nil or an
// empty string, is added to the query.
func read[Response any](ctx context.Context, e *exchange, s settings, path string, fields map[string]any) (*Response, error) {
	query := url.Values{}
	for name, field := range fields {
		value := reflect.Indirect(reflect.ValueOf(field))
		if placeholder := "{" + name + "}"; strings.Contains(path, placeholder) {
			path = strings.ReplaceAll(path, placeholder, url.PathEscape(fmt.Sprint(value)))
		} else if value.IsValid() && (value.Kind() != reflect.String || value.Len() > 0) {
			query.Set(name, fmt.Sprint(value))
		}
	}
	return send[Response](ctx, e, s, attempt{"GET", path + "?" + query.Encode(), http.Header{}, nil})
}

// send sends a request to the service and decodes the response.
func send[Response any](ctx context.Context, e *exchange, s settings, a attempt) (*Response, error) {
	a.url = strings.TrimRight(e.settings.baseURL, "/") + "/api/v1/" + a.url
	e.authorize(a.header)
	a.header.Set("Accept", "application/json")
	a.header.Set("User-Agent", "compliance-go/0.1.0")
	response, data, err := e.retried(ctx, a, s)
	if err != nil {
		return nil, err
	}
	result := new(Response)
	err = json.Unmarshal(data, result)
	if err != nil || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, &Error{Kind: ErrDecode, Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"),
			Message: "the response isn't the expected JSON object", cause: err}
	}
	return result, nil
}

// retried sends a request until it succeeds, fails with an error that can't be retried, or has no retries or time left.
func (e *exchange) retried(ctx context.Context, a attempt, s settings) (*http.Response, []byte, error) {
	for count := 0; ; count++ {
		response, data, err := e.observed(ctx, a, s, count+1)
		var failed *Error
		if err == nil || !errors.As(err, &failed) || !failed.transient() || count >= s.maxRetries {
			return response, data, err
		}
		// Use full jitter so that clients that fail at the same time don't retry at the same time.
		wait := time.Duration(rand.Float64() * min(8, 0.5*float64(int(1)<<min(count, 8))) * float64(time.Second))
		if failed.RetryAfter != nil {
			wait = max(wait, *failed.RetryAfter)
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) <= wait {
			return nil, nil, err
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done(): // The next attempt immediately returns the context's error.
		}
	}
}

// observed sends a request once, calls the hooks, and stores the response metadata.
func (e *exchange) observed(ctx context.Context, a attempt, s settings, number int) (*http.Response, []byte, error) {
	target, _, _ := strings.Cut(a.url, "?")
	event := RequestEvent{a.method, target, number, a.header.Get("Idempotency-Key")}
	if s.hooks.OnRequest != nil {
		s.hooks.OnRequest(event)
	}
	started := time.Now()
	response, data, err := e.once(ctx, a, s)
	var info ResponseInfo
	var failed *Error
	if response != nil {
		info = infoOf(response)
	} else if errors.As(err, &failed) {
		info = ResponseInfo{failed.Status, failed.RequestID, failed.RateLimit}
	}
	if info.RateLimit != nil {
		e.left.Store(&info.RateLimit)
	}
	if s.info != nil {
		*s.info = info
	}
	if s.hooks.OnResponse != nil && (err == nil || failed != nil) {
		s.hooks.OnResponse(ResponseEvent{event, info, time.Since(started), err})
	}
	return response, data, err
}

func infoOf(response *http.Response) ResponseInfo {
	return ResponseInfo{response.StatusCode, response.Header.Get("X-Request-Id"), rateLimitOf(response.Header)}
}

func (e *exchange) once(ctx context.Context, a attempt, s settings) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, a.method, a.url, bytes.NewReader(a.body))
	if err != nil {
		return nil, nil, err
	}
	request.Header = a.header.Clone()
	var data []byte
	response, err := e.settings.doer.Do(request)
	if err == nil {
		defer response.Body.Close()
		data, err = io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	}
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, nil, &Error{Kind: ErrTimeout, Message: "the request timed out", cause: ctx.Err()}
	case err != nil && ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, &Error{Kind: ErrConnection, Message: "the connection to " + request.URL.Host + " failed or was lost", cause: err}
	case len(data) > maxResponse:
		return nil, nil, &Error{Kind: ErrDecode, Message: "the response is larger than 64 MiB"}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		// Remove the API key from the error, because a service or gateway might echo the request.
		return nil, nil, errorOf(response, e.redact(data))
	}
	return response, data, nil
}

// transient reports whether the client should retry the request. The result is false if Retry-After is longer than
// maxWait.
func (e *Error) transient() bool {
	isShort := e.RetryAfter == nil || *e.RetryAfter <= maxWait
	return isShort && (e.Kind == ErrConnection || e.Status == 408 || e.Status == 409 || e.Status == 429 || e.Status >= 500)
}

func errorOf(response *http.Response, data []byte) *Error {
	failed := new(Error)
	// Leave fields with unexpected types empty.
	_ = json.Unmarshal(data, failed)
	failed.Status, failed.Kind = response.StatusCode, kindOf(response.StatusCode, failed.Code)
	failed.RetryAfter, failed.RateLimit = retryAfterOf(response.Header), rateLimitOf(response.Header)
	if id := response.Header.Get("X-Request-Id"); id != "" {
		failed.RequestID = id
	}
	if json.Valid(data) {
		failed.Body = data
	}
	if failed.Kind == ErrDecode {
		failed.Message = "redirected; check the base URL"
	} else if failed.Message == "" {
		failed.Message = messageFor(failed.Code)
	}
	failed.Message = fmt.Sprintf("%s: %s", strings.TrimSpace(fmt.Sprint(failed.Status, " ", failed.Code)), failed.Message)
	return failed
}

// safeURL returns an error if sending an API key to the URL isn't safe.
func safeURL(text string, plainHTTP bool) error {
	parsed, err := url.Parse(text)
	if err != nil || parsed.Host == "" || parsed.User != nil {
		return errors.New("compliance: the URL must be valid and must not contain a username or password")
	}
	ip := net.ParseIP(parsed.Hostname())
	loopback := parsed.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if parsed.Scheme != "https" && !(parsed.Scheme == "http" && (loopback || plainHTTP)) {
		return errors.New("compliance: use an HTTPS URL; plain HTTP is allowed only for localhost, or with WithPlainHTTP")
	}
	return nil
}
