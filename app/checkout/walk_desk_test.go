package checkout_test

import (
	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/credit"
	"foyer/billing/tender"
)

// method returns a customer's payment method at the desk other than credit.
func (k *walker) method() tender.Kind {
	return []tender.Kind{tender.Cash, tender.Other}[k.r.IntN(2)]
}

// tenders returns a customer's tenders for a booking: a part by credit, and the remaining amount by another method;
// two methods if they have none.
func (k *walker) tenders(booking uuid.UUID) []owed.Tender {
	due := k.due(booking)
	has, err := k.some("select c.customer_id from credits c join bookings b on b.customer_id = c.customer_id where c.balance > 0 and b.id = $1", booking)
	if err == nil {
		n := apptest.Value[int64](k.t, k.w, "select balance from credits where customer_id = $1", has)
		if n = 1 + k.r.Int64N(n); n < due {
			return []owed.Tender{{Method: tender.AccountCredit, Amount: n}, {Method: k.method()}}
		}
	}
	if due > 1 && k.r.IntN(2) == 0 {
		return []owed.Tender{{Method: tender.Other, Amount: 1 + k.r.Int64N(due-1)}, {Method: tender.Cash}}
	}
	return owed.Pays(k.method())
}

// due returns the amount due for a booking.
func (k *walker) due(id uuid.UUID) int64 {
	b, err := k.Booking.Get(k.t.Context(), k.Owner, id)
	if err != nil {
		return 0
	}
	m, err := k.Orders.MoneyOf(k.t.Context(), k.Business.ID, b.Booking)
	if err != nil {
		k.t.Fatal(err)
	}
	return m.Due
}

// adjust gives a customer credit, or takes some away.
func (k *walker) adjust() error {
	id, err := k.some("select customer_id from bookings where state not in ('held', 'expired')")
	if err != nil {
		return err
	}
	in := credit.AdjustInput{CustomerID: id, LocationID: k.Location.ID, Amount: k.r.Int64N(4000) - 1000, Note: "as agreed"}
	if in.Amount == 0 {
		in.Amount = 1
	}
	_, err = credit.New(k.w.DB).Adjust(k.t.Context(), k.Owner, in)
	return err
}

// takeDue records a payment of the amount due for a booking. Nothing is due for it then.
func (k *walker) takeDue() error {
	id, err := k.booked("confirmed", "checked_in", "no_show", "completed")
	if err != nil {
		return err
	}
	if _, err = k.Owed.RecordPayment(k.t.Context(), k.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{id}, Tenders: k.tenders(id)}); err != nil {
		return err
	}
	b, err := k.Booking.Get(k.t.Context(), k.Owner, id)
	if err != nil {
		return err
	}
	if m, err := k.Orders.MoneyOf(k.t.Context(), k.Business.ID, b.Booking); err != nil || m.Due != 0 || m.PaidAtStudio <= 0 {
		k.t.Errorf("booking %s was paid: %+v, %v", id, m, err)
	}
	return nil
}

// takeFee takes a fee that is due, after something was cancelled late if there is none.
func (k *walker) takeFee() error {
	const due = "select id from fees where state = 'due'"
	id, err := k.some(due)
	if err != nil && k.price > 0 {
		if err = k.lateCancel(); err == nil {
			id, err = k.some(due)
		}
	}
	if err != nil {
		return err
	}
	_, err = k.Owed.RecordPayment(k.t.Context(), k.Owner, owed.PaymentInput{FeeIDs: []uuid.UUID{id}, Tenders: owed.Pays(k.method())})
	return err
}

// chargeFees has a fee that is due charged to a card that its customer had kept, by hand or by itself, and lets the
// jobs run or not.
func (k *walker) chargeFees() error {
	const due = "select p.customer_id from fees p join saved_cards s on s.customer_id = p.customer_id where p.state = 'due' and s.removed_at is null"
	id, err := k.some(due)
	if err != nil && k.price > 0 {
		if err = k.lateCancel(); err == nil {
			id, err = k.some(due)
		}
	}
	if err != nil {
		return err
	}
	if k.r.IntN(2) == 0 {
		return k.Owed.ChargeAll(k.t.Context())
	}
	_, err = k.Owed.Collect(k.t.Context(), k.Owner, owed.CollectInput{CustomerID: id})
	return err
}

// lateCancel cancels something that begins soon for its customer.
func (k *walker) lateCancel() error {
	id, err := k.some("select id from bookings where state = 'confirmed' and starts_at > $1 and starts_at < $1 + interval '12 hours'", k.w.Clock.Now())
	if err == nil {
		_, err = k.Booking.Cancel(k.t.Context(), k.Owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer})
	}
	return err
}

// refundAtDesk refunds a part of a desk payment, or its whole refundable amount.
func (k *walker) refundAtDesk() error {
	return k.ofManual("", func(tx *pg.Tx, of billing.Refundable) error {
		left := tender.Sum(of.Parts())
		in := billing.RefundInput{Amount: left, Note: "as agreed", Reason: billing.ReasonGoodwill}
		if left > 1 && k.r.IntN(2) == 0 {
			in.Amount = 1 + k.r.Int64N(left)
		}
		if k.r.IntN(2) == 0 {
			in.CreditTo = &of.Tender.CustomerID
		}
		_, err := k.Billing.RefundOfTx(k.t.Context(), tx, of, in)
		return err
	})
}

// voidManual takes a manual payment at the desk for a mistake.
func (k *walker) voidManual() error {
	const due = "and position = 0"
	return k.ofManual(due, func(tx *pg.Tx, of billing.Refundable) error {
		return k.Billing.VoidTx(k.t.Context(), tx, of, k.Owner.Actor, "another booking was meant")
	})
}

func (k *walker) ofManual(which string, do func(tx *pg.Tx, of billing.Refundable) error) error {
	id, err := k.some("select id from order_tenders where kind <> 'card' and captured_at is not null " + which)
	if err != nil {
		return err
	}
	return pg.Do(k.t.Context(), k.w.DB, k.Business.ID, func(tx *pg.Tx) error {
		of, err := k.Billing.RefundableTx(k.t.Context(), tx, id)
		if err != nil {
			return err
		}
		return do(tx, of)
	})
}
