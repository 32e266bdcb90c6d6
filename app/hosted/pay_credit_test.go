package hosted_test

import (
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/billing/credit"
)

// credits adds credit for a customer.
func (s *shop) credits(t testing.TB, email string, amount int64) {
	t.Helper()
	customer := apptest.Value[uuid.UUID](t, s.World, "select id from customers where email = $1", email)
	_, err := credit.New(s.DB).Adjust(t.Context(), s.Owner, credit.AdjustInput{CustomerID: customer, LocationID: s.Location.ID, Amount: amount, Note: "The heating was off"})
	if err != nil {
		t.Fatal(err)
	}
}

// TestPayingWithCredit: credit pays first unless the customer chooses otherwise; a card pays the remainder, with a
// service fee on that alone, or nothing more is due. No step needs a script.
func TestPayingWithCredit(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SQL(t, "update businesses set fee_mode = 'split' where business_id = $1", s.Business.ID)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 0).follow().want(200, "Service fee", "$0.22", "Pay $22.22").lacks("Your credit")
	s.credits(t, "ana@example.com", 1200)
	pay = v.get(pay.url.Path).want(200, "Use my credit, $12.00", "Pay $22.22") // a payment had begun: nothing is changed under it
	pay = pay.form("/pay/credit").post().follow().want(200, "$12.00 is paid with your credit of $12.00", "Amount due", "Pay $10.10", "$0.10")
	pay = pay.form("/pay/credit").post().follow().want(200, "Use my credit, $12.00", "Pay $22.22")
	pay = pay.form("/pay/credit").post().follow().want(200, "Pay $10.10")
	pay = pay.pay(apptest.CardDeclined).follow().want(200, "Your bank declined the card", "Pay $10.10")
	receipt := pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "Paid with your credit", "$12.00", "Paid with Visa ending 4242", "$10.10", "$22.10", "Service fee")
	if n := s.count(t, "payments where status = 'succeeded' and amount = 1010 and fee_amount = 20"); n != 1 {
		t.Errorf("%d payments of what was left", n)
	}
	if text := s.letter(t, "ana@example.com", "booked"); text != s.URL+receipt.url.Path {
		t.Errorf("the mail leads to %s", text)
	}
	v.get("/my/payments").want(200, "Account credit", "$12.00", "Visa ending 4242", "$10.10")

	s.credits(t, "ana@example.com", 5000)
	all := v.choose(yoga, 1).follow().want(200, "Your credit of $50.00 covers the full amount.", "Pay $22.00 with credit").lacks("Card number", "Service fee")
	f := all.form("/pay")
	done := f.post().wantTo("/receipt/")
	done.follow().want(200, "You’re booked", "Paid with your credit", "$22.00").lacks("test payment", "Visa")
	if again := f.post().wantTo("/receipt/"); again.to() != done.to() {
		t.Errorf("pressed twice: %s", again.to())
	}
	if n := s.count(t, "credits where balance = 2800"); n != 1 {
		t.Error("it was not paid once")
	}

	late := v.choose(yoga, 2).follow().want(200, "Pay $22.00 with credit").form("/pay")
	s.credits(t, "ana@example.com", -2000)
	late.post().follow().want(200, "$8.00 is paid with your credit of $8.00", "Amount due")
}

// TestCreditWhereNoCardPays: credit pays where no card can, also at a studio that no longer accepts cards.
func TestCreditWhereNoCardPays(t *testing.T) {
	t.Parallel()
	s := open(t)
	talk, yoga := s.class(t, "Open House", 1, priced(0)), s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(talk, 0).follow().form("/pay").post().follow().want(200, "You’re booked")
	date := v.get(s.path(yoga, &yoga.Dates[1])).want(200)
	s.SQL(t, "update processor_accounts set state = 'restricted'")
	date.form("/"+yoga.Slug).post().follow().want(200, "does not take online payments yet")
	s.credits(t, "ana@example.com", 2200)
	pay := date.form("/"+yoga.Slug).post().follow().want(200, "Pay $22.00 with credit")
	s.credits(t, "ana@example.com", -1)
	v.get(pay.url.Path).want(200, "does not take cards on this page yet")
	s.credits(t, "ana@example.com", 1)
	v.get(pay.url.Path).form("/pay").post().follow().want(200, "You’re booked", "Paid with your credit")
}
