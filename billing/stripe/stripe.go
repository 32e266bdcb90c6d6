package stripe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/stripe/stripe-go/v79"
	"github.com/stripe/stripe-go/v79/client"

	"foyer/app/clock"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing/processor"
)

// Config configures the adapter. The settings come from the environment, through cmd.
type Config struct {
	SecretKey       string
	PublishableKey  string
	BaseURL         string       // empty for Stripe itself; the address of a replacement otherwise
	WebhookSecrets  []string     // of EndpointConnect; all are accepted, so a secret can be rotated
	PlatformSecrets []string     // of EndpointPlatform, in the same way; without any nothing is accepted there
	HTTPClient      *http.Client // nil for one of its own
	Clock           clock.Clock
	Patience        time.Duration // of a call with all its retries; 0 for ten seconds
	NoRetry         bool          // no retries inside the client: for tests, and for jobs that retry by themselves
}

// Adapter is a processor.Processor on stripe-go. It is safe for concurrent use.
type Adapter struct {
	env         processor.Env
	patience    time.Duration
	publishable string
	secrets     map[processor.Endpoint][]string
	clock       clock.Clock
	api         *client.API
}

var _ processor.Processor = (*Adapter)(nil)

const (
	// stripePatience: a person waits for the call. The request it started goes on, and its event or the sweep of open
	// payments reports its end.
	stripePatience = 10 * time.Second
	stripeRetries  = 2 // while a person waits; jobs add their own
	maxKey         = 255
)

// New returns the adapter, or an error about the settings.
func New(c Config) (*Adapter, error) {
	env, err := EnvOf(c.SecretKey, c.BaseURL)
	if err != nil {
		return nil, err
	}
	if c.Clock == nil {
		return nil, errors.New("billing: the processor needs a clock")
	}
	if c.HTTPClient == nil {
		c.HTTPClient = &http.Client{}
	}
	return &Adapter{
		env:         env,
		patience:    cmp.Or(c.Patience, stripePatience),
		publishable: c.PublishableKey,
		secrets:     map[processor.Endpoint][]string{processor.EndpointConnect: c.WebhookSecrets, processor.EndpointPlatform: c.PlatformSecrets},
		clock:       c.Clock,
		api:         client.New(c.SecretKey, backends(c)),
	}, nil
}

// backends makes one backend for everything. The package-level ones of stripe-go are shared by the whole process, and
// the backend named Connect reads errors in another shape, so neither is used.
func backends(c Config) *stripe.Backends {
	retries := int64(stripeRetries)
	if c.NoRetry {
		retries = 0
	}
	conf := &stripe.BackendConfig{
		HTTPClient:        c.HTTPClient,
		MaxNetworkRetries: &retries,
		EnableTelemetry:   stripe.Bool(false),
		LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull}, // its log lines can hold client secrets
	}
	if c.BaseURL != "" {
		conf.URL = stripe.String(strings.TrimSuffix(c.BaseURL, "/"))
	}
	b := stripe.GetBackendWithConfig(stripe.APIBackend, conf)
	return &stripe.Backends{API: b, Connect: b, Uploads: b}
}

// EnvOf derives the world from the secret key and the base URL. A live key is refused for any address but Stripe's
// own, and Stripe's address for any key but Stripe's own: neither mistake may become a payment, or look like one.
func EnvOf(key, baseURL string) (processor.Env, error) {
	kind := processor.Env("")
	switch {
	case hasPrefix(key, "sk_live_", "rk_live_"):
		kind = processor.EnvLive
	case hasPrefix(key, "sk_test_", "rk_test_"):
		kind = processor.EnvTest
	case hasPrefix(key, "sk_sim_"):
		kind = processor.EnvSimulated
	default:
		return "", errors.New("billing: the processor's secret key begins with none of sk_live_, rk_live_, sk_test_, rk_test_, sk_sim_")
	}
	if baseURL == "" || strings.TrimSuffix(baseURL, "/") == stripe.APIURL {
		if kind == processor.EnvSimulated {
			return "", errors.New("billing: a simulator's key needs the simulator's address")
		}
		return kind, nil
	}
	u, err := url.Parse(baseURL)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return "", fmt.Errorf("billing: %q is not a processor's address", baseURL)
	}
	if kind == processor.EnvLive {
		return "", errors.New("billing: a live key is only sent to Stripe's own address")
	}
	return processor.EnvSimulated, nil
}

func hasPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// Env returns the world of this adapter.
func (s *Adapter) Env() processor.Env { return s.env }

// PublishableKey returns the key that a browser may see.
func (s *Adapter) PublishableKey() string { return s.publishable }

// call fills in what every request carries. account is empty for the platform's own objects. A request that changes
// something has a key of ours: the one that stripe-go makes up protects only its own retries.
func call(ctx context.Context, account, key string) stripe.Params {
	p := stripe.Params{Context: ctx}
	if account != "" {
		p.SetStripeAccount(account)
	}
	if key != "" {
		p.SetIdempotencyKey(key)
	}
	return p
}

// mustKey refuses a key that Stripe would refuse, before anything is sent.
func mustKey(op, key string) error {
	if key == "" || len(key) > maxKey || strings.TrimSpace(key) != key {
		return &processor.Error{
			Op: op, Detail: fmt.Sprintf("idempotency key %q is not usable", key), Kind: processor.ErrRefused,
		}
	}
	return nil
}

// units converts an amount of ours to Stripe's unit.
func units(op string, minor int64, cur money.Currency) (int64, error) {
	info, ok := money.Lookup(cur)
	if !ok {
		return 0, &processor.Error{Op: op, Detail: fmt.Sprintf("currency %q is unknown", cur), Kind: processor.ErrRefused}
	}
	n, err := info.ToStripe(minor)
	if err != nil {
		return 0, &processor.Error{Op: op, Detail: err.Error(), Kind: processor.ErrAmountRefused}
	}
	return n, nil
}

// reader converts amounts from Stripe's unit and keeps the first failure, so that a mapping reads as a list of fields.
type reader struct {
	info money.Info
	err  error
}

func read(cur stripe.Currency) *reader {
	info, ok := money.Lookup(money.Currency(strings.ToUpper(string(cur))))
	r := &reader{info: info}
	if !ok {
		r.err = fmt.Errorf("currency %q is unknown", cur)
	}
	return r
}

func (r *reader) minor(amount int64) int64 {
	if r.err != nil {
		return 0
	}
	n, err := r.info.FromStripe(amount)
	r.err = err
	return n
}

// unreadable returns the error of an answer that this program cannot read. The same request again would not change
// it.
func unreadable(op string, err error) error {
	return &processor.Error{Op: op, Status: http.StatusOK, Detail: err.Error(), Kind: processor.ErrRefused}
}

// failed turns an error of stripe-go into a processor.Error; nil stays nil. The original is not wrapped: its text is
// the whole answer and holds client secrets.
func failed(op string, err error) error {
	if err == nil {
		return nil
	}
	var se *stripe.Error
	if !errors.As(err, &se) {
		// No answer, or one that is not Stripe's JSON: a proxy's error page, a connection cut in the middle. The
		// request may have been carried out, which its key makes harmless.
		return &processor.Error{Op: op, Detail: transport(err), Kind: processor.ErrDown}
	}
	return &processor.Error{
		Op: op, Status: se.HTTPStatusCode, Code: string(se.Code), Param: se.Param,
		RequestID: se.RequestID, Detail: se.Msg, Kind: kindOf(se),
	}
}

// transport describes a failure without an answer. stripe-go quotes the body of an answer that it cannot read, and
// that body can be half a payment with its secret.
func transport(err error) string {
	var ue *url.Error
	switch {
	case errors.As(err, &ue):
		return ue.Err.Error()
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err.Error()
	}
	return "the answer cannot be read"
}

func kindOf(se *stripe.Error) *fault.Error {
	switch {
	case se.HTTPStatusCode >= http.StatusInternalServerError,
		se.HTTPStatusCode == http.StatusTooManyRequests,
		se.HTTPStatusCode == http.StatusConflict: // the same key is being worked on, which is an idempotency_error too
		return processor.ErrDown
	case se.Type == stripe.ErrorTypeIdempotency:
		return processor.ErrKeyReused
	}
	if kind, ok := kindByCode[se.Code]; ok {
		return kind
	}
	if se.HTTPStatusCode == http.StatusForbidden {
		return processor.ErrAccountDisconnected
	}
	return processor.ErrRefused
}

var kindByCode = map[stripe.ErrorCode]*fault.Error{
	stripe.ErrorCodeLockTimeout:               processor.ErrDown,
	stripe.ErrorCodeRateLimit:                 processor.ErrDown,
	stripe.ErrorCodeIdempotencyKeyInUse:       processor.ErrDown,
	stripe.ErrorCodeResourceMissing:           processor.ErrUnknownObject,
	stripe.ErrorCodeAccountInvalid:            processor.ErrAccountDisconnected,
	stripe.ErrorCodePlatformAccountRequired:   processor.ErrAccountDisconnected,
	stripe.ErrorCodeAmountTooSmall:            processor.ErrAmountRefused,
	stripe.ErrorCodeAmountTooLarge:            processor.ErrAmountRefused,
	stripe.ErrorCodeChargeAlreadyRefunded:     processor.ErrRefundTooLarge,
	stripe.ErrorCodeRefundDisputedPayment:     processor.ErrRefundDisputed,
	stripe.ErrorCodeChargeDisputed:            processor.ErrRefundDisputed,
	stripe.ErrorCodeBalanceInsufficient:       processor.ErrBalanceInsufficient,
	stripe.ErrorCodeTestmodeChargesOnly:       processor.ErrCardUnavailable,
	stripe.ErrorCodePaymentMethodUnactivated:  processor.ErrCardUnavailable,
	stripe.ErrorCodeApplicationFeesNotAllowed: processor.ErrCountryRefused,
	stripe.ErrorCodeCountryUnsupported:        processor.ErrCountryRefused,
}

// declined returns the payment inside a card error. A decline is a result: the payment exists and waits for another
// card.
func declined(err error) *stripe.PaymentIntent {
	var se *stripe.Error
	if errors.As(err, &se) && se.Type == stripe.ErrorTypeCard {
		return se.PaymentIntent
	}
	return nil
}
