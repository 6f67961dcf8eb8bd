// Package compliance is the client for the Portfolio Compliance API: HTS code lookups, storefront scans, and
// certificates of conformity.
//
//	client, err := compliance.New("", compliance.WithBaseURL("https://compliance.example")) // uses the key in COMPLIANCE_API_KEY
//	response, err := client.Tariff.HTS.Lookup(ctx, []string{"7318.15.2061"})
package compliance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"
)

// Doer sends HTTP requests, as *http.Client does. Implement Doer to use your own connections or a test stub.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Option configures a client or a call, or sets a request field.
type Option func(*settings)

type settings struct {
	fields
	baseURL, idempotencyKey string
	timeout                 time.Duration
	maxRetries              int
	plainHTTP               bool
	doer                    Doer
	hooks                   Hooks
	info                    *ResponseInfo
}

// WithBaseURL sets the service URL. The default is the value of COMPLIANCE_BASE_URL or, if it's empty,
// http://127.0.0.1:8787. The URL must use HTTPS, except for localhost. Use this option only with New.
func WithBaseURL(url string) Option { return func(s *settings) { s.baseURL = url } }

// WithPlainHTTP also allows plain HTTP to hosts other than localhost, such as a container on the same private network.
// Anyone who can read the network traffic can then read the API key. Use this option only with New.
func WithPlainHTTP() Option { return func(s *settings) { s.plainHTTP = true } }

// WithDoer sends requests with doer instead of an http.Client. Use this option only with New.
func WithDoer(doer Doer) Option { return func(s *settings) { s.doer = doer } }

// WithTimeout sets the timeout for each attempt, from connecting to receiving the last byte of the response. The
// default is 30 seconds.
func WithTimeout(limit time.Duration) Option { return func(s *settings) { s.timeout = limit } }

// WithMaxRetries sets the maximum number of retries after connection errors and 408, 409, 429, and 5xx responses. The
// default is 2.
func WithMaxRetries(count int) Option { return func(s *settings) { s.maxRetries = count } }

// WithIdempotencyKey sets the idempotency key that is sent with every attempt of a call. The default is a random key.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.idempotencyKey = key } }

// New creates a client that uses the given API key, or the value of COMPLIANCE_API_KEY if the key is empty. New returns
// an error if the key is missing or invalid, or if it isn't safe to send the key to the base URL.
func New(apiKey string, options ...Option) (*Client, error) {
	if apiKey == "" {
		apiKey = os.Getenv("COMPLIANCE_API_KEY")
	}
	if !printable.MatchString(apiKey) {
		return nil, errors.New("compliance: pass an API key (printable ASCII without spaces) to New, or set COMPLIANCE_API_KEY")
	}
	e := &exchange{
		authorize: func(header http.Header) { header.Set("Authorization", "Bearer "+apiKey) },
		redact:    func(text []byte) []byte { return bytes.ReplaceAll(text, []byte(apiKey), []byte("[key]")) },
		settings:  settings{baseURL: os.Getenv("COMPLIANCE_BASE_URL"), timeout: 30 * time.Second, maxRetries: 2},
	}
	if e.settings.baseURL == "" {
		e.settings.baseURL = "http://127.0.0.1:8787"
	}
	e.left.Store(new([]RateLimitWindow))
	transport := http.DefaultTransport.(*http.Transport).Clone()
	// All requests go to the same host, so that host can use the entire limit on idle connections.
	transport.MaxIdleConnsPerHost = transport.MaxIdleConns
	e.settings.doer = &http.Client{Transport: transport}
	e.settings = e.with(options)
	if client, ok := e.settings.doer.(*http.Client); ok {
		own := *client
		own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		e.settings.doer = &own
	}
	if err := safeURL(e.settings.baseURL, e.settings.plainHTTP); err != nil {
		return nil, err
	}
	return newClient(e), nil
}

// Close closes idle connections. Later calls open new connections.
func (c *Client) Close() {
	if client, ok := c.exchange.settings.doer.(*http.Client); ok {
		client.CloseIdleConnections()
	}
}

// RateLimit returns the remaining rate limits from the most recent response that included them, or nil if no response
// did.
func (c *Client) RateLimit() []RateLimitWindow { return *c.exchange.left.Load() }

// DownloadCertificate downloads the certificate PDF that a response links to, and verifies the file against the SHA-256
// hash in the response. The error is ErrDecode if the hash is missing or doesn't match the file.
//
//	pdf, err := client.DownloadCertificate(ctx, response)
func (c *Client) DownloadCertificate(ctx context.Context, response *GccGenerateResponse, options ...Option) ([]byte, error) {
	// Earlier versions of the service return only SHA256.
	hashes := strings.Fields(response.PDFSHA256 + " " + response.SHA256)
	if len(hashes) == 0 {
		return nil, &Error{Kind: ErrDecode, Message: "the certificate's SHA-256 hash is missing, so the file can't be verified"}
	}
	if err := safeURL(response.GCCPDFURL, c.exchange.settings.plainHTTP); err != nil {
		return nil, err
	}
	_, pdf, err := c.exchange.retried(ctx, attempt{"GET", response.GCCPDFURL, nil, nil}, c.exchange.with(options))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(pdf); fmt.Sprintf("%x", sum) != strings.ToLower(hashes[0]) {
		return nil, &Error{Kind: ErrDecode, Message: "the file doesn't match the certificate's SHA-256 hash"}
	}
	return pdf, nil
}
