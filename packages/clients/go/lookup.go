package compliance

import (
	"context"
	"errors"
	"fmt"
	"maps"
)

// maxCodes is the maximum number of codes per request.
const maxCodes = 1000

// lookup splits any number of codes into as many requests as needed, all for the same date, and merges the responses.
func (e *exchange) lookup(ctx context.Context, codes []string, options []Option) (*HtsLookupResponse, error) {
	s := e.with(options)
	key := s.idempotencyKey
	var merged *HtsLookupResponse
	for start := 0; start == 0 || start < len(codes); start += maxCodes {
		part := codes[start:min(start+maxCodes, len(codes))]
		response, err := call[HtsLookupResponse](ctx, e, s, "tariff/hts/lookup",
			HtsLookupRequest{Codes: part, AsOf: s.asOf, Programs: s.programs, Origin: s.origin, Efiling: s.efiling})
		if err == nil && len(codes) > maxCodes && len(response.Results) != len(part) {
			err = &Error{Kind: ErrDecode, Message: "the response doesn't have exactly one result for each code"}
		}
		if failed := (*Error)(nil); errors.As(err, &failed) {
			failed.Partial = merged
		}
		if err != nil {
			return nil, err
		}
		if merged == nil {
			merged, s.asOf = response, response.List.AsOf
		} else {
			merged.Results = append(merged.Results, response.Results...)
			if merged.List.Sources != nil {
				maps.Copy(merged.List.Sources, response.List.Sources)
			}
		}
		s.idempotencyKey = fmt.Sprintf("%s-%d", key, start+maxCodes)
	}
	return merged, nil
}
