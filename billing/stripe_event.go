package billing

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v79"
	"github.com/stripe/stripe-go/v79/webhook"
)

// MaxEventBody is the largest event that is read, in bytes.
const MaxEventBody = 512 << 10

// eventTolerance is how far the time of a signature may be from now, in either direction. stripe-go checks the past only,
// and by the machine's clock.
const eventTolerance = 300 * time.Second

// ConstructEvent proves that body, exactly as it was received, is signed with one of the secrets and lately, and says what
// it is about.
func (s *Stripe) ConstructEvent(body []byte, signature string) (Event, error) {
	if len(body) > MaxEventBody {
		return Event{}, ErrEventTooLarge
	}
	if !s.lately(signature) || !s.signed(body, signature) {
		return Event{}, ErrEventSignature
	}
	var e struct {
		ID         string `json:"id"`
		Object     string `json:"object"`
		Type       string `json:"type"`
		Account    string `json:"account"`
		APIVersion string `json:"api_version"`
		Livemode   bool   `json:"livemode"`
		Created    int64  `json:"created"`
		Data       struct {
			Object struct {
				ID            string          `json:"id"`
				Object        string          `json:"object"`
				PaymentIntent json.RawMessage `json:"payment_intent"`
			} `json:"object"`
		} `json:"data"`
	}
	if err := json.Unmarshal(body, &e); err != nil || e.ID == "" || e.Type == "" || e.Object != "event" {
		return Event{}, ErrEventMalformed
	}
	if e.APIVersion != stripe.APIVersion {
		return Event{}, ErrEventVersion.Say(fmt.Sprintf(
			"The event has API version %q; create the endpoint with %q.", e.APIVersion, stripe.APIVersion))
	}
	out := Event{
		ID: e.ID, Type: e.Type, Account: e.Account, Live: e.Livemode, Created: time.Unix(e.Created, 0).UTC(),
		ObjectID: e.Data.Object.ID, ObjectKind: e.Data.Object.Object,
	}
	if out.ObjectKind == "payment_intent" {
		out.PaymentID = out.ObjectID
	} else if err := json.Unmarshal(e.Data.Object.PaymentIntent, &out.PaymentID); err != nil {
		out.PaymentID = "" // absent, or not just an id
	}
	return out, nil
}

func (s *Stripe) signed(body []byte, signature string) bool {
	for _, secret := range s.secrets {
		if secret != "" && webhook.ValidatePayloadIgnoringTolerance(body, signature, secret) == nil {
			return true
		}
	}
	return false
}

// lately checks the time inside the signature header. Of several times the last one counts, because that is the one that
// stripe-go computes the signature with.
func (s *Stripe) lately(signature string) bool {
	var at int64
	found := false
	for _, pair := range strings.Split(signature, ",") {
		if v, ok := strings.CutPrefix(pair, "t="); ok {
			n, err := strconv.ParseInt(v, 10, 64)
			if err != nil {
				return false
			}
			at, found = n, true
		}
	}
	age := s.clock.Now().Unix() - at
	tolerance := int64(eventTolerance / time.Second)
	return found && age <= tolerance && age >= -tolerance
}
