package compliance

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrWebhookVerification reports a webhook that fails verification. Respond with status 400, and don't process the
// webhook.
var ErrWebhookVerification = errors.New("compliance: the webhook can't be verified")

const webhookTolerance = 5 * time.Minute

// VerifyWebhook verifies the signature and timestamp of a webhook signed according to Standard Webhooks, and decodes
// the webhook's body into event.
//
// The body must be exactly as received. Each secret starts with "whsec_"; during a rotation, pass several secrets. A
// webhook's timestamp can be up to five minutes before or after the current time. The error is ErrWebhookVerification
// if a header is missing, the timestamp is outside that range, no signature matches, or the body can't be decoded into
// event.
func VerifyWebhook(body []byte, headers http.Header, secrets []string, now time.Time, event any) error {
	id, timestamp, signatures := headers.Get("webhook-id"), headers.Get("webhook-timestamp"), headers.Get("webhook-signature")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if id == "" || signatures == "" || err != nil {
		return ErrWebhookVerification
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > webhookTolerance || age < -webhookTolerance {
		return ErrWebhookVerification
	}
	for _, secret := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(key) == 0 {
			return errors.New("compliance: the webhook secret isn't valid")
		}
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(id + "." + timestamp + "."))
		mac.Write(body)
		expected := mac.Sum(nil)
		for _, signature := range strings.Split(signatures, " ") {
			encoded, isV1 := strings.CutPrefix(signature, "v1,")
			given, err := base64.StdEncoding.DecodeString(encoded)
			if isV1 && err == nil && hmac.Equal(given, expected) {
				if json.Unmarshal(body, event) != nil {
					return ErrWebhookVerification
				}
				return nil
			}
		}
	}
	return ErrWebhookVerification
}
