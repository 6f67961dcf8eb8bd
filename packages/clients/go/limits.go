package compliance

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RateLimitWindow is one limit of the key ("minute" or "day"): what it allows in which time, and what is left until it
// starts anew.
type RateLimitWindow struct {
	Name                                          string
	Quota, WindowSeconds, Remaining, ResetSeconds int
}

// rateLimitOf gives the limits that an answer tells in RateLimit and RateLimit-Policy; nil when it tells none.
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

// retryAfterOf gives the wait of Retry-After. A date counts from the answer's own Date, as the clocks of both may differ.
func retryAfterOf(headers http.Header) *time.Duration {
	value := headers.Get("Retry-After")
	// Too large a number is read as the largest.
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
