package checkout_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/policy"
)

// bought is a cart of classes that was paid by card, and its bookings in the order of the lines.
func (s shop) bought(t testing.TB, who tenancy.Scope, o ...apptest.OccurrenceRow) (checkout.Confirmed, []uuid.UUID) {
	t.Helper()
	token := s.Fill(t, o...)
	s.hold(t, who, token)
	c, err := s.Checkout.Cart(t.Context(), who, token)
	must(t, c, err)
	p := s.pay(t, who, token, c.Totals.TotalAmount)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	got := s.confirm(t, who, token)
	var ids []uuid.UUID
	for _, l := range got.Lines {
		ids = append(ids, l.BookingID)
	}
	return got, ids
}

// refunds are the refunds, the first one first.
func (s shop) refunds(t testing.TB) []int64 {
	t.Helper()
	return apptest.Values[int64](t, s.w, "select amount from refunds order by created_at, id")
}

func mine(who tenancy.Scope) tenancy.Scope {
	return tenancy.Scope{Principal: who.Principal, Surface: tenancy.SurfaceAPI}
}

// In time the line is refunded, listed price and tax, to the unit; late nothing is; by the studio its part of the
// service fee is too.
func TestRefunds(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	class := func(price int64) apptest.OccurrenceRow {
		return s.class(t, price, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	}
	a, b, c := class(2200), class(3333), class(1)
	ada := s.Customer(t, "Ada")
	receipt, ids := s.bought(t, ada, a, b, c)
	total := receipt.Totals.TotalAmount
	fee := receipt.Totals.ServiceFeeAmount
	if fee == 0 {
		t.Fatal("there is no service fee to give back")
	}
	got, err := s.Booking.CancelMine(t.Context(), mine(ada), ids[0])
	first := receipt.Lines[0].ListedAmount + receipt.Lines[0].TaxAmount
	if err != nil || got.Done.RefundAmount != first || got.Done.ForfeitedAmount != 0 {
		t.Errorf("in time: %+v (%v), want %d", got, err, first)
	}
	studio, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: ids[1], By: booking.ByStudio})
	second := receipt.Lines[1].ListedAmount + receipt.Lines[1].TaxAmount
	if err != nil || studio.Done.RefundAmount <= second || studio.Done.RefundAmount > second+fee {
		t.Errorf("by the studio: %+v (%v), want more than %d", studio, err, second)
	}
	s.w.Clock.Advance(30 * time.Hour)
	late, err := s.Booking.CancelMine(t.Context(), mine(ada), ids[2])
	third := receipt.Lines[2].ListedAmount + receipt.Lines[2].TaxAmount
	if err != nil || !late.Done.Late || late.Done.RefundAmount != 0 || late.Done.ForfeitedAmount != third {
		t.Errorf("late: %+v (%v), want %d forfeited", late, err, third)
	}
	if back := s.refunds(t); !slices.Equal(back, []int64{first, studio.Done.RefundAmount}) || back[0]+back[1] > total {
		t.Errorf("refunds: %v of %d", back, total)
	}
	s.check(t)
}

// An order whose every booking is cancelled by the studio gives everything back, whatever the order of the
// cancelling, in both conventions of tax and all fee modes; never a unit more.
func TestStudioCancelRefundsAll(t *testing.T) {
	for _, mode := range []billing.Mode{billing.ModeAbsorb, billing.ModeSplit, billing.ModeCustomer} {
		for _, tax := range []string{"exclusive", "inclusive"} {
			t.Run(string(mode)+" "+tax, func(t *testing.T) {
				s := open(t)
				s.feeMode(t, mode)
				s.w.SQL(t, "update locations set tax_mode = $1", tax)
				rate := s.AddTaxRate(t, "Tax", 70000)
				class := func(price int64) apptest.OccurrenceRow {
					return s.class(t, price, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
				}
				receipt, ids := s.bought(t, s.Customer(t, "Ada"), class(999), class(1001), class(333))
				var back int64
				for _, id := range []uuid.UUID{ids[2], ids[0], ids[1]} {
					got, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: id, By: booking.ByStudio})
					if err != nil {
						t.Fatal(err)
					}
					back += got.Done.RefundAmount
				}
				if back != receipt.Totals.TotalAmount {
					t.Errorf("%d came back of %d", back, receipt.Totals.TotalAmount)
				}
				s.check(t)
				if got := s.Refunded(t); got != receipt.Totals.TotalAmount {
					t.Errorf("the processor gave %d back of %d", got, receipt.Totals.TotalAmount)
				}
			})
		}
	}
}

// Many at once: one refund for each payment, and never more than is left of it.
func TestBulkCancelRefundsOnce(t *testing.T) {
	s := open(t)
	a, b := s.class(t, 2200, 9), s.class(t, 2200, 9)
	_, one := s.bought(t, s.Customer(t, "Ada"), a, b)
	_, two := s.bought(t, s.Customer(t, "Bob"), a)
	payment := apptest.Value[uuid.UUID](t, s.w, "select p.id from payments p join bookings b on b.order_id = p.order_id where b.id = $1", one[0])
	_, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) (billing.RefundRequest, error) {
		return s.Billing.RefundTx(t.Context(), tx, billing.RefundInput{PaymentID: payment, Amount: 3000, Reason: "requested"})
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Booking.BulkCancel(t.Context(), s.Owner, append(one, two...), booking.CancelInput{By: booking.ByStudio})
	if err != nil || len(got.Rows) != 3 {
		t.Fatalf("%+v (%v)", got, err)
	}
	if got.Rows[0].Done.RefundAmount+got.Rows[1].Done.RefundAmount != 1400 || got.Rows[2].Done.RefundAmount != 2200 {
		t.Errorf("%+v %+v %+v", got.Rows[0].Done, got.Rows[1].Done, got.Rows[2].Done)
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from refunds where reason = 'cancelled'"); n != 2 {
		t.Errorf("%d refunds for two payments", n)
	}
	s.check(t)
}

// A request is paid for and keeps no seat; saying no gives all of it back, fee and all, and saying yes keeps the money.
func TestPaidRequests(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	o := s.class(t, 2200, 1)
	s.w.SQL(t, "update offerings set approval = true")
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	first, a := s.bought(t, ada, o)
	_, b := s.bought(t, bob, o)
	if first.Lines[0].State != booking.Requested || s.taken(t, o) != 0 {
		t.Fatalf("%+v, %d taken", first.Lines[0], s.taken(t, o))
	}
	if _, err := s.Booking.Approve(t.Context(), s.Owner, booking.ApproveInput{BookingID: b[0]}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Booking.Decline(t.Context(), s.Owner, booking.DeclineInput{BookingID: a[0]})
	if back := s.refunds(t); err != nil || !slices.Equal(back, []int64{first.Totals.TotalAmount}) {
		t.Errorf("%d back (%v), want %d", back, err, first.Totals.TotalAmount)
	}
	s.check(t)
	if s.taken(t, o) != 1 || !slices.Contains(s.mails(ada), "declined") || !slices.Contains(s.mails(bob), "approved") {
		t.Errorf("%d taken, mails %q %q", s.taken(t, o), s.mails(ada), s.mails(bob))
	}
}

// Money that comes when the hold is over makes a request too, where the studio has the last word.
func TestLateMoneyForRequest(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	s.w.SQL(t, "update offerings set approval = true")
	_, p := s.ready(t, s.Customer(t, "Ada"), o)
	s.w.Clock.Advance(booking.HoldLife)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.jobs(t)
	if got := apptest.Value[string](t, s.w, "select state from bookings"); got != "requested" || s.taken(t, o) != 0 {
		t.Errorf("the booking is %s, %d taken", got, s.taken(t, o))
	}
	s.check(t)
}

// A date with paid bookings that does not take place: all of the money is refunded, and the receipt shows it.
func TestStudioCancelsPaidDate(t *testing.T) {
	s := open(t)
	o, other := s.class(t, 2200, 9), s.class(t, 1000, 9)
	ada := s.Customer(t, "Ada")
	receipt, _ := s.bought(t, ada, o, other)
	s.bought(t, s.Customer(t, "Bob"), o)
	_, late := s.ready(t, s.Customer(t, "Cleo"), o) // pays when it is gone
	done, err := pg.InTx(t.Context(), s.w.DB, s.Business.ID, func(tx *pg.Tx) ([]schedule.CancelledBooking, error) {
		done, err := s.Booking.CancelBookedTx(t.Context(), tx, s.Owner, []uuid.UUID{o.ID}, because("flooding"))
		if err == nil {
			_, err = tx.Exec(t.Context(), "update occurrences set state = 'cancelled' where id = $1", o.ID)
		}
		return done, err
	})
	if err != nil || len(done) != 2 || done[0].RefundAmount != 2200 || done[1].RefundAmount != 2200 {
		t.Fatalf("%+v (%v)", done, err)
	}
	s.PayCard(t, late.ClientSecret, apptest.CardGood)
	s.jobs(t)
	s.check(t)
	if got := s.Refunded(t); got != 6600 {
		t.Errorf("%d went back, want all three", got)
	}
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), receipt.Token)
	if err != nil || r.Lines[0].State != booking.StudioCancelled || r.Lines[1].State != booking.Confirmed || len(r.Refunds) != 1 || r.Refunds[0].Amount != 2200 {
		t.Errorf("%+v (%v)", r, err)
	}
}

// The receipt carries the policy as it was when it was booked.
func TestReceiptKeepsThePolicy(t *testing.T) {
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 1500 }))
	receipt, _ := s.bought(t, s.Customer(t, "Ada"), s.class(t, 2200, 9))
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount = 9900 }))
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), receipt.Token)
	if err != nil || r.Lines[0].Rules.Cancel.LateFeeAmount != 1500 {
		t.Errorf("%+v (%v)", r.Lines, err)
	}
}

// The studio frees a hold: the seats are free at once, a payment that began is given up, and money that comes goes
// back.
func TestFreeHold(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 1)
	_, p := s.ready(t, s.Customer(t, "Ada"), o)
	hold := apptest.Value[uuid.UUID](t, s.w, "select id from holds")
	desk := s.Holding(s.Location.ID, policy.BookingManage)
	if err := s.Checkout.FreeHold(t.Context(), s.Holding(s.Location.ID, policy.BookingView), hold); !errors.Is(err, policy.ErrMissingFeature) {
		t.Errorf("without the feature: %v", err)
	}
	elsewhere := s.Holding(s.AddLocation(t, "Other").ID, policy.BookingManage)
	if err := s.Checkout.FreeHold(t.Context(), elsewhere, hold); !errors.Is(err, policy.ErrMissingFeature) || s.taken(t, o) != 1 {
		t.Errorf("with the feature at another location: %v", err)
	}
	for range 2 {
		if err := s.Checkout.FreeHold(t.Context(), desk, hold); err != nil {
			t.Fatal(err)
		}
	}
	if s.taken(t, o) != 0 {
		t.Error("the seat is not free")
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	s.check(t)
	if err := s.Checkout.FreeHold(t.Context(), desk, uuid.New()); err == nil {
		t.Error("an unknown hold is freed")
	}
}

// A cancellation, killed at every call to the database, before and after it, and repeated: one cancellation, one
// refund, one fee, one mail.
func TestCancelKilledAnywhere(t *testing.T) {
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.Cancel.LateFeeAmount, r.Cancel.FreeUntilMinutes = 1500, 0 }))
	d, k := s.doomed(t)
	for _, after := range []bool{false, true} {
		for _, key := range []byte{0, 1} {
			for n, spared := 1, false; !spared; n++ {
				o := s.class(t, 2200, 1)
				ada := s.Customer(t, "Ada")
				_, ids := s.bought(t, ada, o)
				s.w.Clock.Advance(30 * time.Hour) // late, and the price is refunded all the same
				cancel := func(ctx context.Context, s shop) error {
					if key != 0 {
						ctx = pg.WithClaim(ctx, pg.Claim{Key: sha256.Sum256(ids[0][:]), Request: [32]byte{'x'}})
					}
					_, err := s.Booking.CancelMine(ctx, mine(ada), ids[0])
					return err
				}
				err := cancel(k.arm(t.Context(), n, after), d)
				if spared = k.spared(); spared && err != nil {
					t.Fatalf("nobody was killed, and yet: %v", err)
				}
				if err := cancel(t.Context(), s); err != nil && (key != 0 || !errors.Is(err, booking.ErrState)) {
					t.Errorf("killed at call %d (after: %v, key: %v), then: %v", n, after, key, err)
				}
				s.jobs(t)
				got := apptest.Value[string](t, s.w, `select b.state || ' ' || (select taken from occurrences where id = b.occurrence_id) || ' '
					|| (select count(*) || ' ' || sum(r.amount) from refunds r join payments p on p.id = r.payment_id where p.order_id = b.order_id) || ' '
					|| (select count(*) from fees where booking_id = b.id) from bookings b where b.id = $1`, ids[0])
				if got != "late_cancelled 0 1 2200 1" {
					t.Errorf("killed at call %d (after: %v, key: %v): state, taken, refunds, fees: %s", n, after, key, got)
				}
				if m := s.mails(ada); !slices.Equal(m, []string{"cancelled"}) { // that it is booked was not so any more
					t.Errorf("killed at call %d: mails %q", n, m)
				}
			}
		}
	}
	s.check(t)
}

// A paid booking grows: the paid amount stays paid, the difference is to be paid at the studio, and cancelling
// refunds the card payment and no more.
func TestLargerPartyOfWhatWasPaid(t *testing.T) {
	s := open(t)
	o := s.class(t, 2200, 5)
	ada := s.Customer(t, "Ada")
	_, ids := s.bought(t, ada, o)
	three := 3
	in := booking.EditInput{BookingID: ids[0], Party: &three, Version: apptest.Value[int64](t, s.w, "select version from bookings")}
	_, err := s.Booking.Edit(t.Context(), s.Owner, in)
	refused(t, "more people", err, booking.ErrPriceDifference)
	in.Difference = booking.DifferenceLater
	b, err := s.Booking.Edit(t.Context(), s.Owner, in)
	m, err2 := s.Orders.MoneyOf(t.Context(), s.Business.ID, must(t, b, err).Booking)
	if must(t, m, err2).Paid != 2200 || m.Due != 4400 || s.taken(t, o) != 3 {
		t.Errorf("%+v, %d taken", m, s.taken(t, o))
	}
	done, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: ids[0], By: booking.ByStudio})
	if must(t, done, err).Done.RefundAmount != 2200 {
		t.Errorf("%+v", done.Done)
	}
	s.check(t)
}
