package compliance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	compliance "github.com/portfolio-compliance/compliance-go"
)

// stub returns the same status and body for every request, without using the network.
type stub struct {
	status int
	body   string
}

func (s stub) Do(*http.Request) (*http.Response, error) {
	body := io.NopCloser(bytes.NewBufferString(s.body))
	return &http.Response{StatusCode: s.status, Header: http.Header{"Retry-After": {"43"}}, Body: body}, nil
}

func ExampleHTS_Lookup() {
	client, err := compliance.New("key", compliance.WithDoer(stub{200, `{"results":[{"code":"7318.15.2061","status":"hit"}]}`}))
	if err != nil {
		panic(err)
	}
	response, err := client.Tariff.HTS.Lookup(context.Background(), []string{"7318.15.2061"})
	if err != nil {
		panic(err)
	}
	for _, result := range response.Results {
		fmt.Println(result.Code, result.Status)
	}
	// Output: 7318.15.2061 hit
}

func ExampleError() {
	client, err := compliance.New("key", compliance.WithDoer(stub{429, `{"error":"rate_limited"}`}), compliance.WithMaxRetries(0))
	if err != nil {
		panic(err)
	}
	_, err = client.Pixel.Scan(context.Background(), "https://shop.example")
	var failed *compliance.Error
	if errors.As(err, &failed) && errors.Is(err, compliance.ErrRateLimit) {
		fmt.Println(failed.Code, failed.RetryAfter)
	}
	// Output: rate_limited 43s
}
