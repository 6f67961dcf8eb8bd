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
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// An answer longer than maxAnswer is refused before it fills the memory; none of the service comes near it.
const maxAnswer, maxWait = 64 << 20, 60 * time.Second

var printable = regexp.MustCompile(`^[\x21-\x7e]+$`)

// exchange sends requests: key, tries, timeout and errors. It is shared by the whole tree of a client.
type exchange struct {
	// The key is in closures alone, so that no way of printing a client shows it.
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
	method, address string
	header          http.Header
	body            []byte
}

// call calls an operation; its id is its path.
func call[Answer any](ctx context.Context, e *exchange, s settings, operation string, request any) (*Answer, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	if !printable.MatchString(s.idempotencyKey) {
		return nil, errors.New("compliance: the idempotency key must be printable ASCII without spaces")
	}
	header := http.Header{"Content-Type": {"application/json"}, "Idempotency-Key": {s.idempotencyKey}}
	return ask[Answer](ctx, e, s, attempt{"POST", strings.ReplaceAll(operation, ".", "/"), header, body})
}

// ask sends a request to the service; its address is a path there.
func ask[Answer any](ctx context.Context, e *exchange, s settings, a attempt) (*Answer, error) {
	a.address = strings.TrimRight(e.settings.baseURL, "/") + "/api/v1/" + a.address
	e.authorize(a.header)
	a.header.Set("Accept", "application/json")
	a.header.Set("User-Agent", "compliance-go/0.1.0")
	response, data, err := e.retried(ctx, a, s)
	if err != nil {
		return nil, err
	}
	answer := new(Answer)
	err = json.Unmarshal(data, answer)
	if err != nil || !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return nil, &Error{Kind: ErrDecode, Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id"),
			Message: "the answer is not the JSON object that was expected", cause: err}
	}
	return answer, nil
}

// retried tries until an answer is a success, or the failure is one to report.
func (e *exchange) retried(ctx context.Context, a attempt, s settings) (*http.Response, []byte, error) {
	for tried := 0; ; tried++ {
		response, data, err := e.once(ctx, a, s)
		var failed *Error
		if err == nil || !errors.As(err, &failed) || !failed.transient() || tried >= s.maxRetries {
			return response, data, err
		}
		// Full jitter, so that callers who failed together do not come back together.
		wait := time.Duration(rand.Float64() * min(8, 0.5*float64(int(1)<<min(tried, 8))) * float64(time.Second))
		if failed.RetryAfter != nil {
			wait = max(wait, *failed.RetryAfter)
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done(): // The next try ends at once, and says so.
		}
	}
}

func (e *exchange) once(ctx context.Context, a attempt, s settings) (*http.Response, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, a.method, a.address, bytes.NewReader(a.body))
	if err != nil {
		return nil, nil, err
	}
	request.Header = a.header.Clone()
	var data []byte
	response, err := e.settings.doer.Do(request)
	if err == nil {
		defer response.Body.Close()
		data, err = io.ReadAll(io.LimitReader(response.Body, maxAnswer+1))
	}
	switch {
	case err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, nil, &Error{Kind: ErrTimeout, Message: "no complete answer in time", cause: ctx.Err()}
	case err != nil && ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, nil, &Error{Kind: ErrConnection, Message: "the connection failed or broke", cause: err}
	case len(data) > maxAnswer:
		return nil, nil, &Error{Kind: ErrDecode, Message: "the answer is over 64 MiB"}
	}
	if left := rateLimitOf(response.Header); left != nil {
		e.left.Store(&left)
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		// A service or gateway that repeats the request must not put the key into an error.
		return nil, nil, failureOf(response, e.redact(data))
	}
	return response, data, nil
}

// transient tells whether another try may help. A Retry-After longer than maxWait is for the caller to wait out.
func (e *Error) transient() bool {
	patient := e.RetryAfter == nil || *e.RetryAfter <= maxWait
	return patient && (e.Kind == ErrConnection || e.Status == 408 || e.Status == 409 || e.Status == 429 || e.Status >= 500)
}

func failureOf(response *http.Response, data []byte) *Error {
	failed := new(Error)
	// A field of another type than promised is left empty.
	_ = json.Unmarshal(data, failed)
	failed.Status, failed.Kind = response.StatusCode, kindOf(response.StatusCode, failed.Code)
	failed.RetryAfter = retryAfterOf(response.Header)
	if id := response.Header.Get("X-Request-Id"); id != "" {
		failed.RequestID = id
	}
	if json.Valid(data) {
		failed.Body = data
	}
	if failed.Kind == ErrDecode {
		failed.Message = "a redirect; check the base URL"
	}
	failed.Message = fmt.Sprintf("%s: %s", strings.TrimSpace(fmt.Sprint(failed.Status, " ", failed.Code)), failed.Message)
	return failed
}

// safeURL tells whether a key may be sent to an address.
func safeURL(address string) error {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Host == "" || parsed.User != nil {
		return errors.New("compliance: give the address as a URL without user name and password")
	}
	ip := net.ParseIP(parsed.Hostname())
	loopback := parsed.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if parsed.Scheme != "https" && !(parsed.Scheme == "http" && loopback) {
		return errors.New("compliance: use an https address; plain http is for this machine alone")
	}
	return nil
}
