package hosted_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/media"
	"foyer/media/mediatest"
)

// early requires a non-refundable deposit of a quarter, with the balance charged a day before.
func early(r *catalog.Rules) {
	r.Deposit = catalog.DepositRules{Percent: 25, NonRefundable: true, BalanceMinutes: 24 * 60}
}

// TestNonRefundableDeposit: pages show before payment that a deposit is non-refundable and when the balance is charged,
// and everywhere the cost of cancelling; cancelling early then forfeits it. No step needs a script.
func TestNonRefundableDeposit(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, early))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get(s.path(yoga, nil)).want(200, "The deposit is non-refundable, however early you cancel.",
		"If you have a saved card with the studio, the balance due is charged to it 24 hours before the start.")
	pay := v.choose(yoga, 3).follow().want(200, "You pay a deposit now.", "If you have a saved card with the studio, the balance due is charged to it on Sat, Jun 13", "If you cancel, you lose $5.50.")
	pay = pay.form("/pay/deposit").post().follow().want(200, "Pay $22.00", "you lose $5.50; after that you lose $22.00.").lacks("If you have a saved card with the studio, the balance due is charged to it on")
	pay = pay.form("/pay/deposit").post().follow()
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked", "If you cancel, you lose $5.50.")
	id := apptest.Value[string](t, s.World, "select id::text from bookings where state = 'confirmed'")
	mine := v.get("/my/bookings/"+id).want(200, "Pay the balance now: $16.50", "If you have a saved card with the studio, the balance due is charged to it on Sat, Jun 13", "If you cancel, you lose $5.50.")
	ask := v.get("/my/bookings/"+id+"/cancel").want(200, "$5.50", "The deposit is non-refundable.").lacks("Your refund", "The price was refundable until")
	ask.form("/cancel").post().follow().want(200, "Cancelled")
	if b := apptest.Value[string](t, s.World, "select state from bookings"); b != string(booking.Cancelled) || s.count(t, "refunds") != 0 {
		t.Errorf("the booking is %s, and %d refunds", b, s.count(t, "refunds"))
	}
	mine.form("/pay").post().want(400, "There is nothing to pay here")
	s.CheckBooks(t)
}

// TestNonRefundableDepositOfAPaidPrice: a customer who paid the full price is refunded all but the deposit.
func TestNonRefundableDepositOfAPaidPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, early))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	pay := v.choose(yoga, 3).follow().form("/pay/deposit").post().follow().want(200, "Pay $22.00")
	pay.pay(apptest.CardGood).follow().want(200, "You’re booked")
	id := apptest.Value[string](t, s.World, "select id::text from bookings where state = 'confirmed'")
	ask := v.get("/my/bookings/"+id+"/cancel").want(200, "Your refund", "$16.50", "To the card you paid with.", "$5.50", "The deposit is non-refundable.")
	ask.form("/cancel").post().follow().want(200, "Cancelled")
	if n := s.count(t, "refunds where amount = 1650"); n != 1 {
		t.Errorf("%d refunds of what is more than the deposit", n)
	}
	s.CheckBooks(t)
}

// TestBalanceIsRequestedByMail: a customer without a saved card gets a link by mail a day before, and pays the balance
// due there, without signing in.
func TestBalanceIsRequestedByMail(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, early))
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.choose(yoga, 3).follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	id := apptest.Value[uuid.UUID](t, s.World, "select id from bookings where state = 'confirmed'")
	s.rest(t)
	s.Clock.Set(yoga.Dates[3].StartsAt.Add(-24 * time.Hour))
	if err := s.Owed.ChargeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := s.letter(t, "ana@example.com", "fee")
	link := text[strings.Index(text, "/receipt/"):]
	guest := s.visit(t)
	page := guest.get(link).want(200, "Pay for your booking", "For Sunrise Vinyasa, Sun, Jun 14", "Pay $16.50")
	page = page.form("/pay").post(card(apptest.CardDeclined)...).follow().want(200, "Your bank declined the card", "Pay $16.50")
	page.form("/pay").post(card(apptest.CardGood)...).follow().want(200, "Sunrise Vinyasa", "$16.50")
	guest.get(link).want(200, "There is nothing to pay here")
	v = s.signedIn(t, "ana@example.com", "Ana Ruiz")
	v.get("/my/bookings/"+id.String()).want(200, "Confirmed").lacks("Pay the balance now:", "If you have a saved card with the studio, the balance due is charged to it on")
	s.CheckBooks(t)
}

// TestAWalletIsNamed: a payment with a wallet has its name on the receipt, and so has the card saved from it.
func TestAWalletIsNamed(t *testing.T) {
	t.Parallel()
	s := open(t)
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	const fromApplePay = "5200828282828210"
	v.choose(yoga, 0).follow().form("/pay/card").post(append(card(fromApplePay), "keep", "1")...).follow().want(200, "You’re booked", "Paid with Mastercard ending 8210 (Apple Pay)")
	v.get("/my/cards").want(200, "Mastercard ending 8210 (Apple Pay)")
	v.choose(yoga, 1).follow().want(200, "Mastercard ending 8210 (Apple Pay)").form("/pay/kept").post().follow().want(200, "You’re booked")
	v.get("/my/payments").want(200, "Mastercard ending 8210 (Apple Pay)")
}

// TestBookingWithoutTheStoreOfFiles: where photos and files can neither be read nor written, everything is shown,
// booked and paid all the same.
func TestBookingWithoutTheStoreOfFiles(t *testing.T) {
	t.Parallel()
	s := open(t, func(p *plan) { p.Down = true })
	yoga := s.class(t, "Sunrise Vinyasa", 5)
	photoOf(t, s, media.New(media.Options{DB: s.World.DB, Store: mediatest.Store(t)}), media.Subject{Kind: media.OfOffering, ID: yoga.ID}, "The hall", true)
	_, d := s.asksFor(t, agreement.CreateInput{Name: "Waiver", Content: said("I take care of myself.")})
	v := s.signedIn(t, "ana@example.com", "Ana Ruiz")
	if page := v.get(s.path(yoga, nil)).want(200); !strings.Contains(page.Body, `alt="The hall"`) {
		t.Error("the page has lost its photo")
	}
	agree := v.choose(yoga, 0).follow().follow().want(200, "I agree to Waiver")
	agree.form("/agreements").post("agree."+d.Copy.ID.String(), "1").follow().follow().pay(apptest.CardGood).follow().want(200, "You’re booked")
	v.get("/my").want(200, "Sunrise Vinyasa")
}
