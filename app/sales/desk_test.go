package sales_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/policy"
)

// atDesk is a payment at the desk for a booking of 22.00 that the desk has made.
func (s till) atDesk(t testing.TB, method tender.Kind) (sales.Payment, booking.Booking) {
	t.Helper()
	o := s.class(t, 2200)
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: uuid.NewString() + "@example.com"}, OccurrenceID: o.ID})
	if err != nil {
		t.Fatal(err)
	}
	sold, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.Booking.ID}, Tenders: []owed.Tender{{Method: method, Note: "slip 7"}}})
	if err != nil {
		t.Fatal(err)
	}
	return s.get(t, sold.Payments[0].ID).Payment, b.Booking.Booking
}

func (s till) due(t testing.TB, b booking.Booking) order.Money {
	t.Helper()
	m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (s till) cash(t testing.TB) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), ledger.Cash, s.Location.Currency)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A cash payment is refunded in cash: by line or amount, no more than the refundable amount, and no booking changes
// by it.
func TestRefundAtTheDesk(t *testing.T) {
	s := open(t)
	p, b := s.atDesk(t, tender.Cash)
	if p.Method != sales.Cash || p.Note != "slip 7" || p.Refundable != 2200 || *p.Net != 2200 {
		t.Fatalf("%+v", p)
	}
	got, err := s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(700)}))
	if err != nil || got.Method != sales.Cash || got.Refund.Amount != 700 || got.RefundableAmount != 1500 || got.Refund.FeeAmount != 0 {
		t.Fatalf("%+v, %v", got, err)
	}
	d := s.get(t, p.ID)
	if d.State != sales.PartlyRefunded || d.Refunded != 700 || len(d.Refunds) != 1 || d.Refunds[0].State != billing.RequestSucceeded || d.Lines[0].Refunded != 700 || s.cash(t) != 1500 {
		t.Errorf("%+v, the till has %d", d, s.cash(t))
	}
	_, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(1501)}))
	refused(t, "more than is left", err, processor.ErrRefundTooLarge)
	if _, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Lines: []uuid.UUID{*d.Lines[0].ID}})); err != nil {
		t.Fatal(err)
	}
	_, err = s.Money.Refund(t.Context(), s.Owner, back(p.ID, sales.RefundInput{Amount: amount(1)}))
	refused(t, "nothing is left", err, sales.ErrNothingRefundable)
	if m := s.due(t, b); m.Due != 0 || m.PaidAtStudio != 0 || s.cash(t) != 0 {
		t.Errorf("%+v, the till has %d", m, s.cash(t))
	}
	s.w.CheckBooks(t)
}

// The front desk hands back up to the location's cap, of today's only.
func TestRefundWithinTheCap(t *testing.T) {
	s := open(t)
	p, _ := s.atDesk(t, tender.Cash)
	desk := s.Join(t, "desk@example.com", apptest.At(policy.FrontDesk, s.Location.ID))
	ask := func(n int64) error {
		_, err := s.Money.Refund(t.Context(), desk, back(p.ID, sales.RefundInput{Amount: amount(n)}))
		return err
	}
	refused(t, "without a cap", ask(1), sales.ErrCap)
	s.w.SQL(t, "update locations set refund_cap_amount = 500")
	if err := ask(300); err != nil {
		t.Fatal(err)
	}
	refused(t, "over the cap in all", ask(201), sales.ErrCap)
	s.w.Clock.Advance(24 * time.Hour)
	if err := ask(1); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("of yesterday: %v", err)
	}
	s.w.CheckBooks(t)
}

// A mistake is voided on its own day, and the amount it paid is due again; so is a fee.
func TestVoid(t *testing.T) {
	s := open(t)
	p, b := s.atDesk(t, tender.Other)
	void := func(sc tenancy.Scope, id uuid.UUID) error {
		_, err := s.Money.Void(t.Context(), sc, sales.VoidInput{PaymentID: id, Note: "another booking was meant"})
		return err
	}
	refused(t, "without the right", void(s.Holding(s.Location.ID, policy.PaymentView), p.ID), policy.ErrMissingFeature)
	if err := void(s.w.Studio(t).Owner, p.ID); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another business's: %v", err)
	}
	if _, err := s.Money.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: p.ID}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("without a word: %v", err)
	}
	if err := void(s.Owner, p.ID); err != nil {
		t.Fatal(err)
	}
	if d := s.get(t, p.ID); d.State != sales.Void || d.Refundable != 0 || s.due(t, b).Due != 2200 {
		t.Errorf("%+v, due %+v", d, s.due(t, b))
	}
	refused(t, "twice", void(s.Owner, p.ID), billing.ErrNotVoidable)

	again, _ := s.atDesk(t, tender.Cash)
	s.w.Clock.Advance(24 * time.Hour)
	refused(t, "on another day", void(s.Owner, again.ID), billing.ErrNotVoidable)
	refused(t, "a payment by card", void(s.Owner, s.sold(t, s.class(t, 2200)).ID), sales.ErrByCard)
	s.w.CheckBooks(t)
}

// A price and a fee that were taken at once by mistake are paid again one by one: that of the price is no mistake of
// the fee's.
func TestVoidOfOneOfTwo(t *testing.T) {
	s := open(t)
	b, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ada@example.com"}, OccurrenceID: s.class(t, 2200).ID})
	id := must(t, b, err).Booking.ID
	fee := uuid.New()
	s.w.SQL(t, `insert into fees (id, business_id, location_id, booking_id, customer_id, kind, state, amount, currency, review_until, created_at, updated_at)
		select $2, business_id, location_id, id, customer_id, 'no_show', 'due', 700, 'USD', $3, $3, $3 from bookings where id = $1`, id, fee, s.w.Clock.Now())
	take := func(in owed.PaymentInput) uuid.UUID {
		t.Helper()
		in.Tenders = owed.Pays(tender.Cash)
		sold, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
		return must(t, sold, err).Payments[0].ID
	}
	void := func(id uuid.UUID) {
		t.Helper()
		p, err := s.Money.Void(t.Context(), s.Owner, sales.VoidInput{PaymentID: id, Note: "counted wrong"})
		must(t, p, err)
	}
	state := func() string { return apptest.Value[string](t, s.w, "select state from fees where id = $1", fee) }
	void(take(owed.PaymentInput{BookingIDs: []uuid.UUID{id}, FeeIDs: []uuid.UUID{fee}}))
	if state() != "due" || s.cash(t) != 0 {
		t.Fatalf("after the mistake the fee is %s, the till has %d", state(), s.cash(t))
	}
	price := take(owed.PaymentInput{BookingIDs: []uuid.UUID{id}})
	take(owed.PaymentInput{FeeIDs: []uuid.UUID{fee}})
	void(price)
	if state() != "paid" || s.cash(t) != 700 {
		t.Errorf("the fee is %s, the till has %d", state(), s.cash(t))
	}
	s.w.CheckBooks(t)
}
