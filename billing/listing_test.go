package billing_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

// fact is an event at the processor after a sale of 22.00, and the expected books after it.
type fact struct {
	happens func(t *testing.T, s till, p billing.Payment)
	books   map[ledger.Account]int64
	rows    string // of refunds, disputes and payouts
}

// sold returns the books after a sale of 22.00 with a processor fee of 0.94 and a platform fee of 0.44, with changes.
func sold(changes map[ledger.Account]int64) map[ledger.Account]int64 {
	books := map[ledger.Account]int64{
		ledger.IncomeClass: -2200, ledger.ProcessorFees: 94, ledger.BookingFees: 44, ledger.Clearing: 2062,
		ledger.Disputes: 0, ledger.DisputeFees: 0, ledger.ProcessorOther: 0, ledger.Uncategorized: 0, ledger.Bank: 0,
	}
	for a, n := range changes {
		books[a] = n
	}
	return books
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func none(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// available lets the processor book the payment, and two days pass.
func (s till) available(t *testing.T) {
	t.Helper()
	s.w.Clock.Advance(3 * time.Second)
	s.Sim.Flush(t.Context())
	s.w.Clock.Advance(49 * time.Hour)
}

var facts = map[string]fact{
	"nothing": {func(*testing.T, till, billing.Payment) {}, sold(nil), ""},
	"a dispute is opened": {func(t *testing.T, s till, p billing.Payment) {
		must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: -1638, ledger.Disputes: 2200, ledger.DisputeFees: 1500}), "dispute needs_response"},
	"a dispute is won": {func(t *testing.T, s till, p billing.Payment) {
		none(t, s.Sim.WinDispute(s.Account, must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)))
	}, sold(map[ledger.Account]int64{ledger.Clearing: 562, ledger.DisputeFees: 1500}), "dispute won"},
	"a dispute is lost": {func(t *testing.T, s till, p billing.Payment) {
		none(t, s.Sim.LoseDispute(s.Account, must(s.Sim.Dispute(s.Account, p.IntentID, "fraudulent"))(t)))
	}, sold(map[ledger.Account]int64{ledger.Clearing: -1594, ledger.BookingFees: 0, ledger.Disputes: 2200, ledger.DisputeFees: 1500}), "dispute lost"},
	"a payout": {func(t *testing.T, s till, _ billing.Payment) {
		s.available(t)
		must(s.Sim.PayOut(s.Account))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 0, ledger.Bank: 2062}), "payout in_transit"},
	"a payout that arrived": {func(t *testing.T, s till, _ billing.Payment) {
		s.available(t)
		must(s.Sim.PayOut(s.Account))(t)
		s.w.Clock.Advance(25 * time.Hour)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 0, ledger.Bank: 2062}), "payout paid"},
	"a payout that failed": {func(t *testing.T, s till, _ billing.Payment) {
		s.available(t)
		none(t, s.Sim.FailPayout(s.Account, must(s.Sim.PayOut(s.Account))(t)[0]))
	}, sold(nil), "payout failed"},
	"a refund by hand": {func(t *testing.T, s till, p billing.Payment) {
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, 700))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 1376, ledger.BookingFees: 30, ledger.IncomeClass: -1500}), "refund external succeeded 700 0"},
	"everything by hand, before its fees are known": {func(t *testing.T, s till, p billing.Payment) {
		must(s.Sim.DashboardRefund(s.Account, p.IntentID, 2200))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: -94, ledger.BookingFees: 0, ledger.IncomeClass: 0}), "refund external succeeded 2200 0"},
	"a charge made without the product": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.ChargeOutside(s.Account, 1500, "usd"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 3488, ledger.Uncategorized: -1500, ledger.ProcessorFees: 168}), ""},
	"its refund": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.DashboardRefund(s.Account, must(s.Sim.ChargeOutside(s.Account, 1500, "usd"))(t), 500))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 2988, ledger.Uncategorized: -1000, ledger.ProcessorFees: 168}), ""},
	"its dispute": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Dispute(s.Account, must(s.Sim.ChargeOutside(s.Account, 1500, "usd"))(t), "general"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 488, ledger.Uncategorized: -1500, ledger.ProcessorFees: 168, ledger.Disputes: 1500,
		ledger.DisputeFees: 1500}), "dispute needs_response"},
}

// unannounced facts have no event: the nightly listing finds them.
var unannounced = map[string]fact{
	"a fee for no payment": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Adjust(s.Account, "stripe_fee", "fee", -200, "usd"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 1862, ledger.ProcessorOther: 200}), ""},
	"money that is put aside": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Adjust(s.Account, "reserved_funds", "risk_reserved_funds", -300, "usd"))(t)
	}, sold(nil), ""},
	"what nobody knows": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Adjust(s.Account, "climate_order_purchase", "climate_order_purchase", -100, "usd"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 1962, ledger.ProcessorOther: 100}), ""},
	"the platform's fee comes back by itself": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Adjust(s.Account, "application_fee_refund", "platform_earning_refund", 44, "usd"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 2106, ledger.BookingFees: 0}), ""},
	"money from the bank": {func(t *testing.T, s till, _ billing.Payment) {
		must(s.Sim.Adjust(s.Account, "topup", "topup", 5000, "usd"))(t)
	}, sold(map[ledger.Account]int64{ledger.Clearing: 7062, ledger.Bank: -5000}), ""},
}

// Events at the processor are booked with the figures of design money.md 3.5, for any number of repeated events, and
// without any event.
func TestFacts(t *testing.T) {
	for how, fate := range map[string]apptest.Fate{"once": apptest.Arrives, "twice": apptest.Twice, "lost": apptest.Lost} {
		for name, f := range facts {
			t.Run(how+"/"+name, func(t *testing.T) {
				s := openTill(t)
				s.EventFate = func(*http.Request) apptest.Fate { return fate }
				p := s.paid(t)
				f.happens(t, s, p)
				if fate != apptest.Lost { // an event schedules a listing of the others
					s.settle(t)
					s.w.Clock.Advance(11 * time.Second)
				} else {
					s.w.Clock.Advance(24 * time.Hour)
				}
				none(t, s.Balance.ListingsDue(t.Context()))
				s.settle(t) // its consequence: the fee of a lost dispute is refunded, and that is listed soon
				s.w.Clock.Advance(11 * time.Second)
				none(t, s.Balance.ListingsDue(t.Context()))
				if fate == apptest.Lost && f.rows == "payout in_transit" {
					f.rows = "payout paid"
				}
				s.holds(t, f)
			})
		}
	}
	for name, f := range unannounced {
		t.Run("untold/"+name, func(t *testing.T) {
			s := openTill(t)
			p := s.paid(t)
			f.happens(t, s, p)
			s.w.Clock.Advance(24 * time.Hour)
			none(t, s.Balance.ListingsDue(t.Context()))
			s.holds(t, f)
		})
	}
}

// holds checks the books and the rows after a fact, and that listing it again writes nothing.
func (s till) holds(t *testing.T, f fact) {
	t.Helper()
	s.recheck(t, 0) // the sweep of payments finds the fees of the sale, if no list did
	s.settle(t)
	rows := `select coalesce(string_agg(what, ', '), '') from (
		select concat_ws(' ', 'refund', reason, state, amount, fee_amount) as what from refunds
		union all select 'dispute ' || status from disputes union all select 'payout ' || status from payouts) x`
	compare := func(when string) {
		t.Helper()
		for a, want := range f.books {
			if n := s.account(t, a); n != want {
				t.Errorf("%s: %s is %d, want %d", when, a, n, want)
			}
		}
		if got := apptest.Value[string](t, s.w, rows); got != f.rows {
			t.Errorf("%s: %q, want %q", when, got, f.rows)
		}
	}
	compare("at first")
	entries := "select count(*) from ledger_entries"
	n := apptest.Value[int](t, s.w, entries)
	for range 2 {
		s.List(t)
	}
	if again := apptest.Value[int](t, s.w, entries); again != n {
		t.Errorf("listing it again wrote %d entries", again-n)
	}
	s.EventFate = nil
	s.check(t)
	compare("again")
}

// Six processes list at once, and everything is kept and booked once.
func TestListingRace(t *testing.T) {
	s := openTill(t)
	s.EventFate = func(*http.Request) apptest.Fate { return apptest.Lost }
	s.paid(t)
	for range 130 { // two pages
		must(s.Sim.ChargeOutside(s.Account, 1000, "usd"))(t)
	}
	s.w.Clock.Advance(24 * time.Hour)
	var done sync.WaitGroup
	for range 6 {
		done.Go(func() {
			if err := s.Balance.ListingsDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	done.Wait()
	if got := apptest.Value[string](t, s.w, "select state || ' ' || count(*) from balance_transactions group by state"); got != "booked 131" {
		t.Errorf("kept: %s", got)
	}
	if n := s.account(t, ledger.Uncategorized); n != -130_000 {
		t.Errorf("uncategorized is %d", n)
	}
	s.check(t)
}

// An account is listed in its night and not before; when the processor does not answer, again an hour later; when the
// studio has taken our access away, no more, until it is connected again.
func TestWhenAnAccountIsListed(t *testing.T) {
	s := openTill(t)
	asked := 0
	s.Call = func(q *http.Request) error {
		if q.URL.Path == "/v1/balance" {
			asked++
		}
		return nil
	}
	due := func() time.Time { return apptest.Value[time.Time](t, s.w, "select due_at from processor_listings") }
	night := due()
	if want := billing.NextListing(s.Account, s.w.Clock.Now()); !night.Equal(want) {
		t.Fatalf("due at %s, want %s", night, want)
	}
	s.w.Clock.Advance(night.Sub(s.w.Clock.Now()) - time.Second)
	none(t, s.Balance.ListingsDue(t.Context()))
	if asked != 0 {
		t.Error("asked before its time")
	}
	s.w.Clock.Advance(time.Second)
	s.Instead = func(q *http.Request) (int, string) { return http.StatusServiceUnavailable, "{}" }
	wants(t, "no answer", s.Balance.ListingsDue(t.Context()), processor.ErrDown)
	if got := due(); !got.Equal(night.Add(time.Hour)) {
		t.Errorf("after a failure due at %s", got)
	}
	s.Instead = nil
	s.w.Clock.Advance(time.Hour)
	none(t, s.Balance.ListingsDue(t.Context()))
	if got := due(); asked == 0 || !got.Equal(night.Add(24*time.Hour)) {
		t.Errorf("asked %d times, due at %s", asked, got)
	}
	none(t, s.Sim.Disconnect(s.Account))
	s.w.Clock.Advance(24 * time.Hour)
	none(t, s.Balance.ListingsDue(t.Context()))
	if n := apptest.Value[int](t, s.w, "select count(*) from processor_listings where due_at is not null"); n != 0 {
		t.Error("a disconnected account is asked again")
	}
}

// Each account has a time of its own in the night, the same in every night.
func TestNextListing(t *testing.T) {
	noon := time.Date(2026, 6, 11, 12, 0, 0, 0, time.UTC)
	times := map[time.Time]bool{}
	for _, account := range []string{"acct_a", "acct_b", "acct_c", "acct_d"} {
		at := billing.NextListing(account, noon)
		if h := at.Sub(noon.Add(12 * time.Hour)); h < time.Hour || h >= 5*time.Hour {
			t.Errorf("%s is listed at %s", account, at)
		}
		if again := billing.NextListing(account, at); !again.Equal(at.Add(24 * time.Hour)) {
			t.Errorf("%s is listed at %s, and then at %s", account, at, again)
		}
		if before := billing.NextListing(account, at.Add(-time.Second)); !before.Equal(at) {
			t.Errorf("a second before its time, %s is listed at %s", account, before)
		}
		times[at] = true
	}
	if len(times) < 3 {
		t.Errorf("four accounts are listed at %d times", len(times))
	}
}
