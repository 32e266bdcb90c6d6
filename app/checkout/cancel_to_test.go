package checkout_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// creditOf returns a customer's account credit.
func (s shop) creditOf(t testing.TB, customer uuid.UUID) (sum int64) {
	t.Helper()
	list, err := credit.Of(t.Context(), s.w.DB.View(s.Business.ID), customer)
	for _, k := range must(t, list, err) {
		sum += k.Balance
	}
	return sum
}

// cancel cancels a booking for its customer, with the owner's choice of the refund.
func (s shop) cancel(t testing.TB, id uuid.UUID, toCredit bool) booking.Cancellation {
	t.Helper()
	got, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer, ToCredit: toCredit})
	return must(t, got, err).Done
}

// A card payment that is cancelled to credit is credit at once: no money moves at the processor, and the refundable
// amount of the same payment is refunded to the card as before.
func TestCancelToCredit(t *testing.T) {
	s := open(t)
	ada := s.Customer(t, "Ada")
	_, ids := s.bought(t, ada, s.class(t, 2200, 3), s.class(t, 1000, 3))
	s.check(t)
	clearing := s.holds(t, ledger.Clearing)
	if d := s.cancel(t, ids[0], true); d.CreditAmount != 2200 || d.RefundAmount != 0 || d.DeskAmount != 0 || d.ForfeitedAmount != 0 {
		t.Errorf("to credit: %+v", d)
	}
	s.check(t)
	customer := s.bookingOf(t, ada, ids[0]).CustomerID
	if got := s.creditOf(t, customer); got != 2200 || s.holds(t, ledger.Credit) != -2200 || s.holds(t, ledger.Clearing) != clearing || s.Refunded(t) != 0 {
		t.Errorf("credit %d, in the books %d, the processor gave %d back", got, s.holds(t, ledger.Credit), s.Refunded(t))
	}
	if d := s.cancel(t, ids[1], false); d.RefundAmount != 1000 || d.CreditAmount != 0 {
		t.Errorf("to the card: %+v", d)
	}
	s.check(t)
	if got := s.Refunded(t); got != 1000 {
		t.Errorf("the processor gave %d back", got)
	}
}

// A payment at the desk is to be refunded after any cancellation: it is shown, and refunded there by a staff member,
// or becomes credit at once. A payment with credit is credit again. Late none of it is refunded, and it is shown as
// lost.
func TestCancelOfWhatWasPaidAtTheDesk(t *testing.T) {
	s := desk(t)
	ada := s.Customer(t, "Ada")
	one, two, three, four := s.byDesk(t, ada, s.class(t, 2200, 3)), s.byDesk(t, ada, s.class(t, 1500, 3)), s.byDesk(t, ada, s.class(t, 1200, 3)), s.byDesk(t, ada, s.class(t, 900, 3))
	s.takes(t, one.ID, two.ID, four.ID) // one taking for all of them
	if d := s.cancel(t, one.ID, false); d.DeskAmount != 2200 || d.CreditAmount != 0 || d.RefundAmount != 0 || d.ForfeitedAmount != 0 {
		t.Errorf("in cash: %+v", d)
	}
	if till := s.holds(t, ledger.Cash); till != 4600 || s.creditOf(t, one.CustomerID) != 0 {
		t.Errorf("the till has %d before anybody has given it back", till)
	}
	if d := s.cancel(t, two.ID, true); d.CreditAmount != 1500 || d.DeskAmount != 0 {
		t.Errorf("to credit: %+v", d)
	}
	if till, has := s.holds(t, ledger.Cash), s.creditOf(t, one.CustomerID); till != 4600 || has != 1500 || s.holds(t, ledger.Credit) != -1500 {
		t.Errorf("the till has %d, the customer %d", till, has)
	}
	sold, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{three.ID}, Tenders: owed.Pays(tender.AccountCredit)},
	)
	must(t, sold, err)
	if has := s.creditOf(t, one.CustomerID); has != 300 {
		t.Fatalf("%d of credit is left", has)
	}
	mine, err := s.Booking.CancelMine(t.Context(), mine(ada), three.ID)
	if must(t, mine, err); mine.Done.CreditAmount != 1200 || mine.Done.DeskAmount != 0 || s.creditOf(t, one.CustomerID) != 1500 {
		t.Errorf("paid with credit: %+v, the customer has %d", mine.Done, s.creditOf(t, one.CustomerID))
	}
	s.w.Clock.Set(four.StartsAt.Add(-time.Hour))
	if d := s.cancel(t, four.ID, true); d.ForfeitedAmount != 900 || d.CreditAmount+d.DeskAmount != 0 || !d.Late {
		t.Errorf("late: %+v", d)
	}
	s.check(t)
}

// An amount that the desk has refunded already is not refunded a second time, and a void payment was never paid.
func TestCancelAfterDeskRefund(t *testing.T) {
	s := desk(t)
	ada := s.Customer(t, "Ada")
	part, void := s.byDesk(t, ada, s.class(t, 2200, 3)), s.byDesk(t, ada, s.class(t, 1500, 3))
	given, mistake := s.takes(t, part.ID).Payments[0], s.takes(t, void.ID).Payments[0]
	_, err := pg.InTx(t.Context(), s.w.DB, s.Owner.Tenant, func(tx *pg.Tx) (billing.RefundRequest, error) {
		r, err := s.Billing.RefundableTx(t.Context(), tx, mistake.ID)
		if err == nil {
			err = s.Billing.VoidTx(t.Context(), tx, r, s.Owner.Actor, "wrong booking")
		}
		if err != nil {
			return billing.RefundRequest{}, err
		}
		return s.Billing.RefundTx(
			t.Context(), tx, billing.RefundInput{PaymentID: given.ID, Amount: 700, Note: "kind", By: s.Owner.Actor},
		)
	})
	must(t, 0, err)
	if d := s.cancel(t, part.ID, true); d.CreditAmount != 1500 || s.creditOf(t, part.CustomerID) != 1500 {
		t.Errorf("a part was handed back: %+v", d)
	}
	if d := s.cancel(t, void.ID, true); d.CreditAmount+d.DeskAmount+d.RefundAmount != 0 {
		t.Errorf("taken by mistake: %+v", d)
	}
	s.check(t)
}
