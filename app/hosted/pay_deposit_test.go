package hosted_test

import (
	"testing"

	"foyer/app/apptest"
	"foyer/app/catalog"
)

// TestPayingADeposit: a deposit is what the card pays, or all of it where the customer says so; every page says what is left, and that it
// is paid at the studio. No step needs a script.
func TestPayingADeposit(t *testing.T) {
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "You pay a deposit now. $16.50 is left, and paid at the studio.", "Later, at the studio", "To pay now",
		"Pay all of it now, $22.00", "Pay $5.50", "after that you lose $5.50")
	pay = pay.form("/pay/deposit").post().follow().want(200, "You pay all of it now.", "Pay only the deposit now, $5.50", "Pay $22.00").lacks("Later, at the studio")
	pay = pay.form("/pay/deposit").post().follow().want(200, "Pay $5.50")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Paid with Visa ending 4242", "$5.50", "To pay at the studio: $16.50")
	if n := s.count(t, "payments where status = 'succeeded' and amount = 550 and fee_amount = 11"); n != 1 {
		t.Errorf("%d payments of the deposit", n)
	}
	s.letter(t, "ana@example.com", "booked")
	v.get("/my").want(200, "To pay at the studio: $16.50")
}
