// Package compliance is the client of the Portfolio Compliance API: HTS look-up, storefront scan, certificate of conformity.
//
//	client, err := compliance.New("", compliance.WithBaseURL("https://compliance.example")) // the key from COMPLIANCE_API_KEY
//	answer, err := client.Tariff.HTS.Lookup(ctx, []string{"7318.15.2061"})
package compliance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// maxCodes is how many codes the service takes in one call.
const maxCodes = 1000

// Client is the client of the service. It may be shared by goroutines.
type Client struct {
	Tariff Tariff
	Pixel  Pixel
	Entry  Entry

	exchange *exchange
}

// Tariff holds what tariff keys are for.
type Tariff struct{ HTS HTS }

// HTS looks codes up.
type HTS struct{ exchange *exchange }

// Pixel holds what pixel keys are for.
type Pixel struct{ exchange *exchange }

// Entry holds what entry keys are for.
type Entry struct{ GCC GCC }

// GCC makes certificates.
type GCC struct{ exchange *exchange }

// Doer carries requests, as *http.Client does: a proxy, a stub in tests.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Option sets a client up, or one call, or adds a field to its request.
type Option func(*settings)

type settings struct {
	baseURL, idempotencyKey, asOf, origin string
	timeout                               time.Duration
	maxRetries                            int
	doer                                  Doer
	programs                              any
	baseline                              *Inventory
	profile                               PixelScanRequestProfile
}

// WithBaseURL says where the service is: COMPLIANCE_BASE_URL if left out, else http://127.0.0.1:8787. It must be https
// unless it is this machine. For New.
func WithBaseURL(address string) Option { return func(s *settings) { s.baseURL = address } }

// WithDoer carries the requests by something else than the client's own http.Client. For New.
func WithDoer(doer Doer) Option { return func(s *settings) { s.doer = doer } }

// WithTimeout limits each try, from the connection to the last byte of the answer. 30 seconds if left out.
func WithTimeout(limit time.Duration) Option { return func(s *settings) { s.timeout = limit } }

// WithMaxRetries says how many tries follow the first, on connection errors, 408, 409, 429 and 5xx. 2 if left out.
func WithMaxRetries(count int) Option { return func(s *settings) { s.maxRetries = count } }

// WithIdempotencyKey is sent on every try of a call. A random one if left out.
func WithIdempotencyKey(key string) Option { return func(s *settings) { s.idempotencyKey = key } }

// AsOf asks for a date of entry (YYYY-MM-DD) other than today. For Lookup and Lists.
func AsOf(date string) Option { return func(s *settings) { s.asOf = date } }

// Origin asks for the duties of a country (ISO alpha-2). For Lookup.
func Origin(country string) Option { return func(s *settings) { s.origin = country } }

// Programs asks other programs than the metals. For Lookup.
func Programs(programs ...Program) Option { return func(s *settings) { s.programs = programs } }

// AllPrograms asks every program. For Lookup.
func AllPrograms() Option { return func(s *settings) { s.programs = "all" } }

// Baseline is the inventory of an earlier scan: the answer then says what has changed (Drift). For Scan.
func Baseline(inventory Inventory) Option { return func(s *settings) { s.baseline = &inventory } }

// Profile says which visitors the shop serves; "eea" raises the consent findings. For Scan.
func Profile(name PixelScanRequestProfile) Option { return func(s *settings) { s.profile = name } }

// New makes a client with the API key, or with COMPLIANCE_API_KEY when it is empty. It fails without a key, and for an
// address that a key must not be sent to.
func New(apiKey string, options ...Option) (*Client, error) {
	if apiKey == "" {
		apiKey = os.Getenv("COMPLIANCE_API_KEY")
	}
	if !printable.MatchString(apiKey) {
		return nil, errors.New("compliance: give an API key, or set COMPLIANCE_API_KEY")
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
	e.settings.doer = &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}
	e.settings = e.with(options)
	if client, ok := e.settings.doer.(*http.Client); ok {
		own := *client
		own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		e.settings.doer = &own
	}
	if err := safeURL(e.settings.baseURL); err != nil {
		return nil, err
	}
	return &Client{Tariff{HTS{e}}, Pixel{e}, Entry{GCC{e}}, e}, nil
}

// Close ends connections that are kept for later calls.
func (c *Client) Close() {
	if client, ok := c.exchange.settings.doer.(*http.Client); ok {
		client.CloseIdleConnections()
	}
}

// RateLimit is what was left of the key's limits after the last answer that told; empty before.
func (c *Client) RateLimit() []RateLimitWindow { return *c.exchange.left.Load() }

// Lookup looks HTS codes up in the Section 232 lists: one result for each code, in order. More than 1,000 codes become calls
// one after another, all for the same date, and their answers one answer. Errors are *Error, or the context's.
//
//	answer, err := client.Tariff.HTS.Lookup(ctx, codes, compliance.AsOf("2026-10-01"), compliance.Origin("JP"))
func (h HTS) Lookup(ctx context.Context, codes []string, options ...Option) (*HtsLookupResponse, error) {
	s := h.exchange.with(options)
	key := s.idempotencyKey
	var whole *HtsLookupResponse
	for start := 0; start == 0 || start < len(codes); start += maxCodes {
		part := codes[start:min(start+maxCodes, len(codes))]
		if start > 0 {
			s.idempotencyKey = fmt.Sprintf("%s-%d", key, start)
		}
		request := HtsLookupRequest{Codes: part, AsOf: s.asOf, Programs: s.programs, Origin: s.origin}
		answer, err := call[HtsLookupResponse](ctx, h.exchange, s, "tariff.hts.lookup", request)
		if err != nil {
			return nil, err
		}
		if len(codes) > maxCodes && len(answer.Results) != len(part) {
			return nil, &Error{Kind: ErrDecode, Message: "the answer has not one result for each code"}
		}
		if whole == nil {
			whole = answer
			if s.asOf == "" {
				s.asOf = answer.List.AsOf
			}
			continue
		}
		whole.Results = append(whole.Results, answer.Results...)
		if whole.List.Sources != nil {
			maps.Copy(whole.List.Sources, answer.List.Sources)
		}
	}
	return whole, nil
}

// Lists says which edition of the lists answers, how many listings are in force on a date (today, without AsOf), and where
// they were read. Errors are *Error, or the context's.
//
//	facts, err := client.Tariff.Lists(ctx, compliance.AsOf("2026-10-01"))
func (t Tariff) Lists(ctx context.Context, options ...Option) (*TariffListsResponse, error) {
	s := t.HTS.exchange.with(options)
	a := attempt{"GET", "lists", http.Header{}, nil}
	if s.asOf != "" {
		a.address += "?as_of=" + url.QueryEscape(s.asOf)
	}
	return ask[TariffListsResponse](ctx, t.HTS.exchange, s, a)
}

// Changes compares the lists on two dates: what was added, removed, moved to another annex, or charged differently. Errors
// are *Error, or the context's.
//
//	changes, err := client.Tariff.Changes(ctx, "2026-06-07", "2026-06-08")
func (t Tariff) Changes(ctx context.Context, from, to string, options ...Option) (*TariffChangesResponse, error) {
	query := url.Values{"from": {from}, "to": {to}}
	a := attempt{"GET", "tariff/changes?" + query.Encode(), http.Header{}, nil}
	return ask[TariffChangesResponse](ctx, t.HTS.exchange, t.HTS.exchange.with(options), a)
}

// Scan scans a storefront for dead, doubled and drifting tags. Errors are *Error, or the context's.
//
//	answer, err := client.Pixel.Scan(ctx, "https://shop.example")
func (p Pixel) Scan(ctx context.Context, url string, options ...Option) (*PixelScanResponse, error) {
	s := p.exchange.with(options)
	request := PixelScanRequest{URL: url, Baseline: s.baseline, Profile: s.profile}
	return call[PixelScanResponse](ctx, p.exchange, s, "pixel.scan", request)
}

// Generate makes a General Certificate of Conformity. Tries of one call share an idempotency key, so that it is made once.
// Errors are *Error, or the context's.
//
//	answer, err := client.Entry.GCC.Generate(ctx, certificate)
func (g GCC) Generate(ctx context.Context, request GccGenerateRequest, options ...Option) (*GccGenerateResponse, error) {
	return call[GccGenerateResponse](ctx, g.exchange, g.exchange.with(options), "entry.gcc.generate", request)
}

// DownloadCertificate fetches the PDF of a certificate and checks it against the SHA-256 of the answer that named it. The
// error is ErrDecode when the file is another, or the answer has no SHA-256.
//
//	pdf, err := client.DownloadCertificate(ctx, answer)
func (c *Client) DownloadCertificate(ctx context.Context, answer *GccGenerateResponse, options ...Option) ([]byte, error) {
	if answer.SHA256 == "" {
		return nil, &Error{Kind: ErrDecode, Message: "the certificate has no sha256, so the file cannot be checked"}
	}
	if err := safeURL(answer.GCCPDFURL); err != nil {
		return nil, err
	}
	_, pdf, err := c.exchange.retried(ctx, attempt{"GET", answer.GCCPDFURL, nil, nil}, c.exchange.with(options))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(pdf); fmt.Sprintf("%x", sum) != strings.ToLower(answer.SHA256) {
		return nil, &Error{Kind: ErrDecode, Message: "the file is not the certificate: its SHA-256 differs"}
	}
	return pdf, nil
}
