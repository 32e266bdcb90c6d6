package owed_test

import (
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"foyer/app/apptest/walks"
	"foyer/app/owed"
	"foyer/billing/tender"
)

// Several tenders pay the amount due between them: each at least a unit and none more than the remaining amount, and
// the unpaid part is still due.
func TestTendersAreWhatIsDue(t *testing.T) {
	methods := []tender.Kind{tender.AccountCredit, tender.Cash, tender.Other}
	walks.Scenarios(t, func(t *rapid.T) {
		due := rapid.Int64Range(0, 100_000).Draw(t, "due")
		in := owed.PaymentInput{BookingIDs: []uuid.UUID{uuid.New()}}
		if rapid.Bool().Draw(t, "fees") {
			in.FeeIDs = []uuid.UUID{uuid.New()}
		}
		var asked int64
		for _, m := range methods[:rapid.IntRange(1, len(methods)).Draw(t, "tenders")] {
			in.Tenders = append(in.Tenders, owed.Tender{Method: m, Amount: rapid.Int64Range(1, 60_000).Draw(t, "amount")})
			asked += in.Tenders[len(in.Tenders)-1].Amount
		}
		rest := rapid.Bool().Draw(t, "the last pays the rest")
		if last := &in.Tenders[len(in.Tenders)-1]; rest {
			asked -= last.Amount
			last.Amount = 0
		}
		got, err := owed.Split(in, due)
		wrong := due == 0 || asked > due || rest && asked == due || len(in.FeeIDs) > 0 && !rest && asked < due
		if wrong != (err != nil) {
			t.Fatalf("%d asked of %d, the rest too: %v: %v", asked, due, rest, err)
		}
		if err != nil {
			return
		}
		var paid int64
		for i, tender := range got {
			if tender.Amount <= 0 || in.Tenders[i].Amount > 0 && tender.Amount != in.Tenders[i].Amount {
				t.Fatalf("%+v of %+v", tender, in.Tenders[i])
			}
			paid += tender.Amount
		}
		if paid > due || rest && paid != due {
			t.Fatalf("%d of %d are paid", paid, due)
		}
	})
}
