package compliance

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RateLimitWindow describes a rate limit for an API key. Name is "minute" or "day".
type RateLimitWindow struct {
	Name                                          string
	Quota, WindowSeconds, Remaining, ResetSeconds int
}

// rateLimitOf parses the RateLimit and RateLimit-Policy headers. It returns nil if the response doesn't include rate
// limits.
func rateLimitOf(headers http.Header) []RateLimitWindow {
	var windows []RateLimitWindow
	for _, policy := range strings.Split(headers.Get("RateLimit-Policy"), ", ") {
		var w RateLimitWindow
		n, _ := fmt.Sscanf(policy, "%q;q=%d;w=%d", &w.Name, &w.Quota, &w.WindowSeconds)
		_, left, _ := strings.Cut(headers.Get("RateLimit"), strconv.Quote(w.Name))
		m, _ := fmt.Sscanf(left, ";r=%d;t=%d", &w.Remaining, &w.ResetSeconds)
		if n == 3 && m == 2 {
			windows = append(windows, w)
		}
	}
	return windows
}

// retryAfterOf parses Retry-After. If Retry-After is a date, the wait is calculated relative to the response's Date
// header, because the client and server clocks might differ.
func retryAfterOf(headers http.Header) *time.Duration {
	value := headers.Get("Retry-After")
	// If the number is too large, use the largest possible wait.
	if n, err := strconv.ParseUint(value, 10, 31); err == nil || errors.Is(err, strconv.ErrRange) {
		wait := time.Duration(n) * time.Second
		return &wait
	}
	until, err := http.ParseTime(value)
	if err != nil {
		return nil
	}
	now, err := http.ParseTime(headers.Get("Date"))
	if err != nil {
		now = time.Now()
	}
	wait := max(0, until.Sub(now))
	return &wait
}
