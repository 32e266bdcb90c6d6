package ledger_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/billing/ledger"
)

// The entries of desk, drawer and credit, with the figures of a class of 22.00 and 1.95 of tax.
func TestDeskEvents(t *testing.T) {
	class, id := []ledger.Posting{{Account: ledger.IncomeClass, Amount: 2200}, {Account: rate, Amount: 195}}, uuid.New()
	space := []ledger.Posting{{Account: ledger.IncomeSpace, Amount: 2200}, {Account: rate, Amount: 195}}
	session := []ledger.Posting{{Account: ledger.IncomeSession, Amount: 2200}, {Account: rate, Amount: 195}}
	sold := func(where, income ledger.Account) []ledger.Posting {
		return []ledger.Posting{{Account: where, Amount: 2395}, {Account: income, Amount: -2200}, {Account: rate, Amount: -195}}
	}
	returned := func(where ledger.Account) []ledger.Posting {
		return []ledger.Posting{{Account: where, Amount: -2395}, {Account: ledger.IncomeClass, Amount: 2200}, {Account: rate, Amount: 195}}
	}
	for name, c := range map[string]struct {
		entry ledger.Entry
		want  []ledger.Posting
	}{
		"a card pays for a space":     {ledger.CardSale(place, id, space), sold(ledger.Clearing, ledger.IncomeSpace)},
		"cash":                        {ledger.ManualPayment(place, id, ledger.Cash, class), sold(ledger.Cash, ledger.IncomeClass)},
		"paid elsewhere":              {ledger.ManualPayment(place, id, ledger.ClearingOther, session), sold(ledger.ClearingOther, ledger.IncomeSession)},
		"credit pays":                 {ledger.ManualPayment(place, id, ledger.Credit, class), sold(ledger.Credit, ledger.IncomeClass)},
		"cash goes back":              {ledger.ManualRefund(place, id, ledger.Cash, class), returned(ledger.Cash)},
		"cash was a mistake":          {ledger.ManualVoid(place, id, ledger.Cash, class), returned(ledger.Cash)},
		"a card payment as credit":    {ledger.CreditRefund(place, id, class), returned(ledger.Credit)},
		"credit granted":              {ledger.Credited(place, id, 500), []ledger.Posting{{Account: ledger.IncomeOther, Amount: 500}, {Account: ledger.Credit, Amount: -500}}},
		"credit taken away":           {ledger.Credited(place, id, -500), []ledger.Posting{{Account: ledger.IncomeOther, Amount: -500}, {Account: ledger.Credit, Amount: 500}}},
		"settled, and 0.60 were kept": {ledger.SettlementEntry(place, id, 2335, 60), []ledger.Posting{{Account: ledger.Bank, Amount: 2335}, {Account: ledger.TrxFees, Amount: 60}, {Account: ledger.ClearingOther, Amount: -2395}}},
		"settled in full":             {ledger.SettlementEntry(place, id, 2395, 0), []ledger.Posting{{Account: ledger.Bank, Amount: 2395}, {Account: ledger.ClearingOther, Amount: -2395}}},
		"banked":                      {ledger.CashBanked(place, id, 2395), []ledger.Posting{{Account: ledger.Bank, Amount: 2395}, {Account: ledger.Cash, Amount: -2395}}},
		"change for the drawer":       {ledger.CashTransfer(place, id, 5000), []ledger.Posting{{Account: ledger.Cash, Amount: 5000}, {Account: ledger.Bank, Amount: -5000}}},
		"too much in the drawer":      {ledger.CashCounted(place, id, 100), []ledger.Posting{{Account: ledger.Cash, Amount: 100}, {Account: ledger.IncomeOther, Amount: -100}}},
		"too little in the drawer":    {ledger.CashCounted(place, id, -100), []ledger.Posting{{Account: ledger.Cash, Amount: -100}, {Account: ledger.IncomeOther, Amount: 100}}},
	} {
		if !slices.Equal(c.entry.Postings, c.want) {
			t.Errorf("%s: %v, want %v", name, c.entry.Postings, c.want)
		}
	}
}

// Whatever happened, and to whatever amounts, its entry adds up to nothing and names each account once, with an
// amount that is not nothing.
func TestEveryEntryAddsUp(t *testing.T) {
	accounts := []ledger.Account{ledger.IncomeClass, ledger.IncomeSession, ledger.IncomeSpace, ledger.IncomeBookingFee, rate}
	walks.Scenarios(t, func(t *rapid.T) {
		id, n, m := uuid.New(), rapid.Int64Range(-10_000_000, 10_000_000).Draw(t, "n"), rapid.Int64Range(-100_000, 100_000).Draw(t, "m")
		parts := make([]ledger.Posting, rapid.IntRange(1, 8).Draw(t, "parts"))
		for i := range parts {
			parts[i] = ledger.Posting{Account: rapid.SampledFrom(accounts).Draw(t, "account"), Amount: rapid.Int64Range(1, 10_000_000).Draw(t, "part")}
		}
		for _, e := range []ledger.Entry{
			ledger.CardSale(place, id, parts), ledger.CardRefund(place, id, parts), ledger.RefundFailed(place, id, parts),
			ledger.CreditRefund(place, id, parts), ledger.ManualPayment(place, id, ledger.Cash, parts), ledger.ManualRefund(place, id, ledger.Cash, parts),
			ledger.ManualVoid(place, id, ledger.ClearingOther, parts), ledger.Fees(place, "txn", n, m), ledger.Outside(place, "txn", n),
			ledger.Disputed(place, "txn", n, m), ledger.PaidOut(place, "txn", n, m), ledger.Platform(place, "txn", n), ledger.Other(place, "txn", n),
			ledger.Credited(place, id, n), ledger.CashTransfer(place, id, n), ledger.CashCounted(place, id, n), ledger.CashBanked(place, id, n),
			ledger.SettlementEntry(place, id, n, m),
		} {
			var sum int64
			seen := map[ledger.Account]bool{}
			for _, p := range e.Postings {
				if sum += p.Amount; p.Amount == 0 || seen[p.Account] {
					t.Fatalf("%s %s: %v", e.Kind, e.Event, e.Postings)
				}
				seen[p.Account] = true
			}
			if sum != 0 || len(e.Postings) == 1 {
				t.Fatalf("%s %s: %v adds up to %d", e.Kind, e.Event, e.Postings, sum)
			}
		}
	})
}
