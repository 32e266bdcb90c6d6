package hosted_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/catalog"
	"foyer/app/owed"
	"foyer/billing/tender"
)

// TestPayingADeposit: the card pays a deposit, or the full price if the customer chooses that; every page shows the
// balance due, and that it is paid at the studio. No step needs a script.
func TestPayingADeposit(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "You pay a deposit now. The remaining balance of $16.50 is paid at the studio.", "Due at the studio", "Due now",
		"Pay in full now, $22.00", "Pay $5.50", "after that you lose $5.50")
	pay = pay.form("/pay/deposit").post().follow().want(200, "You pay in full now.", "Pay only the deposit now, $5.50", "Pay $22.00").lacks("Due at the studio")
	pay = pay.form("/pay/deposit").post().follow().want(200, "Pay $5.50")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Paid with Visa ending 4242", "$5.50", "Due at the studio: $16.50")
	if n := s.count(t, "payments where status = 'succeeded' and amount = 550 and fee_amount = 11"); n != 1 {
		t.Errorf("%d payments of the deposit", n)
	}
	s.letter(t, "ana@example.com", "booked")
	v.get("/my").want(200, "Due at the studio: $16.50")
}

// TestPayingTheBalance: from the page of the booking its customer goes on to pay the balance due after a deposit, by a
// new or a saved card, with a message if the bank declines. Then nothing is due. No step needs a script.
func TestPayingTheBalance(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().want(200, "Pay $5.50").form("/pay/card").post(append(card(apptest.CardGood), "keep", "1")...).follow().want(200, "You’re booked")
	id := apptest.Value[string](t, s.World, "select id::text from bookings where state = 'confirmed'")
	mine := v.get("/my/bookings/"+id).want(200, "Pay the balance now: $16.50")
	rest := mine.form("/pay").post().follow().want(200, "Pay for your booking", "For Sunrise Vinyasa, Thu, Jun 11", "Your saved card", "Visa ending 4242", "Pay with another card", "Pay $16.50")
	s.visit(t).get(rest.path()).want(200, "Pay $16.50").lacks("Visa ending 4242")
	rest = rest.form("/pay").post(card(apptest.CardDeclined)...).follow().want(200, "Your bank declined the card", "Nothing was charged.", "Pay $16.50")
	kept := rest.form("/pay/kept")
	kept.post().follow().want(200, "Sunrise Vinyasa", "$16.50", "Visa ending 4242")
	kept.post().follow().want(200, "$16.50")
	v.get("/my/bookings/"+id).want(200, "Confirmed").lacks("Pay the balance now:", "Due at the studio")
	mine.form("/pay").post().want(400, "There is nothing to pay here")
	if n := s.count(t, "payments where status = 'succeeded' and amount = 1650 and fee_amount = 33"); n != 1 {
		t.Errorf("%d payments of the rest", n)
	}
}

// TestBalancePaidMeanwhile: a customer who presses the button after the studio has recorded the balance in cash
// sees a message, and nothing is charged.
func TestBalancePaidMeanwhile(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().form("/pay/card").post(append(card(apptest.CardGood), "keep", "1")...).follow().want(200, "You’re booked")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'")
	kept := v.get("/my/bookings/" + id.String()).form("/pay").post().follow().form("/pay/kept")
	if _, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{id}, Tenders: owed.Pays(tender.Cash)},
	); err != nil {
		t.Fatal(err)
	}
	kept.post().follow().want(200, "There is nothing to pay here")
	if n := s.count(t, "payments where status = 'succeeded'"); n != 1 {
		t.Errorf("%d payments", n)
	}
	s.CheckBooks(t)
}

// TestADepositThatCreditPays: where credit pays all of the deposit, or all of the price, the choice names no amount
// of nothing.
func TestADepositThatCreditPays(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 25 }))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 0).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	s.credits(t, "ana@example.com", 600)
	pay := v.choose(yoga, 1).follow().want(200, "Your credit of $6.00 covers the deposit.", "Pay $5.50 with credit", "Pay in full now, $16.00")
	pay = pay.form("/pay/deposit").post().follow().want(200, "Pay only the deposit now, with your credit", "Pay $16.00").lacks("now, $0.00")
	pay = pay.form("/pay/deposit").post().follow().want(200, "Pay $5.50 with credit")
	s.credits(t, "ana@example.com", 5000)
	pay = v.get(pay.url.Path).want(200, "Pay $5.50 with credit", "Pay in full now, with your credit").lacks("now, $0.00")
	pay.form("/pay/deposit").post().follow().want(200, "Your credit of $56.00 covers the full amount.", "Pay $22.00 with credit", "Pay only the deposit now, with your credit").lacks("now, $0.00")
}
