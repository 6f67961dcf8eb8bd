// Runs test cases with the Go client: reads a test plan from standard input and prints the outcomes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"sync"
	"time"

	compliance "github.com/portfolio-compliance/compliance-go"
)

type setting struct {
	Timeout        float64
	Deadline       float64
	MaxRetries     *int
	IdempotencyKey string
	CancelAfter    float64
}

type part struct {
	ID, Call, Key, BaseURL string
	AllowHTTP, Hooks       bool
	Args                   json.RawMessage
	Options                setting
	Times                  int
	setting
}

type object = map[string]any

var kinds = []struct {
	name string
	kind error
}{
	{"invalid_request", compliance.ErrInvalidRequest},
	{"authentication", compliance.ErrAuthentication},
	{"beta_access", compliance.ErrBetaAccess},
	{"permission", compliance.ErrPermission},
	{"rate_limit", compliance.ErrRateLimit},
	{"upstream", compliance.ErrUpstream},
	{"connection", compliance.ErrConnection},
	{"timeout", compliance.ErrTimeout},
	{"decode", compliance.ErrDecode},
}

func (s setting) options() []compliance.Option {
	var options []compliance.Option
	if s.Timeout > 0 {
		options = append(options, compliance.WithTimeout(time.Duration(s.Timeout*float64(time.Second))))
	}
	if s.MaxRetries != nil {
		options = append(options, compliance.WithMaxRetries(*s.MaxRetries))
	}
	if s.IdempotencyKey != "" {
		options = append(options, compliance.WithIdempotencyKey(s.IdempotencyKey))
	}
	return options
}

func call(ctx context.Context, client *compliance.Client, p part, info *compliance.ResponseInfo) (any, error) {
	options := append(p.Options.options(), compliance.WithResponseInfo(info))
	if p.Call == "download" {
		var response compliance.GccGenerateResponse
		check(json.Unmarshal(p.Args, &response))
		pdf, err := client.DownloadCertificate(ctx, &response, options...)
		return string(pdf), err
	}
	return callOperation(ctx, client, p.Call, p.Args, options)
}

// collect returns all items of an iterator.
func collect[T any](all func(yield func(T, error) bool)) (any, error) {
	items := []T{}
	var failed error
	all(func(item T, err error) bool {
		if err != nil {
			failed = err
			return false
		}
		items = append(items, item)
		return true
	})
	return items, failed
}

// orZero returns the value of a field, or the zero value if a case omits the field.
func orZero[T any](field *T) T {
	if field == nil {
		return *new(T)
	}
	return *field
}

// pathValue returns an argument that is part of the path.
func pathValue(args json.RawMessage, name string) string {
	var values map[string]any
	check(json.Unmarshal(args, &values))
	value, _ := values[name].(string)
	return value
}

func failure(err error) object {
	printed := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
	var failed *compliance.Error
	if !errors.As(err, &failed) {
		if errors.Is(err, context.Canceled) {
			return object{"ended": "cancelled", "printed": printed}
		}
		return object{"ended": "rejected", "printed": printed}
	}
	details := object{"kinds": kindsOf(err)}
	if failed.Status != 0 {
		details["status"] = failed.Status
	}
	if failed.Code != "" {
		details["code"] = failed.Code
	}
	if failed.RequestID != "" {
		details["requestId"] = failed.RequestID
	}
	if failed.RetryAfter != nil {
		details["retryAfter"] = failed.RetryAfter.Seconds()
	}
	if failed.Reason != "" {
		details["reason"] = failed.Reason
	}
	details["rateLimit"] = windows(failed.RateLimit)
	if failed.Partial != nil {
		details["partial"] = len(failed.Partial.Results)
	}
	details["issues"] = failed.Issues
	return object{"error": details, "printed": printed + fmt.Sprintf("%+v %#v %s", *failed, *failed, failed.Body)}
}

func kindsOf(err error) []string {
	var is []string
	for _, each := range kinds {
		if errors.Is(err, each.kind) {
			is = append(is, each.name)
		}
	}
	return is
}

func windows(limits []compliance.RateLimitWindow) []object {
	all := []object{}
	for _, w := range limits {
		all = append(all, object{"name": w.Name, "quota": w.Quota, "windowSeconds": w.WindowSeconds,
			"remaining": w.Remaining, "resetSeconds": w.ResetSeconds})
	}
	return all
}

func runCase(p part) []object {
	options := append(p.setting.options(), compliance.WithBaseURL(p.BaseURL))
	if p.AllowHTTP {
		options = append(options, compliance.WithPlainHTTP())
	}
	var lock sync.Mutex
	events := []object{}
	record := func(event object, printed any) {
		lock.Lock()
		defer lock.Unlock()
		event["printed"] = fmt.Sprintf("%+v %#v", printed, printed)
		events = append(events, event)
	}
	if p.Hooks {
		options = append(options, compliance.WithHooks(compliance.Hooks{
			OnRequest: func(e compliance.RequestEvent) {
				record(object{"on": "request", "method": e.Method, "url": e.URL, "attempt": e.Attempt, "idempotencyKey": e.IdempotencyKey}, e)
			},
			OnResponse: func(e compliance.ResponseEvent) {
				event := object{"on": "response", "method": e.Method, "url": e.URL, "attempt": e.Attempt, "status": e.Status,
					"idempotencyKey": e.IdempotencyKey, "requestId": e.RequestID, "rateLimit": windows(e.RateLimit), "seconds": e.Duration.Seconds()}
				if e.Err != nil {
					event["error"] = kindsOf(e.Err)[0]
				}
				record(event, e)
			},
		}))
	}
	client, err := compliance.New(p.Key, options...)
	if err != nil {
		return []object{failure(err)}
	}
	defer client.Close()
	results := make([]object, p.Times)
	var wait sync.WaitGroup
	for i := range results {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			started := time.Now()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if p.Options.CancelAfter > 0 {
				time.AfterFunc(time.Duration(p.Options.CancelAfter*float64(time.Second)), cancel)
			}
			deadline := p.Options.Deadline
			if deadline == 0 {
				deadline = p.setting.Deadline
			}
			if deadline > 0 {
				var end context.CancelFunc
				ctx, end = context.WithTimeout(ctx, time.Duration(deadline*float64(time.Second)))
				defer end()
			}
			var info compliance.ResponseInfo
			result, err := call(ctx, client, p, &info)
			if err != nil {
				results[i] = failure(err)
			} else {
				results[i] = object{"result": result, "printed": ""}
			}
			results[i]["printed"] = fmt.Sprintf("%v %+v %#v %v %#v", results[i]["printed"], client, client, *client, client.Tariff)
			results[i]["rateLimit"] = windows(client.RateLimit())
			if err == nil {
				results[i]["response"] = object{"status": info.Status, "requestId": info.RequestID, "rateLimit": windows(info.RateLimit)}
			}
			lock.Lock()
			results[i]["events"] = append([]object{}, events...)
			lock.Unlock()
			results[i]["seconds"] = time.Since(started).Seconds()
		}(i)
	}
	wait.Wait()
	return results
}

// methods returns the paths of all client methods, such as Tariff.HTS.Lookup.
func methods(value reflect.Value, path string) []string {
	var found []string
	for i := 0; i < value.NumMethod(); i++ {
		found = append(found, path+value.Type().Method(i).Name)
	}
	shape := reflect.Indirect(value)
	for i := 0; i < shape.NumField(); i++ {
		if field := shape.Type().Field(i); field.IsExported() {
			found = append(found, methods(shape.Field(i), path+field.Name+".")...)
		}
	}
	return found
}

func handles() int {
	open, err := os.ReadDir("/proc/self/fd")
	check(err)
	return len(open)
}

func load(p struct {
	Key, BaseURL string
	Count        int
}) object {
	client, err := compliance.New(p.Key, compliance.WithBaseURL(p.BaseURL))
	check(err)
	_, err = client.Tariff.HTS.Lookup(context.Background(), []string{"warm"})
	check(err)
	client.Close()
	time.Sleep(200 * time.Millisecond)
	files, routines := handles(), runtime.NumGoroutine()
	var wait sync.WaitGroup
	var lock sync.Mutex
	wrong := 0
	for i := 0; i < p.Count; i++ {
		wait.Add(1)
		go func(code string) {
			defer wait.Done()
			response, err := client.Tariff.HTS.Lookup(context.Background(), []string{code})
			if err != nil || len(response.Results) != 1 || response.Results[0].Code != code {
				lock.Lock()
				wrong++
				lock.Unlock()
			}
		}(strconv.Itoa(i))
	}
	wait.Wait()
	client.Close()
	for i := 0; i < 100 && (handles() > files || runtime.NumGoroutine() > routines); i++ {
		time.Sleep(100 * time.Millisecond)
	}
	return object{
		"wrong":      wrong,
		"handles":    object{"before": files, "after": handles()},
		"goroutines": object{"before": routines, "after": runtime.NumGoroutine()},
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

type webhook struct {
	Body    string
	Headers map[string]string
	Secrets []string
	Now     int64
}

// verify returns the decoded body of a webhook, or nil if the client rejects the webhook.
func verify(w webhook) any {
	headers := http.Header{}
	for name, value := range w.Headers {
		headers.Set(name, value)
	}
	var event any
	err := compliance.VerifyWebhook([]byte(w.Body), headers, w.Secrets, time.Unix(w.Now, 0), &event)
	if errors.Is(err, compliance.ErrWebhookVerification) {
		return nil
	}
	check(err)
	return event
}

func main() {
	var plan struct {
		Cases   []part
		Methods bool
		Load    *struct {
			Key, BaseURL string
			Count        int
		}
		Webhooks []webhook
	}
	check(json.NewDecoder(os.Stdin).Decode(&plan))
	var output any
	switch {
	case plan.Methods:
		client, err := compliance.New("key")
		check(err)
		output = methods(reflect.ValueOf(client), "")
	case plan.Webhooks != nil:
		events := make([]any, len(plan.Webhooks))
		for i, w := range plan.Webhooks {
			events[i] = verify(w)
		}
		output = events
	case plan.Load != nil:
		output = load(*plan.Load)
	default:
		outcomes := make([][]object, len(plan.Cases))
		var wait sync.WaitGroup
		for i, p := range plan.Cases {
			wait.Add(1)
			go func(i int, p part) {
				defer wait.Done()
				outcomes[i] = runCase(p)
			}(i, p)
		}
		wait.Wait()
		byID := object{}
		for i, p := range plan.Cases {
			byID[p.ID] = outcomes[i]
		}
		output = byID
	}
	check(json.NewEncoder(os.Stdout).Encode(output))
}
