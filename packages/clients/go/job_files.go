package compliance

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// The polling interval for a job's state grows from firstPause to longestPause. The client stops waiting after
// maxFailures consecutive failed requests.
const (
	firstPause   = 500 * time.Millisecond
	longestPause = 5 * time.Second
	maxFailures  = 10
)

// UploadJobFile uploads a job's file, which starts the job. The file is streamed, not loaded into memory. The upload
// has no time limit except the context's deadline. If the connection is lost, get the job again: as long as its state
// is awaiting_input, you can upload the file once more. If the job accepts an upload, any error returned is an *Error
// or the context's error.
//
//	job, err := client.UploadJobFile(ctx, job, file)
func (c *Client) UploadJobFile(ctx context.Context, job *Job, file io.Reader) (*Job, error) {
	if job.UploadURL == nil {
		return nil, errors.New("compliance: the job doesn't accept an upload: it already has its file, has an input_url, or was canceled")
	}
	body, err := c.exchange.transfer(ctx, "PUT", *job.UploadURL, file)
	if err != nil {
		return nil, err
	}
	defer body.Close()
	started := new(Job)
	if err := json.NewDecoder(io.LimitReader(body, maxResponse)).Decode(started); err != nil {
		return nil, &Error{Kind: ErrDecode, Message: "the response isn't the expected JSON object", cause: err}
	}
	return started, nil
}

// WaitForJob waits until a job finishes, fails, or is canceled. It calls onProgress, which can be nil, whenever the
// job's state or its number of processed rows changes. Temporary errors end the wait only after 10 consecutive failed
// requests. To limit the time, use a context with a deadline. The job continues if the wait ends, and you can wait for
// the same ID again.
//
//	job, err := client.WaitForJob(ctx, id, func(job *compliance.Job) { log.Println(job.ProcessedRows, job.Rows) })
func (c *Client) WaitForJob(ctx context.Context, id string, onProgress func(*Job)) (*Job, error) {
	var seen Job
	failures := 0
	for pause := firstPause; ; pause = min(pause*3/2, longestPause) {
		job, err := c.Jobs.Get(ctx, id)
		var failed *Error
		switch {
		case err == nil:
			failures = 0
			if onProgress != nil && (job.State != seen.State || job.ProcessedRows != seen.ProcessedRows) {
				onProgress(job)
			}
			seen = *job
			if job.FinishedAt != nil {
				return job, nil
			}
		case errors.As(err, &failed) && failed.temporary() && failures+1 < maxFailures:
			failures++
		default:
			return nil, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// DownloadJobResult downloads a job's result. The caller must close the result. While the job is running, the
// result contains only the rows processed so far. The download has no time limit except the context's deadline. The
// error is an *Error or the context's error, unless the job hasn't started.
//
//	result, err := client.DownloadJobResult(ctx, job)
//	if err == nil {
//		defer result.Close()
//		_, err = io.Copy(file, result)
//	}
func (c *Client) DownloadJobResult(ctx context.Context, job *Job) (io.ReadCloser, error) {
	if job.ResultURL == nil {
		return nil, errors.New("compliance: the job doesn't have a result, because it hasn't started")
	}
	return c.exchange.transfer(ctx, "GET", *job.ResultURL, nil)
}

// DownloadJobCertificates downloads a ZIP file with a job's certificate PDFs and an index. The caller must close the
// ZIP file. While the job is running, the ZIP file contains only the certificates issued so far. The download has no
// time limit except the context's deadline. If the job doesn't issue certificates or hasn't started, the error is a
// plain error. Otherwise, it's an *Error or the context's error.
//
//	certificates, err := client.DownloadJobCertificates(ctx, job)
//	if err == nil {
//		defer certificates.Close()
//		_, err = io.Copy(file, certificates)
//	}
func (c *Client) DownloadJobCertificates(ctx context.Context, job *Job) (io.ReadCloser, error) {
	if job.CertificatesURL == nil {
		return nil, errors.New("compliance: the job doesn't issue certificates, or it hasn't started")
	}
	return c.exchange.transfer(ctx, "GET", *job.CertificatesURL, nil)
}

// transfer sends one request to a signed URL without the API key and returns the response body.
func (e *exchange) transfer(ctx context.Context, method, url string, body io.Reader) (io.ReadCloser, error) {
	if err := safeURL(url, e.settings.plainHTTP); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	response, err := e.settings.doer.Do(request)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Error{Kind: ErrConnection, Message: "the connection failed or was lost", cause: err}
	case response.StatusCode < 200 || response.StatusCode > 299:
		defer response.Body.Close()
		data, _ := io.ReadAll(io.LimitReader(response.Body, maxResponse))
		return nil, errorOf(response, e.redact(data))
	}
	return response.Body, nil
}

// temporary reports whether a later request might succeed.
func (e *Error) temporary() bool {
	return e.Kind == ErrConnection || e.Kind == ErrTimeout || e.Status == 429 || e.Status >= 500
}
