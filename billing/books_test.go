package billing_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

func (s till) account(t testing.TB, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A30. The fees of a payment are read if there is no event, once a minute and then less often, until the processor
// reports them.
func TestA30_CostsWithoutAnEvent(t *testing.T) {
	s := openTill(t)
	p := s.paid(t)
	if n := s.account(t, ledger.Clearing); n != 2200 || !p.DueAt.Equal(s.w.Clock.Now().Add(time.Minute)) {
		t.Errorf("%d are booked, asked again at %s", n, p.DueAt)
	}
	s.recheck(t, 59*time.Second)
	if p = s.payment(t, p.ID); p.BalanceTransaction != "" {
		t.Errorf("asked before its time: %+v", p)
	}
	s.recheck(t, time.Second)
	if p = s.payment(t, p.ID); p.BalanceTransaction == "" || p.ProcessorFee != 94 || !p.DueAt.IsZero() {
		t.Errorf("%+v", p)
	}
	for a, want := range map[ledger.Account]int64{ledger.Clearing: 2062, ledger.ProcessorFees: 94, ledger.BookingFees: 44} {
		if n := s.account(t, a); n != want {
			t.Errorf("%s is %d, want %d", a, n, want)
		}
	}
	s.check(t)
}

// A failed refund is reversed in the books, and the platform's fee is where the processor has it.
func TestBooksOfAFailedRefund(t *testing.T) {
	s := openTill(t)
	p := s.late(t, cardRefundFails)
	s.check(t)
	s.w.Clock.Advance(time.Minute)
	s.check(t)
	if n := apptest.Value[string](t, s.w, "select string_agg(state, ' ') from refunds where payment_id = $1", p.ID); n != "failed" {
		t.Fatalf("the refund is %q", n)
	}
	if n := s.account(t, ledger.IncomeClass); n != -2200 {
		t.Errorf("the class is %d, want all of it", n)
	}
}

// Payments and refunds from before there were books are written into them by the sweeps, as if they had been there.
func TestBooksOfBefore(t *testing.T) {
	s := openTill(t)
	s.paid(t)
	s.late(t, apptest.CardGood)
	s.check(t)
	accounts := []ledger.Account{ledger.Clearing, ledger.IncomeClass, ledger.ProcessorFees, ledger.BookingFees}
	before := map[ledger.Account]int64{}
	for _, a := range accounts {
		before[a] = s.account(t, a)
	}
	s.w.SQL(t, "alter table ledger_postings disable trigger user")
	s.w.SQL(t, "alter table ledger_entries disable trigger user")
	s.w.SQL(t, "delete from ledger_postings")
	s.w.SQL(t, "delete from ledger_entries")
	s.w.SQL(t, "update payments set balance_transaction = null, processor_fee = 0, due_at = $1 where status = 'succeeded'", s.w.Clock.Now())
	s.w.SQL(t, "update refunds set balance_transaction = null, parts = null, due_at = $1 where state = 'succeeded'", s.w.Clock.Now())
	s.w.SQL(t, "alter table ledger_postings enable trigger user")
	s.w.SQL(t, "alter table ledger_entries enable trigger user")
	s.recheck(t, 0)
	if err := s.Billing.RefundsDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, a := range accounts {
		if n := s.account(t, a); n != before[a] {
			t.Errorf("%s is %d, was %d", a, n, before[a])
		}
	}
	s.check(t)
}

// The path from an event to the books is five round trips at most, for a success and for its fees.
func TestTripsOfSettling(t *testing.T) {
	s := openTill(t)
	_, _, p, secret := s.waiting(t)
	s.PayCard(t, secret, apptest.CardGood)
	for _, kind := range []string{"payment_intent.succeeded", "charge.updated"} {
		s.w.Clock.Advance(3 * time.Second)
		id := "evt_" + kind
		object := map[string]any{"id": p.IntentID, "object": "payment_intent"}
		if kind == "charge.updated" {
			object = map[string]any{"id": "ch_sim_x", "object": "charge", "payment_intent": p.IntentID}
		}
		if err := s.receive(t, body(id, kind, s.Account, false, object)); err != nil {
			t.Fatal(err)
		}
		trips, _ := s.w.Sent(func() {
			if err := s.Billing.ProcessWebhook(t.Context(), billing.WebhookJob{Env: processor.EnvSimulated, Event: id}); err != nil {
				t.Fatal(err)
			}
		})
		if trips > 5 {
			t.Errorf("%s: %d trips", kind, trips)
		}
		t.Logf("%s: %d trips", kind, trips)
	}
	if got := s.payment(t, p.ID); got.BalanceTransaction == "" {
		t.Errorf("%+v", got)
	}
	s.check(t)
}
