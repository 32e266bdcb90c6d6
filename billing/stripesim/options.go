package stripesim

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"foyer/app/clock"
)

// Defaults that the program and its tests share.
const (
	DefaultSecretKey      = "sk_sim_foyer"
	DefaultPublishableKey = "pk_sim_foyer"
	DefaultWebhookSecret  = "whsec_sim_foyer"
	DefaultPrefix         = "/__sim"
	BaseURL               = "http://stripe.sim" // for a client whose transport is the Server
)

// APIVersion is the version of the API that is spoken, on requests and in events.
const APIVersion = "2024-06-20"

// Options of a Server. Only Clock is required.
type Options struct {
	Clock clock.Clock
	Seed  string // ids follow from it; empty for a random one, which is kept in File

	AppURL   string // the app's own base URL: the only place the pages send a browser back to
	PagesURL string // where a browser reaches the pages, without the prefix; empty for AppURL
	Prefix   string // of the pages; empty for DefaultPrefix

	SecretKey     string // empty for DefaultSecretKey
	WebhookURL    string // where events are posted; empty for nowhere
	WebhookSecret string // empty for DefaultWebhookSecret
	Duplicate     bool   // send every event twice
	Shuffle       bool   // send events late and out of order
	HTTPClient    *http.Client

	File string // state is kept here across restarts; empty for memory only

	FeePPM   int64         // the processor's own fee; FeePPM and FeeFixed both 0 for 2.9 % + 30
	FeeFixed int64         // in Stripe's units
	Settle   time.Duration // from success until the fees are known; 0 for 2 s
	Logger   *slog.Logger
}

// FromEnv sets the switches that come from the environment, so that a whole run can be made with them on:
// SIM_WEBHOOK_DUPLICATE=1 and SIM_WEBHOOK_SHUFFLE=1.
func (o Options) FromEnv(getenv func(string) string) Options {
	o.Duplicate = o.Duplicate || getenv("SIM_WEBHOOK_DUPLICATE") == "1"
	o.Shuffle = o.Shuffle || getenv("SIM_WEBHOOK_SHUFFLE") == "1"
	return o
}

func (o Options) complete() (Options, error) {
	if o.Clock == nil {
		return o, errors.New("stripesim: no clock")
	}
	if !strings.HasPrefix(orElse(o.SecretKey, DefaultSecretKey), "sk_sim_") {
		return o, errors.New("stripesim: the secret key does not begin with sk_sim_")
	}
	for _, u := range []string{o.AppURL, o.PagesURL, o.WebhookURL} {
		if u == "" {
			continue
		}
		if parsed, err := url.Parse(u); err != nil || parsed.Host == "" {
			return o, errors.New("stripesim: not an absolute URL: " + u)
		}
	}
	o.SecretKey = orElse(o.SecretKey, DefaultSecretKey)
	o.WebhookSecret = orElse(o.WebhookSecret, DefaultWebhookSecret)
	o.Prefix = strings.TrimSuffix(orElse(o.Prefix, DefaultPrefix), "/")
	o.PagesURL = strings.TrimSuffix(orElse(o.PagesURL, o.AppURL), "/")
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Timeout: 10 * time.Second}
	}
	if o.FeePPM == 0 && o.FeeFixed == 0 {
		o.FeePPM, o.FeeFixed = 29_000, 30
	}
	if o.Settle == 0 {
		o.Settle = 2 * time.Second
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

func orElse(v, fallback string) string {
	if v == "" {
		return fallback
	}
	return v
}
