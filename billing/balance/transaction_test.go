package balance_test

import (
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/billing/balance"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

// Every change of the processor's balance changes the books by the same, except those explained by a sale or a refund
// of ours, and held money.
func TestEveryBalanceTransactionIsBookedWhole(t *testing.T) {
	walks.Scenarios(t, func(t *rapid.T) {
		m := balance.Transaction{
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
		for _, e := range balance.EntriesOf(m, ledger.Context{Currency: "USD"}) {
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
