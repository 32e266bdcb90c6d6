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

// What the program and its tests share.
const (
	DefaultSecretKey      = "sk_sim_foyer"
	DefaultPublishableKey = "pk_sim_foyer"
	DefaultWebhookSecret  = "whsec_sim_foyer"
	DefaultPrefix         = "/__sim"            // of the pages
	BaseURL               = "http://stripe.sim" // for a client whose transport is the Server
)

// APIVersion is the version of the API that is spoken, on requests and in events.
const APIVersion = "2024-06-20"

// The processor's own fee, 2.9 % and a fixed part in Stripe's units, and how long after success it is known.
const (
	feePPM   = 29_000
	feeFixed = 30
	settles  = 2 * time.Second
)

// Options of a Server. Only Clock is required.
type Options struct {
	Clock clock.Clock
	Seed  string // ids follow from it; empty for a random one, which is kept in File

	AppURL string // the app's own base URL, where a browser reaches the pages: the only place they send it back to

	WebhookURL string // where events are posted; empty for nowhere
	Duplicate  bool   // send every event twice
	Shuffle    bool   // send events late and out of order
	HTTPClient *http.Client

	File   string // state is kept here across restarts; empty for memory only
	Logger *slog.Logger
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
	for _, u := range []string{o.AppURL, o.WebhookURL} {
		if u == "" {
			continue
		}
		if parsed, err := url.Parse(u); err != nil || parsed.Host == "" {
			return o, errors.New("stripesim: not an absolute URL: " + u)
		}
	}
	o.AppURL = strings.TrimSuffix(o.AppURL, "/")
	if o.HTTPClient == nil {
		o.HTTPClient = &http.Client{Timeout: 10 * time.Second}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}
