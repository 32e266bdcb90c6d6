package checkout_test

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A24. The customer pays the balance themselves, by a typed card or by a saved one: one payment for any number of
// requests, with the platform's fee and no service fee, and the remainder of the line's tax. The desk does not show a
// charge before there is one.
func TestPayBalance(t *testing.T) {
	for name, kept := range map[string]bool{"typed": false, "kept": true} {
		t.Run(name, func(t *testing.T) {
			s, ada, _ := withSavedCard(t, apptest.CardGood)
			s.deposits(t, 30)
			o, rate := s.taxed(t)
			got := s.withDeposit(t, ada, o)
			b := s.bookingOf(t, ada, got.Lines[0].BookingID)
			if left, err := s.Owed.BalanceDueOf(t.Context(), s.Business.ID, b); must(t, left, err) != 1676 {
				t.Errorf("%d left", left)
			}
			link := s.payBalance(t, ada, b.ID)
			if again := s.payBalance(t, ada, b.ID); again != link {
				t.Error("asked twice, two orders")
			}
			if _, found, err := s.Owed.ChargeOf(t.Context(), s.Owner, b); found || err != nil {
				t.Errorf("the desk sees a charge: %v", err)
			}
			p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
			if must(t, p, err); p.Amount != 1676 || p.Receipt.Lines[0].BookingID != b.ID {
				t.Fatalf("%+v", p)
			}
			if kept {
				cards, err := s.Owed.CardsFor(t.Context(), ada, link)
				if must(t, cards, err); len(cards) != 1 {
					t.Fatalf("%d kept cards", len(cards))
				}
				for range 2 {
					p, err = s.Owed.PaySaved(t.Context(), ada, link, cards[0].ID, backTo)
				}
				refused(t, "charged twice", err, checkout.ErrNothingToPay)
			} else {
				s.PayCard(t, p.ClientSecret, apptest.CardGood)
			}
			must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), link))
			s.jobs(t)
			if got := s.balances(t); got != "1676 fee 34 succeeded fulfilled" {
				t.Error(got)
			}
			if m := s.moneyOf(t, b.ID); m.Due != 0 || m.Paid != 719+1676 || m.PaidAtStudio != 0 {
				t.Errorf("%+v", m)
			}
			if tax := s.holds(t, ledger.Tax(rate.ID)); tax != -195 {
				t.Errorf("%d of tax", tax)
			}
			_, err = s.Owed.PayBalance(t.Context(), ada, b.ID)
			refused(t, "again", err, checkout.ErrNothingToPay)
			s.check(t)
		})
	}
}

// payBalance returns the link on which a person pays the balance of their booking.
func (s shop) payBalance(t testing.TB, who tenancy.Scope, id uuid.UUID) string {
	t.Helper()
	link, err := s.Owed.PayBalance(t.Context(), who, id)
	return must(t, link, err)
}

// While the customer pays the balance it is paid at the desk, or they cancel, or the studio does: the card payment
// that succeeds all the same is refunded.
func TestBalanceNoLongerDue(t *testing.T) {
	for name, do := range map[string]func(s shop, ada tenancy.Scope, b uuid.UUID) error{
		"at the desk": func(s shop, _ tenancy.Scope, b uuid.UUID) error {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
			)
			return err
		},
		"cancelled": func(s shop, ada tenancy.Scope, b uuid.UUID) error {
			_, err := s.Booking.CancelMine(t.Context(), mine(ada), b)
			return err
		},
		"by the studio": func(s shop, _ tenancy.Scope, b uuid.UUID) error {
			_, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: b, By: booking.ByStudio, Reason: "ill"})
			return err
		},
	} {
		s := open(t)
		s.deposits(t, 30)
		ada := s.Customer(t, "Ada")
		o, _ := s.taxed(t)
		b := s.withDeposit(t, ada, o).Lines[0].BookingID
		link := s.payBalance(t, ada, b)
		p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
		must(t, p, err)
		if err := do(s, ada, b); err != nil {
			t.Fatal(name, err)
		}
		s.PayCard(t, p.ClientSecret, apptest.CardGood)
		err = s.Owed.Paid(t.Context(), s.Visitor(), link)
		if name == "at the desk" { // the order is given up; the receipt of the others shows the refund
			refused(t, name, err, checkout.ErrNothingToPay)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		s.jobs(t)
		if got := s.balances(t); strings.Contains(got, "succeeded fulfilled") {
			t.Errorf("%s: %s", name, got)
		}
		if m := s.moneyOf(t, b); m.Due != 0 {
			t.Errorf("%s: %+v", name, m)
		}
		s.check(t)
	}
}

// Part of it is paid at the desk meanwhile, and the earlier link pays nothing; the next one is for the remaining
// balance.
func TestBalanceThatShrinks(t *testing.T) {
	s := open(t)
	s.deposits(t, 30)
	ada := s.Customer(t, "Ada")
	o, _ := s.taxed(t)
	b := s.withDeposit(t, ada, o).Lines[0].BookingID
	old := s.payBalance(t, ada, b)
	sale, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{b}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 1000}},
	})
	must(t, sale, err)
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), old)
	refused(t, "the old link", err, checkout.ErrNothingToPay)
	p, err := s.Owed.Pay(t.Context(), s.Visitor(), s.payBalance(t, ada, b))
	if must(t, p, err); p.Amount != 676 {
		t.Errorf("%d", p.Amount)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), s.Orders.ReceiptToken(p.Receipt.OrderID)))
	if m := s.moneyOf(t, b); m.Due != 0 || m.PaidAtStudio != 1000 || m.Paid != 719+676 {
		t.Errorf("%+v", m)
	}
	s.check(t)
}

func TestPayBalanceRefuses(t *testing.T) {
	s, ada, who := withSavedCard(t, apptest.CardGood)
	desk := s.byDesk(t, ada, s.class(t, 2200, 3))
	_, err := s.Owed.PayBalance(t.Context(), ada, desk.ID)
	refused(t, "no deposit was asked for", err, checkout.ErrNothingToPay)
	s.deposits(t, 30)
	o, _ := s.taxed(t)
	b := s.withDeposit(t, ada, o).Lines[0].BookingID
	if _, err := s.Owed.PayBalance(t.Context(), s.Visitor(), b); !fault.IsKind(err, fault.Unauthorized) {
		t.Errorf("nobody: %v", err)
	}
	eve := s.Customer(t, "Eve")
	for _, id := range []uuid.UUID{b, uuid.New()} {
		if _, err := s.Owed.PayBalance(t.Context(), eve, id); !missing(err) {
			t.Errorf("somebody else's, or unknown: %v", err)
		}
	}
	link := s.payBalance(t, ada, b)
	if cards, err := s.Owed.CardsFor(t.Context(), eve, link); len(must(t, cards, err)) != 0 {
		t.Error("somebody else sees the kept cards")
	}
	cards, err := s.Owed.CardsFor(t.Context(), ada, link)
	must(t, cards, err)
	if _, err := s.Owed.PaySaved(t.Context(), eve, link, cards[0].ID, backTo); !missing(err) {
		t.Errorf("somebody else charges the kept card: %v", err)
	}
	_, err = s.collect(t, s.Owner, owed.CollectInput{CustomerID: who})
	must(t, 0, err)
	_, err = s.Owed.PayBalance(t.Context(), ada, b)
	refused(t, "a card is charged for it and another", err, checkout.ErrPaymentPending)
	s.jobs(t)
	_, err = s.Owed.PayBalance(t.Context(), ada, b)
	refused(t, "it was", err, checkout.ErrNothingToPay)
	request := s.withApproval(t, 1)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Deposit.Percent = 50 }))
	asked := s.withDeposit(t, eve, request).Lines[0].BookingID
	_, err = s.Owed.PayBalance(t.Context(), eve, asked)
	refused(t, "the studio has not answered", err, checkout.ErrNothingToPay)
	s.check(t)
}
