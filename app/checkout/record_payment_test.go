package checkout_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/fees"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
	"foyer/policy"
)

// takes has the owner record cash payments of the amounts due for bookings.
func (s shop) takes(t testing.TB, bookings ...uuid.UUID) owed.Sale {
	t.Helper()
	sold, err := s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: bookings, Tenders: owed.Pays(tender.Cash)},
	)
	return must(t, sold, err)
}

// holds returns the balance of an account of the books.
func (s shop) holds(t testing.TB, a ledger.Account) int64 {
	t.Helper()
	n, err := ledger.Balance(t.Context(), s.w.DB.View(s.Business.ID), a, s.Location.Currency)
	return must(t, n, err)
}

// byDesk makes a booking at the desk for a customer.
func (s shop) byDesk(t testing.TB, who tenancy.Scope, o apptest.OccurrenceRow) booking.Booking {
	t.Helper()
	got, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: who.Email, Name: "Ada"}, OccurrenceID: o.ID})
	return must(t, got, err).Booking.Booking
}

// A29. A booking to be paid at the studio is paid there once: nothing is due then, the books have it by kind and tax,
// and there is no fee on it.
func TestA29_TakeAtTheDesk(t *testing.T) {
	s := desk(t)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	a, b := s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }), s.class(t, 1000, 3)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, a, b)
	s.hold(t, ada, token)
	got := s.atStudio(t, ada, token, 3395)
	one, two := got.Lines[0].BookingID, got.Lines[1].BookingID

	sold := s.takes(t, one)
	if sold.Amount != 2395 || len(sold.Lines) != 1 || sold.Lines[0].Amount != 2395 || sold.Lines[0].BookingID != one || len(sold.Payments) != 1 {
		t.Fatalf("one of two: %+v", sold)
	}
	if m := s.money(t, s.bookingOf(t, ada, one)); m.Due != 0 || m.PaidAtStudio != 2395 || m.Paid != 0 {
		t.Errorf("paid: %+v", m)
	}
	if m := s.money(t, s.bookingOf(t, ada, two)); m.Due != 1000 || m.PaidAtStudio != 0 {
		t.Errorf("the other one: %+v", m)
	}
	r := s.receipt(t, got.Receipt)
	if r.DueAmount != 1000 || len(r.Payments) != 1 || r.Payments[0].Amount != 2395 ||
		r.Payments[0].Method != tender.Cash || r.Lines[0].PaidAmount != 2395 {
		t.Errorf("receipt: %+v", r)
	}
	if st := r.CostBases(); st[0].DueAmount != 0 || st[1].DueAmount != 1000 {
		t.Errorf("at stake by the receipt: %+v", st)
	}
	of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{s.bookingOf(t, ada, one)})
	if stake := must(t, of, err)[one]; stake.DueAmount != 0 {
		t.Errorf("at stake: %+v", stake)
	}
	_, err = s.Owed.RecordPayment(
		t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{one}, Tenders: owed.Pays(tender.Cash)},
	)
	refused(t, "twice", err, checkout.ErrNothingToPay)

	rest, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{
		BookingIDs: []uuid.UUID{one, two}, Tenders: []owed.Tender{{Method: tender.Other, Note: " slip 7 "}},
	})
	if must(t, rest, err); rest.Amount != 1000 || rest.Payments[0].Note != "slip 7" {
		t.Errorf("the rest: %+v", rest)
	}
	if till, other := s.holds(t, ledger.Cash), s.holds(t, ledger.ClearingOther); till != 2395 || other != 1000 {
		t.Errorf("the till has %d, elsewhere are %d", till, other)
	}
	if income, tax, feeList := s.holds(t, ledger.IncomeClass), s.holds(t, ledger.Tax(rate.ID)), s.holds(t, ledger.BookingFees); income != -3200 || tax != -195 || feeList != 0 {
		t.Errorf("income %d, tax %d, fees of the platform %d", income, tax, feeList)
	}
	s.check(t)
}

// A desk booking is sold when it is paid, with the tax of today on top; the amount due shown before is the amount
// paid.
func TestTakeForWhatTheDeskBooked(t *testing.T) {
	s := desk(t)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	a := s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	ada := s.Customer(t, "Ada")
	b := s.byDesk(t, ada, a)
	before := s.money(t, b)
	if before.Due != 2395 {
		t.Fatalf("due: %+v", before)
	}
	sold := s.takes(t, b.ID)
	if sold.Amount != before.Due {
		t.Errorf("%d is due, %d was taken", before.Due, sold.Amount)
	}
	if m := s.money(t, b); m.Due != 0 || m.PaidAtStudio != 2395 {
		t.Errorf("paid: %+v", m)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(sold.Payments[0].OrderID))
	if must(t, r, err); r.Totals.TotalAmount != 2395 || r.Totals.TaxAmount != 195 || r.DueAmount != 0 || len(r.Payments) != 1 || r.Lines[0].BookingID != b.ID {
		t.Errorf("receipt: %+v", r)
	}
	// One more comes along: the difference is due, and is sold by itself.
	party := 2
	edited, err := s.Booking.Edit(t.Context(), s.Owner, booking.EditInput{BookingID: b.ID, Version: s.bookingOf(t, ada, b.ID).Version, Party: &party})
	must(t, edited, err)
	if m := s.money(t, b); m.Due != 2395 {
		t.Errorf("for one more: %+v", m)
	}
	if more := s.takes(t, b.ID); more.Amount != 2395 {
		t.Errorf("for one more: %+v", more)
	}
	if m := s.money(t, b); m.Due != 0 || m.PaidAtStudio != 4790 {
		t.Errorf("both paid: %+v", m)
	}
	s.check(t)
}

// Prices that have the tax inside are taken as they are listed.
func TestTakeWithTheTaxInside(t *testing.T) {
	s := desk(t)
	rate := s.AddTaxRate(t, "VAT", 200000)
	s.w.SQL(t, "update locations set tax_mode = $1", business.TaxInclusive)
	b := s.byDesk(t, s.Customer(t, "Ada"), s.class(t, 2400, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }))
	if m, sold := s.money(t, b), s.takes(t, b.ID); m.Due != 2400 || sold.Amount != 2400 {
		t.Errorf("due %+v, taken %+v", m, sold)
	}
	if income, tax := s.holds(t, ledger.IncomeClass), s.holds(t, ledger.Tax(rate.ID)); income != -2000 || tax != -400 {
		t.Errorf("income %d, tax %d", income, tax)
	}
	s.check(t)
}

// A course is paid once, through any of its dates, for any origin of the booking.
func TestTakeForACourse(t *testing.T) {
	s := desk(t)
	course, _ := s.course(t, 3, 6000, 5)
	ada, bo := s.Customer(t, "Ada"), s.Customer(t, "Bo")
	token := s.fillWith(t, ada, checkout.AddItemInput{CourseID: course.ID})
	s.hold(t, ada, token)
	got := s.atStudio(t, ada, token, 6000)
	last := got.Lines[0].Dates[2].BookingID
	if sold := s.takes(t, last); sold.Amount != 6000 {
		t.Errorf("by its last date: %+v", sold)
	}
	for _, d := range got.Lines[0].Dates {
		if m := s.money(t, s.bookingOf(t, ada, d.BookingID)); m.Due != 0 || m.PaidAtStudio != 6000 {
			t.Errorf("by one of its dates: %+v", m)
		}
	}
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: bo.Email}, OfferingID: course.ID})
	must(t, made, err)
	if m := s.money(t, made.Booking.Booking); m.Due != 6000 {
		t.Errorf("booked by the desk: %+v", m)
	}
	if sold := s.takes(t, made.Booking.ID); sold.Amount != 6000 {
		t.Errorf("booked by the desk: %+v", sold)
	}
	if m := s.money(t, made.Booking.Booking); m.Due != 0 || m.PaidAtStudio != 6000 {
		t.Errorf("booked by the desk, and paid: %+v", m)
	}
	s.check(t)
}

// A fee is paid at the desk like a price: it is no longer due, untaxed, and income of its booking's kind.
func TestTakeAFee(t *testing.T) {
	s := desk(t)
	ada := s.Customer(t, "Ada")
	b := s.byDesk(t, ada, s.class(t, 2200, 3))
	s.w.Clock.Set(b.StartsAt.Add(-time.Hour))
	_, err := s.Booking.CancelMine(t.Context(), mine(ada), b.ID)
	must(t, 0, err)
	fee := apptest.Value[uuid.UUID](t, s.w, "select id from fees")
	in := owed.PaymentInput{FeeIDs: []uuid.UUID{fee}, Tenders: owed.Pays(tender.Cash)}
	sold, err := s.Owed.RecordPayment(t.Context(), s.Owner, in)
	if must(t, sold, err); sold.Amount != 500 || sold.Lines[0].FeeID == nil || *sold.Lines[0].FeeID != fee {
		t.Errorf("paid: %+v", sold)
	}
	if m := s.money(t, b); m.FeesDue != 0 || m.Due != 0 || m.PaidAtStudio != 0 {
		t.Errorf("after the fee was paid: %+v", m)
	}
	if till, income := s.holds(t, ledger.Cash), s.holds(t, ledger.IncomeClass); till != 500 || income != -500 {
		t.Errorf("the till has %d, income is %d", till, income)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(sold.Payments[0].OrderID))
	if must(t, r, err); r.Lines[0].Fee != fees.LateCancel || r.DueAmount != 0 || r.Totals.TotalAmount != 500 {
		t.Errorf("receipt: %+v", r)
	}
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, in)
	refused(t, "a fee that is paid", err, fees.ErrNotDue)
	_, err = fees.New(s.w.DB).Waive(t.Context(), s.Owner, fees.WaiveInput{FeeID: fee, Version: 2, Reason: "kind"})
	refused(t, "waiving what is paid", err, fees.ErrNotDue)
	s.check(t)
}

func TestTakeRefuses(t *testing.T) {
	s := desk(t)
	ada, eve := s.Customer(t, "Ada"), s.Customer(t, "Eve")
	o := s.class(t, 2200, 5)
	one, two := s.byDesk(t, ada, o), s.byDesk(t, eve, o)
	take := func(sc tenancy.Scope, in owed.PaymentInput) error {
		if in.Tenders == nil {
			in.Tenders = owed.Pays(tender.Cash)
		}
		_, err := s.Owed.RecordPayment(t.Context(), sc, in)
		return err
	}
	refused(t, "two customers", take(s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{one.ID, two.ID}}), owed.ErrOneCustomer)
	for field, in := range map[string]owed.PaymentInput{
		"bookingIds":        {BookingIDs: []uuid.UUID{one.ID, one.ID}},
		"tenders":           {BookingIDs: []uuid.UUID{one.ID}, Tenders: []owed.Tender{}},
		"tenders[0].method": {BookingIDs: []uuid.UUID{one.ID}, Tenders: owed.Pays("card")},
		"tenders[1].method": {
			BookingIDs: []uuid.UUID{one.ID}, Tenders: []owed.Tender{{Method: tender.Cash, Amount: 1}, {Method: tender.Cash}},
		},
		"tenders[0].amount": {
			BookingIDs: []uuid.UUID{one.ID}, Tenders: []owed.Tender{{Method: tender.Cash}, {Method: tender.AccountCredit}},
		},
		"tenders[0].note": {
			BookingIDs: []uuid.UUID{one.ID}, Tenders: []owed.Tender{{Method: tender.Cash, Note: string(make([]rune, 501))}},
		},
	} {
		err := take(s.Owner, in)
		if f := fault.From(err); f == nil || f.Kind != fault.Validation || len(f.Fields) != 1 || f.Fields[0].Field != field {
			t.Errorf("%s: %+v", field, f)
		}
	}
	if err := take(s.Owner, owed.PaymentInput{}); !fault.IsKind(err, fault.Validation) {
		t.Errorf("nothing named: %v", err)
	}
	if err := take(s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{uuid.New()}}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown booking: %v", err)
	}
	if err := take(s.Owner, owed.PaymentInput{FeeIDs: []uuid.UUID{uuid.New()}}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("an unknown fee: %v", err)
	}
	if err := take(s.w.Studio(t).Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{one.ID}}); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("another business's: %v", err)
	}
	viewer := s.Holding(s.Location.ID, policy.PaymentView, policy.BookingManage)
	refused(t, "without the right", take(viewer, owed.PaymentInput{BookingIDs: []uuid.UUID{one.ID}}), policy.ErrMissingFeature)
	elsewhere := s.Holding(s.AddLocation(t, "Other").ID, policy.PaymentTake)
	refused(t, "at another place", take(elsewhere, owed.PaymentInput{BookingIDs: []uuid.UUID{one.ID}}), policy.ErrMissingFeature)
	_, err := s.Booking.CancelMine(t.Context(), mine(ada), one.ID)
	must(t, 0, err)
	refused(t, "what was cancelled", take(s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{one.ID}}), checkout.ErrNothingToPay)
	if n := apptest.Value[int](t, s.w, "select count(*) from orders"); n != 0 {
		t.Errorf("%d orders of what was refused", n)
	}
	s.check(t)
}

// Many desks at once take the money once.
func TestTakeRace(t *testing.T) {
	s := desk(t)
	b := s.byDesk(t, s.Customer(t, "Ada"), s.class(t, 2200, 3))
	const desks = 8
	errs := make(chan error, desks)
	for range desks {
		go func() {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b.ID}, Tenders: owed.Pays(tender.Cash)},
			)
			errs <- err
		}()
	}
	took := 0
	for range desks {
		switch err := <-errs; {
		case err == nil:
			took++
		case !errors.Is(err, checkout.ErrNothingToPay):
			t.Error(err)
		}
	}
	if took != 1 || s.holds(t, ledger.Cash) != 2200 {
		t.Errorf("%d took it, the till has %d", took, s.holds(t, ledger.Cash))
	}
	s.check(t)
}

// The refunds at the desk never exceed the payment, and do not make the price due again; a void does.
func TestRefundAndVoidAtTheDesk(t *testing.T) {
	s := desk(t)
	b := s.byDesk(t, s.Customer(t, "Ada"), s.class(t, 2200, 3))
	taking := s.takes(t, b.ID).Payments[0]
	within := func(fn func(tx *pg.Tx) error) error { return pg.Do(t.Context(), s.w.DB, s.Business.ID, fn) }
	back := func(amount int64) error {
		return within(func(tx *pg.Tx) error {
			_, err := s.Billing.RefundTx(t.Context(), tx, billing.RefundInput{
				PaymentID: taking.ID, Amount: amount, Note: "kind", By: s.Owner.Actor,
			})
			return err
		})
	}
	void := func() error {
		return within(func(tx *pg.Tx) error {
			r, err := s.Billing.RefundableTx(t.Context(), tx, taking.ID)
			if err != nil {
				return err
			}
			return s.Billing.VoidTx(t.Context(), tx, r, s.Owner.Actor, "wrong booking")
		})
	}
	must(t, 0, back(700))
	if m := s.money(t, b); m.Due != 0 || m.PaidAtStudio != 1500 || s.holds(t, ledger.Cash) != 1500 || s.holds(t, ledger.IncomeClass) != -1500 {
		t.Errorf("after 7.00 went back: %+v, the till has %d", m, s.holds(t, ledger.Cash))
	}
	refused(t, "more than is left", back(1501), processor.ErrRefundTooLarge)
	refused(t, "a mistake of which something went back", void(), billing.ErrNotVoidable)
	must(t, 0, back(1500))
	refused(t, "nothing is left", back(1), processor.ErrRefundTooLarge)

	again := s.byDesk(t, s.Customer(t, "Bo"), s.class(t, 1000, 3))
	taking = s.takes(t, again.ID).Payments[0]
	must(t, 0, void())
	if m := s.money(t, again); m.Due != 1000 || m.PaidAtStudio != 0 || s.holds(t, ledger.Cash) != 0 {
		t.Errorf("after the mistake: %+v, the till has %d", m, s.holds(t, ledger.Cash))
	}
	refused(t, "a mistake twice", void(), billing.ErrNotVoidable)
	refused(t, "back of a mistake", back(1), processor.ErrRefundTooLarge)
	if sold := s.takes(t, again.ID); sold.Amount != 1000 {
		t.Errorf("taken after the mistake: %+v", sold)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from orders"); n != 2 {
		t.Errorf("%d orders of two bookings", n)
	}
	s.check(t)
}
