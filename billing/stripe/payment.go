package stripe

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v79"
	"github.com/stripe/stripe-go/v79/webhook"

	"foyer/app/money"
	"foyer/billing/processor"
)

// CreatePayment creates a direct charge on the studio's account, for a card, to be confirmed in the customer's
// browser. A platform fee of 0 is left out, because Stripe requires a positive one.
func (s *Adapter) CreatePayment(ctx context.Context, in processor.NewPayment) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "create payment"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Intent{}, err
	}
	amount, err := units(op, in.Amount, in.Currency)
	if err != nil {
		return processor.Intent{}, err
	}
	if in.Account == "" || in.Fee < 0 || (in.Fee > 0 && in.Fee >= in.Amount) {
		detail := fmt.Sprintf("fee %d of %d on account %q", in.Fee, in.Amount, in.Account)
		return processor.Intent{}, &processor.Error{Op: op, Detail: detail, Kind: processor.ErrRefused}
	}
	params := &stripe.PaymentIntentParams{
		Params:             call(ctx, in.Account, in.Key),
		Amount:             stripe.Int64(amount),
		Currency:           stripe.String(strings.ToLower(string(in.Currency))),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
		Customer:           text(in.Customer),
		Description:        text(in.Description),
		Metadata:           in.Metadata,
		// A card's statement takes a suffix alone: Stripe refuses statement_descriptor for cards.
		StatementDescriptorSuffix: text(in.Statement),
	}
	if in.ManualCapture {
		params.CaptureMethod = stripe.String(string(stripe.PaymentIntentCaptureMethodManual))
	}
	if in.Fee > 0 {
		fee, err := units(op, in.Fee, in.Currency)
		if err != nil {
			return processor.Intent{}, err
		}
		params.ApplicationFeeAmount = stripe.Int64(fee)
	}
	pi, err := s.api.PaymentIntents.New(params)
	out, err := s.intent(op, in.Account, pi, err)
	// Words on a statement are no reason to lose a sale: without them the account's own stand there.
	if e, ok := err.(*processor.Error); ok && e.Param == "statement_descriptor_suffix" {
		params.StatementDescriptorSuffix = nil
		params.SetIdempotencyKey(in.Key + ":plain")
		pi, err = s.api.PaymentIntents.New(params)
		out, err = s.intent(op, in.Account, pi, err)
	}
	// Stripe has no code for an account that may not charge at the moment, and complains about no parameter then.
	if e, ok := err.(*processor.Error); ok && e.Kind == processor.ErrRefused &&
		e.Status == http.StatusBadRequest && e.Code == "" && e.Param == "" {
		e.Kind = processor.ErrCardUnavailable
	}
	return out, err
}

// GetPayment reads a payment with its charge and its balance transaction, in one call.
func (s *Adapter) GetPayment(ctx context.Context, account, id string) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	params := &stripe.PaymentIntentParams{Params: call(ctx, account, "")}
	params.AddExpand("latest_charge.balance_transaction")
	pi, err := s.api.PaymentIntents.Get(id, params)
	return s.intent("get payment", account, pi, err)
}

// CapturePayment captures an authorized payment. Stripe keeps the application fee that the payment was created with.
func (s *Adapter) CapturePayment(ctx context.Context, account, id, key string) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "capture payment"
	if err := mustKey(op, key); err != nil {
		return processor.Intent{}, err
	}
	pi, err := s.api.PaymentIntents.Capture(id, &stripe.PaymentIntentCaptureParams{Params: call(ctx, account, key)})
	return s.changed(op, account, pi, err)
}

// CancelPayment cancels a payment that has not succeeded.
func (s *Adapter) CancelPayment(ctx context.Context, account, id, key string) (processor.Intent, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "cancel payment"
	if err := mustKey(op, key); err != nil {
		return processor.Intent{}, err
	}
	pi, err := s.api.PaymentIntents.Cancel(id, &stripe.PaymentIntentCancelParams{Params: call(ctx, account, key)})
	return s.changed(op, account, pi, err)
}

// intent maps an answer. The payment inside a decline is an answer like any other.
func (s *Adapter) intent(op, account string, pi *stripe.PaymentIntent, err error) (processor.Intent, error) {
	if err != nil {
		if pi = declined(err); pi == nil {
			return processor.Intent{}, failed(op, err)
		}
	}
	status, ok := statuses[pi.Status]
	if !ok {
		return processor.Intent{}, unreadable(op, fmt.Errorf("payment status %q is unknown", pi.Status))
	}
	r := read(pi.Currency)
	out := processor.Intent{
		ID: pi.ID, Account: account, ClientSecret: pi.ClientSecret, Status: status,
		Amount: r.minor(pi.Amount), Fee: r.minor(pi.ApplicationFeeAmount), Currency: r.info.Code,
		Metadata: pi.Metadata, Failure: failure(pi.LastPaymentError), SavesCard: pi.SetupFutureUsage == stripe.PaymentIntentSetupFutureUsageOffSession,
	}
	if pi.Customer != nil {
		out.CustomerID = pi.Customer.ID
	}
	if pi.PaymentMethod != nil {
		out.MethodID = pi.PaymentMethod.ID
	}
	if n := pi.NextAction; n != nil && n.RedirectToURL != nil {
		out.RedirectURL = n.RedirectToURL.URL
	}
	if c := pi.LatestCharge; c != nil {
		out.ChargeID, out.Card = c.ID, cardOf(c)
		out.Settlement, err = settlement(c.BalanceTransaction)
		if err != nil {
			return processor.Intent{}, unreadable(op, err)
		}
	}
	if r.err != nil {
		return processor.Intent{}, unreadable(op, r.err)
	}
	return out, nil
}

var statuses = map[stripe.PaymentIntentStatus]processor.Status{
	stripe.PaymentIntentStatusRequiresPaymentMethod: processor.StatusAwaitingMethod,
	stripe.PaymentIntentStatusRequiresConfirmation:  processor.StatusAwaitingCustomer,
	stripe.PaymentIntentStatusRequiresAction:        processor.StatusAwaitingCustomer,
	stripe.PaymentIntentStatusProcessing:            processor.StatusProcessing,
	stripe.PaymentIntentStatusRequiresCapture:       processor.StatusAuthorized,
	stripe.PaymentIntentStatusSucceeded:             processor.StatusSucceeded,
	stripe.PaymentIntentStatusCanceled:              processor.StatusCanceled,
}

func failure(e *stripe.Error) *processor.Failure {
	if e == nil {
		return nil
	}
	return &processor.Failure{Code: string(e.Code), DeclineCode: string(e.DeclineCode), Message: e.Msg}
}

// cardOf returns nil while the charge is only known by its id.
func cardOf(c *stripe.Charge) *processor.Card {
	if c.PaymentMethodDetails == nil || c.PaymentMethodDetails.Card == nil {
		return nil
	}
	d := c.PaymentMethodDetails.Card
	out := &processor.Card{
		Brand: string(d.Brand), Last4: d.Last4, ExpMonth: int(d.ExpMonth), ExpYear: int(d.ExpYear), Fingerprint: d.Fingerprint,
	}
	if d.Wallet != nil {
		out.Wallet = string(d.Wallet.Type)
	}
	return out
}

// settlement maps a balance transaction. It is nil until there is one, with Stripe's default capture method some
// seconds after success, and nil while only its id is known.
func settlement(b *stripe.BalanceTransaction) (*processor.Settlement, error) {
	if b == nil || b.Currency == "" {
		return nil, nil
	}
	r := read(b.Currency)
	out := &processor.Settlement{ID: b.ID, Currency: money.Currency(r.info.Code), Gross: r.minor(b.Amount), Net: r.minor(b.Net)}
	for _, d := range b.FeeDetails {
		if d.Type == "application_fee" {
			out.PlatformFee += r.minor(d.Amount)
		} else {
			out.ProcessorFee += r.minor(d.Amount)
		}
	}
	return out, r.err
}

// MaxEventBody is the maximum size of an event, in bytes. The processor's own are a few KB.
const MaxEventBody = 256 << 10

// maxEventName bounds the ids and the type of an event, in bytes: they are keys of a table and parts of addresses.
const maxEventName = 255

// eventTolerance is the maximum distance of a signature's time from now, in either direction. stripe-go checks the
// past only, and by the machine's clock.
const eventTolerance = 300 * time.Second

// ConstructEvent verifies that body, exactly as it was received, is signed recently with one of the secrets, and
// returns the event.
func (s *Adapter) ConstructEvent(at processor.Endpoint, body []byte, signature string) (processor.Event, error) {
	if len(body) > MaxEventBody {
		return processor.Event{}, processor.ErrEventTooLarge
	}
	if !s.lately(signature) || !s.signed(at, body, signature) {
		return processor.Event{}, processor.ErrEventSignature
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
		return processor.Event{}, processor.ErrEventMalformed
	}
	if e.APIVersion != stripe.APIVersion {
		return processor.Event{}, processor.ErrEventVersion.WithMessage(fmt.Sprintf(
			"The event has API version %q; create the endpoint with %q.", e.APIVersion, stripe.APIVersion))
	}
	out := processor.Event{
		ID: e.ID, Type: e.Type, Account: e.Account, Live: e.Livemode, Created: time.Unix(e.Created, 0).UTC(),
		ObjectID: e.Data.Object.ID, ObjectKind: e.Data.Object.Object,
	}
	if out.ObjectKind == "payment_intent" {
		out.PaymentID = out.ObjectID
	} else if err := json.Unmarshal(e.Data.Object.PaymentIntent, &out.PaymentID); err != nil {
		out.PaymentID = "" // absent, or not just an id
	}
	for _, name := range []string{out.ID, out.Type, out.Account, out.ObjectID, out.PaymentID} {
		if !isEventName(name) {
			return processor.Event{}, processor.ErrEventMalformed
		}
	}
	if !at.Takes(out) {
		return processor.Event{}, processor.ErrEventEndpoint
	}
	return out, nil
}

// isEventName reports whether a text can be an id of the processor, or the type of an event: printable ASCII without
// spaces, which Postgres can store. An account or an object may be absent.
func isEventName(name string) bool {
	return len(name) <= maxEventName && !strings.ContainsFunc(name, func(r rune) bool { return r <= ' ' || r > '~' })
}

func (s *Adapter) signed(at processor.Endpoint, body []byte, signature string) bool {
	for _, secret := range s.secrets[at] {
		if secret != "" && webhook.ValidatePayloadIgnoringTolerance(body, signature, secret) == nil {
			return true
		}
	}
	return false
}

// lately checks the time inside the signature header. Of several times the last one counts, because stripe-go
// computes the signature with that one.
func (s *Adapter) lately(signature string) bool {
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
