package billing_test

import (
	"slices"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// The refunds never exceed the sale, part by part, in any steps, with lines named or not; and after the last one
// nothing of any part is refundable.
func TestRefundsEmptyEveryPart(t *testing.T) {
	accounts := []ledger.Account{ledger.IncomeClass, ledger.IncomeSpace, ledger.Tax(uuid.New()), ledger.IncomeBookingFee}
	walks.Scenarios(t, func(t *rapid.T) {
		var sold []tender.Part
		for line := range rapid.IntRange(1, 6).Draw(t, "lines") {
			id := uuid.Nil
			if line > 0 {
				id = uuid.New()
			}
			for _, a := range accounts[:rapid.IntRange(1, len(accounts)).Draw(t, "parts")] {
				sold = append(sold, tender.Part{Line: id, Account: a, Amount: rapid.Int64Range(1, 100_000).Draw(t, "amount")})
			}
		}
		var refunds []billing.RefundRequest
		for step := range 40 {
			left := billing.RefundableParts(sold, refunds)
			most := tender.Sum(left)
			if most == 0 {
				break
			}
			amount := rapid.Int64Range(1, most).Draw(t, "back")
			if step == 39 {
				amount = most
			}
			var lines []tender.LineRefund
			for rest := amount; rest > 0 && rapid.Bool().Draw(t, "named"); {
				n := rapid.Int64Range(1, rest).Draw(t, "of the line")
				lines = append(lines, tender.LineRefund{Line: rapid.SampledFrom(sold).Draw(t, "line").Line, Amount: n})
				rest -= n
			}
			r := billing.RefundRequest{Amount: amount, State: rapid.SampledFrom(billing.RefundState("").All()).Draw(t, "state")}
			if r.Parts = billing.ShareOf(left, amount, lines); tender.Sum(r.Parts) != amount {
				t.Fatalf("%d goes back in parts of %d", amount, tender.Sum(r.Parts))
			}
			if rapid.IntRange(0, 9).Draw(t, "old") == 0 {
				r.Parts = nil // from before there were books
			}
			refunds = append(refunds, r)
			if r.State != billing.RequestFailed && r.State != billing.RequestCanceled {
				most -= amount
			}
			if now := tender.Sum(billing.RefundableParts(sold, refunds)); now != most {
				t.Fatalf("%d are left after a refund of %d that is %s, want %d", now, amount, r.State, most)
			}
			for _, p := range billing.RefundableParts(sold, refunds) {
				if p.Amount < 0 {
					t.Fatalf("more went back than was sold: %+v", p)
				}
			}
		}
		last := billing.RefundRequest{
			Amount: tender.Sum(billing.RefundableParts(sold, refunds)), State: billing.RequestSucceeded,
		}
		for _, p := range billing.RefundableParts(sold, append(refunds, last)) {
			if p.Amount != 0 {
				t.Fatalf("all went back, and of %s there is %d left", p.Account, p.Amount)
			}
		}
	})
}

// A line that is refunded takes its own income and its own tax, and no other's.
func TestLineRefundIsOfItsLine(t *testing.T) {
	class, room, rate := uuid.New(), uuid.New(), ledger.Tax(uuid.New())
	sold := []tender.Part{
		{Line: class, Account: ledger.IncomeClass, Amount: 2000}, {Line: class, Account: rate, Amount: 200},
		{Line: room, Account: ledger.IncomeSpace, Amount: 900}, {Account: ledger.IncomeBookingFee, Amount: 62},
	}
	for name, c := range map[string]struct {
		amount int64
		lines  []tender.LineRefund
		want   map[ledger.Account]int64
	}{
		"the room": {
			900, []tender.LineRefund{{Line: room, Amount: 900}}, map[ledger.Account]int64{ledger.IncomeSpace: 900},
		},
		"the class": {2200, []tender.LineRefund{{Line: class, Amount: 2200}}, map[ledger.Account]int64{
			ledger.IncomeClass: 2000, rate: 200,
		}},
		"half of the class": {1100, []tender.LineRefund{{Line: class, Amount: 1100}}, map[ledger.Account]int64{
			ledger.IncomeClass: 1000, rate: 100,
		}},
		"the room and its fee": {918, []tender.LineRefund{
			{Line: room, Amount: 900}, {Amount: 18},
		}, map[ledger.Account]int64{ledger.IncomeSpace: 900, ledger.IncomeBookingFee: 18}},
		"all, without a word": {3162, nil, map[ledger.Account]int64{ledger.IncomeClass: 2000, rate: 200,
			ledger.IncomeSpace: 900, ledger.IncomeBookingFee: 62}},
		"more than the room cost": {1000, []tender.LineRefund{{Line: room, Amount: 1000}}, map[ledger.Account]int64{
			ledger.IncomeSpace: 900, ledger.IncomeClass: 88, rate: 9, ledger.IncomeBookingFee: 3,
		}},
	} {
		got := map[ledger.Account]int64{}
		for _, p := range billing.ShareOf(sold, c.amount, c.lines) {
			got[p.Account] += p.Amount
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		for a, n := range c.want {
			if got[a] != n {
				t.Errorf("%s: %s is %d, want %d", name, a, got[a], n)
			}
		}
	}
}

// The base of a tax: the amount of its line, and for the service fee the share of the lines with the rate. Untaxed
// lines are not in it.
func TestWhatATaxIsReckonedOn(t *testing.T) {
	one, two, three := uuid.New(), uuid.New(), uuid.New()
	full, less := ledger.Tax(uuid.New()), ledger.Tax(uuid.New())
	sold := []tender.Part{
		{Line: one, Account: ledger.IncomeClass, Amount: 2000}, {Line: one, Account: full, Amount: 400},
		{Line: two, Account: ledger.IncomeClass, Amount: 1000}, {Line: two, Account: less, Amount: 50},
		{Line: three, Account: ledger.IncomeClass, Amount: 1000},
		{Account: ledger.IncomeBookingFee, Amount: 80}, {Account: full, Amount: 8}, {Account: less, Amount: 1},
	}
	bases := func(parts []tender.Part) (out []int64) {
		for _, p := range billing.PostingsOf(parts) {
			out = append(out, p.Base)
		}
		return out
	}
	if got := bases(sold); !slices.Equal(got, []int64{0, 2000, 0, 1000, 0, 0, 40, 20}) {
		t.Errorf("all of it: %d", got)
	}
	if got := bases(sold[2:4]); !slices.Equal(got, []int64{0, 1000}) {
		t.Errorf("one line: %d", got)
	}
	if got := bases(sold[5:]); !slices.Equal(got, []int64{0, 71, 9}) {
		t.Errorf("the service fee by itself: %d", got)
	}
}
