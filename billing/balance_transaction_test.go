package billing_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

// Every change of the processor's balance changes the books by the same, except those explained by a sale or a refund
// of ours, and held money.
func TestEveryBalanceTransactionIsBookedWhole(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		m := billing.BalanceTransaction{
			ExternalID: "txn_1", Category: rapid.SampledFrom(processor.Category("").All()).Draw(t, "category"), Currency: "USD",
			Gross:        rapid.Int64Range(-1_000_000, 1_000_000).Draw(t, "gross"),
			ProcessorFee: rapid.Int64Range(-2000, 2000).Draw(t, "processor fee"),
			PlatformFee:  rapid.Int64Range(-2000, 2000).Draw(t, "platform fee"),
		}
		if rapid.Bool().Draw(t, "ours") {
			m.PaymentID = uuid.New()
		}
		m.Net = m.Gross - m.ProcessorFee - m.PlatformFee
		want := m.Net
		switch m.Category {
		case processor.CategoryCharge, processor.CategoryChargeFailure, processor.CategoryRefund, processor.CategoryRefundFailure:
			if m.PaymentID != uuid.Nil {
				want = m.Net - m.Gross // its fees
			}
		case processor.CategoryHeld:
			want = 0
		}
		var clearing, all int64
		for _, e := range billing.EntriesOf(m, ledger.Context{Currency: "USD"}) {
			for _, p := range e.Postings {
				all += p.Amount
				if p.Account == ledger.Clearing {
					clearing += p.Amount
				}
			}
		}
		if clearing != want || all != 0 {
			t.Fatalf("%s: clearing moves by %d, want %d; everything by %d", m.Category, clearing, want, all)
		}
	})
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
