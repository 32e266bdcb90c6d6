package billing_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/balance"
	"foyer/billing/dispute"
	"foyer/billing/stripe"
	"foyer/billing/stripesim"
)

type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestSweepsEndQuietly: if the process ends while a sweep calls the processor, that is no failure of a payment, a
// refund or an account, and nothing is logged; a later round does the work. A failure at the processor is logged.
func TestSweepsEndQuietly(t *testing.T) {
	s := openTill(t)
	paid := s.paid(t)
	if _, err := s.refund(t, paid.ID, 2200); err != nil {
		t.Fatal(err)
	}
	s.waiting(t)
	s.w.Clock.Advance(48 * time.Hour)
	var end context.CancelFunc
	asked, log := 0, &bytes.Buffer{}
	processor, err := stripe.New(stripe.Config{
		SecretKey: stripesim.DefaultSecretKey, PublishableKey: stripesim.DefaultPublishableKey, BaseURL: stripesim.BaseURL,
		WebhookSecrets: []string{stripesim.DefaultWebhookSecret}, Clock: s.w.Clock, NoRetry: true,
		HTTPClient: &http.Client{Transport: transport(func(*http.Request) (*http.Response, error) {
			asked++
			end()
			return nil, context.Canceled
		})},
	})
	if err != nil {
		t.Fatal(err)
	}
	b := billing.New(billing.Options{
		DB: s.w.DB, Processor: processor, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	d := dispute.New(dispute.Options{DB: s.w.DB, Billing: b, Processor: processor})
	lists := balance.New(balance.Options{
		DB: s.w.DB, Billing: b, Disputes: d, Processor: processor, Log: slog.New(slog.NewTextHandler(log, nil)),
	})
	b.Connect(billing.Ports{Orders: s.Orders, Plans: s.Services.Plans, Dispute: d.Read, Payout: lists.ReadPayout})
	for _, ends := range []bool{true, false} {
		for name, sweep := range map[string]func(context.Context) error{
			"payments": b.Recheck, "refunds": b.RefundsDue, "listings": lists.ListingsDue,
		} {
			log.Reset()
			asked = 0
			ctx, cancel := context.WithCancel(t.Context())
			if end = cancel; !ends {
				end = func() {}
			}
			err := sweep(ctx)
			cancel()
			if err == nil || asked == 0 || ends != (log.Len() == 0) {
				t.Errorf("%s, the process ends %t: %d questions, %v, logged: %s", name, ends, asked, err, log)
			}
		}
		s.w.SQL(t, "update payments set due_at = $1 where due_at is not null", s.w.Clock.Now())
		s.w.SQL(t, "update refunds set due_at = $1 where due_at is not null", s.w.Clock.Now())
		s.w.SQL(t, "update processor_listings set due_at = $1", s.w.Clock.Now())
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments where status = 'canceled'"); n > 0 {
		t.Errorf("%d payments were given up", n)
	}
}
