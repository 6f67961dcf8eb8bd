// Plays cases with the Go client: reads a plan from standard input and prints what came of it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	MaxRetries     *int
	IdempotencyKey string
	CancelAfter    float64
}

type part struct {
	ID, Call, Key, BaseURL string
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

func call(ctx context.Context, client *compliance.Client, p part) (any, error) {
	options := p.Options.options()
	switch p.Call {
	case "tariff.hts.lookup":
		var request struct {
			Codes    []string
			AsOf     string `json:"as_of"`
			Origin   string
			Programs any
		}
		check(json.Unmarshal(p.Args, &request))
		if request.AsOf != "" {
			options = append(options, compliance.AsOf(request.AsOf))
		}
		if request.Origin != "" {
			options = append(options, compliance.Origin(request.Origin))
		}
		switch programs := request.Programs.(type) {
		case string:
			options = append(options, compliance.AllPrograms())
		case []any:
			var asked []compliance.Program
			for _, program := range programs {
				asked = append(asked, compliance.Program(program.(string)))
			}
			options = append(options, compliance.Programs(asked...))
		}
		return client.Tariff.HTS.Lookup(ctx, request.Codes, options...)
	case "tariff.lists":
		var query struct {
			AsOf string `json:"as_of"`
		}
		check(json.Unmarshal(p.Args, &query))
		if query.AsOf != "" {
			options = append(options, compliance.AsOf(query.AsOf))
		}
		return client.Tariff.Lists(ctx, options...)
	case "tariff.changes":
		var query struct{ From, To string }
		check(json.Unmarshal(p.Args, &query))
		return client.Tariff.Changes(ctx, query.From, query.To, options...)
	case "pixel.scan":
		var request compliance.PixelScanRequest
		check(json.Unmarshal(p.Args, &request))
		if request.Baseline != nil {
			options = append(options, compliance.Baseline(*request.Baseline))
		}
		if request.Profile != "" {
			options = append(options, compliance.Profile(request.Profile))
		}
		return client.Pixel.Scan(ctx, request.URL, options...)
	case "download":
		var answer compliance.GccGenerateResponse
		check(json.Unmarshal(p.Args, &answer))
		pdf, err := client.DownloadCertificate(ctx, &answer, options...)
		return string(pdf), err
	}
	var request compliance.GccGenerateRequest
	check(json.Unmarshal(p.Args, &request))
	return client.Entry.GCC.Generate(ctx, request, options...)
}

func failure(err error) object {
	printed := fmt.Sprintf("%v %+v %#v %q", err, err, err, err)
	var failed *compliance.Error
	if !errors.As(err, &failed) {
		if errors.Is(err, context.Canceled) {
			return object{"ended": "cancelled", "printed": printed}
		}
		return object{"ended": "refused", "printed": printed}
	}
	var is []string
	for _, each := range kinds {
		if errors.Is(err, each.kind) {
			is = append(is, each.name)
		}
	}
	told := object{"kinds": is}
	if failed.Status != 0 {
		told["status"] = failed.Status
	}
	if failed.Code != "" {
		told["code"] = failed.Code
	}
	if failed.RequestID != "" {
		told["requestId"] = failed.RequestID
	}
	if failed.RetryAfter != nil {
		told["retryAfter"] = failed.RetryAfter.Seconds()
	}
	told["issues"] = failed.Issues
	return object{"error": told, "printed": printed + fmt.Sprintf("%+v %#v %s", *failed, *failed, failed.Body)}
}

func played(p part) []object {
	options := append(p.setting.options(), compliance.WithBaseURL(p.BaseURL))
	client, err := compliance.New(p.Key, options...)
	if err != nil {
		return []object{failure(err)}
	}
	defer client.Close()
	told := make([]object, p.Times)
	var wait sync.WaitGroup
	for i := range told {
		wait.Add(1)
		go func(i int) {
			defer wait.Done()
			started := time.Now()
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			if p.Options.CancelAfter > 0 {
				time.AfterFunc(time.Duration(p.Options.CancelAfter*float64(time.Second)), cancel)
			}
			result, err := call(ctx, client, p)
			if err != nil {
				told[i] = failure(err)
			} else {
				told[i] = object{"result": result, "printed": ""}
			}
			told[i]["printed"] = fmt.Sprintf("%v %+v %#v %v %#v", told[i]["printed"], client, client, *client, client.Tariff)
			windows := []object{}
			for _, w := range client.RateLimit() {
				windows = append(windows, object{"name": w.Name, "quota": w.Quota, "windowSeconds": w.WindowSeconds,
					"remaining": w.Remaining, "resetSeconds": w.ResetSeconds})
			}
			told[i]["rateLimit"] = windows
			told[i]["seconds"] = time.Since(started).Seconds()
		}(i)
	}
	wait.Wait()
	return told
}

// tree lists the paths of the client's methods.
func tree(value reflect.Value, path string) []string {
	var found []string
	for i := 0; i < value.NumMethod(); i++ {
		found = append(found, path+value.Type().Method(i).Name)
	}
	shape := reflect.Indirect(value)
	for i := 0; i < shape.NumField(); i++ {
		if field := shape.Type().Field(i); field.IsExported() {
			found = append(found, tree(shape.Field(i), path+field.Name+".")...)
		}
	}
	return found
}

func handles() int {
	open, err := os.ReadDir("/proc/self/fd")
	check(err)
	return len(open)
}

func soak(p struct {
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
			answer, err := client.Tariff.HTS.Lookup(context.Background(), []string{code})
			if err != nil || len(answer.Results) != 1 || answer.Results[0].Code != code {
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

func main() {
	var plan struct {
		Play []part
		Tree bool
		Soak *struct {
			Key, BaseURL string
			Count        int
		}
	}
	check(json.NewDecoder(os.Stdin).Decode(&plan))
	var told any
	switch {
	case plan.Tree:
		client, err := compliance.New("key")
		check(err)
		told = tree(reflect.ValueOf(client), "")
	case plan.Soak != nil:
		told = soak(*plan.Soak)
	default:
		outcomes := make([][]object, len(plan.Play))
		var wait sync.WaitGroup
		for i, p := range plan.Play {
			wait.Add(1)
			go func(i int, p part) {
				defer wait.Done()
				outcomes[i] = played(p)
			}(i, p)
		}
		wait.Wait()
		byID := object{}
		for i, p := range plan.Play {
			byID[p.ID] = outcomes[i]
		}
		told = byID
	}
	check(json.NewEncoder(os.Stdout).Encode(told))
}
