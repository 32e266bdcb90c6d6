package checkout_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// A month of a membership is renewed, charged and granted by a process that is killed at every call to the database,
// before and after it; then another one goes on. Each time the card is charged once for the month, whose credits are
// there once, with the next month to come.
func TestRenewalKilledAnywhere(t *testing.T) {
	s := open(t)
	d, k := s.doomed(t)
	credits := 4
	p, err := s.Services.Plans.Create(t.Context(), s.Owner, plan.CreateInput{
		Name: "Monthly", Kind: plan.Renewing, PriceAmount: 6000, SoldOnline: true,
		Validity: plan.Validity{Count: 1, Unit: rules.Month}, Benefits: []plan.Benefit{{Credits: &credits}},
	})
	must(t, p, err)
	_, err = s.Services.Plans.Publish(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	ada, token := s.Customer(t, "Ada"), s.Fill(t)
	_, err = s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token, order.CartItem{
		Kind: order.Plan, Subject: p.ID, Quantity: 1, Consent: "My card is charged each month until I cancel.",
	})
	must(t, 0, err)
	s.hold(t, ada, token)
	must(t, 0, s.story(t, t.Context(), ada, token, 6000, 0))
	s.jobs(t)
	renew := func(s shop, ctx context.Context) error {
		err := s.Owed.RenewDue(ctx)
		due := apptest.Values[uuid.UUID](t, s.w, "select id from orders where state = 'open'")
		for _, id := range due {
			err = errors.Join(err, s.Owed.ChargeDue(ctx, owed.ChargeJob{Business: s.Business.ID, Order: id}))
		}
		return err
	}
	months := 1
	for _, after := range []bool{false, true} {
		n := 1
		for ; ; n++ {
			months++
			next := apptest.Value[time.Time](t, s.w, "select starts_on::timestamptz from cycles where state = 'coming'")
			s.w.Clock.Advance(next.Add(12 * time.Hour).Sub(s.w.Clock.Now()))
			s.w.SQL(t, "update saved_cards set exp_year = 2060")
			_ = renew(d, k.arm(t.Context(), n, after))
			spared := k.spared()
			must(t, 0, renew(s, t.Context()))
			s.Sim.Flush(t.Context())
			s.jobs(t)
			got := apptest.Value[string](t, s.w, `select
				(select count(*) from payments where status = 'succeeded') || ' paid, ' ||
				(select count(*) from cycles where state = 'paid') || ' months, ' ||
				(select count(*) from cycles where state = 'coming') || ' to come, ' || (select count(*) from grants) || ' grants'`)
			want := fmt.Sprintf("%[1]d paid, %[1]d months, 1 to come, %[2]d grants", months, months+1)
			if got != want {
				t.Fatalf("killed at call %d (after: %v): %s, want %s", n, after, got, want)
			}
			if spared {
				break
			}
		}
		t.Logf("%d calls to the database (after: %v)", n-1, after)
		if n < 10 {
			t.Errorf("only %d calls: nothing was killed", n-1)
		}
	}
	must(t, 0, s.Services.Plans.ExpirePeriodsDue(t.Context()))
	s.jobs(t)
	s.check(t)
}
