package billing_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// till is a studio that sells, with the simulator as its processor.
type till struct {
	*apptest.Sales
	w *apptest.World
}

func openTill(t *testing.T) till {
	t.Helper()
	w := apptest.Open(t)
	s := till{w.Sales(t), w}
	s.settle(t) // the processor's events about the new account
	return s
}

// waiting is a payment of 22.00 that waits for a card.
func (s till) waiting(t *testing.T) (who tenancy.Scope, token string, p billing.Payment, secret string) {
	t.Helper()
	who = s.Customer(t, "Ada")
	token = s.Fill(t, s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now().Add(48*time.Hour)))
	if _, err := s.Checkout.Hold(t.Context(), who, token, checkout.HoldInput{}); err != nil {
		t.Fatal(err)
	}
	ready, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: 2200})
	if err != nil {
		t.Fatal(err)
	}
	return who, token, s.latest(t), ready.ClientSecret
}

// paid is a payment of 22.00 that is settled.
func (s till) paid(t *testing.T) billing.Payment {
	t.Helper()
	who, token, _, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	if _, err := s.Checkout.Confirm(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	return s.latest(t)
}

// late is a payment of 22.00 that came when the seats were gone.
func (s till) late(t *testing.T, card string) billing.Payment {
	t.Helper()
	who, token, _, secret := s.waiting(t)
	if err := s.Checkout.Release(t.Context(), who, token); err != nil {
		t.Fatal(err)
	}
	s.PayCard(t, secret, card)
	s.settle(t)
	return s.latest(t)
}

func (s till) latest(t *testing.T) billing.Payment {
	t.Helper()
	id := apptest.Value[uuid.UUID](t, s.w, "select id from payments order by created_at desc, id desc limit 1")
	return s.payment(t, id)
}

func (s till) payment(t *testing.T, id uuid.UUID) billing.Payment {
	t.Helper()
	p, err := billing.PaymentOf(t.Context(), s.w.DB.View(s.Business.ID), id)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// settle delivers events and runs jobs until nothing happens any more.
func (s till) settle(t *testing.T) {
	t.Helper()
	for {
		s.Sim.Flush(t.Context())
		ran, err := s.RunJobs(t)
		if err != nil {
			t.Fatal(err)
		}
		if len(ran) == 0 {
			return
		}
	}
}

func (s till) check(t *testing.T) {
	t.Helper()
	s.settle(t)
	s.CheckProcessor(t)
	s.settle(t)
	s.CheckLedger(t)
	s.w.CheckBooks(t)
}

// intent is a payment as the processor has it.
func (s till) intent(t *testing.T, p billing.Payment) processor.Intent {
	t.Helper()
	return processor.Intent{
		ID: p.IntentID, Account: p.AccountID, Status: p.Status, Amount: p.Amount, Fee: p.FeeAmount, Currency: p.Currency,
	}
}

func inTx[T any](t *testing.T, s till, fn func(tx *pg.Tx) (T, error)) (T, error) {
	t.Helper()
	return pg.InTx(t.Context(), s.w.DB, s.Business.ID, fn)
}

func wants(t *testing.T, what string, err error, want *fault.Error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %s", what, err, want.Reason)
	}
}

var errCut = errors.New("the line is cut")

// cut fails the requests whose path contains one of parts.
func cut(parts ...string) func(*http.Request) error {
	return func(r *http.Request) error {
		for _, p := range parts {
			if strings.Contains(r.URL.Path, p) {
				return errCut
			}
		}
		return nil
	}
}

// never sells, and settles nothing.
func never() billing.Orders { return nothing{} }

type nothing struct{}

func (nothing) Fulfil(*pg.Batch, *pg.Tx, uuid.UUID) billing.Fulfil {
	return func(context.Context, billing.Payment) (billing.Outcome, error) {
		return "", errors.New("nothing is ever settled here")
	}
}

func (nothing) Sold(*pg.Batch, *pg.Tx, uuid.UUID) func() ([]tender.Part, error) {
	return func() ([]tender.Part, error) { return nil, nil }
}
