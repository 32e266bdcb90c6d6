package hosted_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
)

// TestDepositAndBalanceOnAPhone: a new customer pays a deposit by card and saves it, and then the balance due from
// the page of their booking, with the saved card. It works without script, and axe finds nothing.
func TestDepositAndBalanceOnAPhone(t *testing.T) {
	t.Parallel()
	onAPhone(t, func(s *shop, f *finger) {
		s.SetPolicy(f.t, s.AddPolicy(f.t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
		yoga := s.class(f.t, "Sunrise Vinyasa", 3)
		f.joins(yoga, 1, "ana@example.com")
		f.shows("You pay a deposit now. The remaining balance of $16.50", "Pay $5.50")
		f.axe()
		f.fits()
		f.types(apptest.CardGood, true)
		f.reads("h1", "You’re booked")
		f.shows("Due at the studio: $16.50")
		id := apptest.Value[uuid.UUID](f.t, s.World, "select id from bookings where state = 'confirmed'")
		f.at("/my/bookings/" + id.String())
		f.shows("Pay the balance now: $16.50")
		f.axe()
		f.fits()
		f.tap("form[action$='/pay'] button")
		f.reads("h1", "Pay for your booking")
		f.shows("For Sunrise Vinyasa", "Visa ending 4242", "Pay $16.50")
		f.axe()
		f.fits()
		f.tap("form[action*='/pay/kept'] button")
		f.reaches("/receipt/")
		f.shows("Sunrise Vinyasa", "$16.50")
		if n := s.count(f.t, "payments where status = 'succeeded' and amount in (550, 1650)"); n != 2 {
			f.t.Errorf("%d payments", n)
		}
		f.at("/my/bookings/" + id.String())
		if f.Exists("form[action$='/pay']") {
			f.t.Error("the rest can be paid once more")
		}
	})
}
