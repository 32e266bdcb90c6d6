package checkout_test

import (
	"slices"
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fees"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/app/order"
	"foyer/billing"
)

// TestCostBasis: the cart, the receipt and the bookings agree on the amount at stake, in one trip; the amounts of an
// order add up to the payment, and a late cancellation keeps each of them to the cent.
func TestCostBasis(t *testing.T) {
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	class := func(price int64) apptest.OccurrenceRow {
		return s.class(t, price, 9, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID })
	}
	a, b := class(2200), class(3333)
	ada := s.Customer(t, "Ada")
	cart := s.cart(t, s.Fill(t, a, b)).CostBases()
	receipt, ids := s.bought(t, ada, a, b)
	paid := receipt.CostBases()
	if paid[0].PriceAmount != 2395 || paid[0].FeeAmount == 0 || paid[0].PriceAmount+paid[0].FeeAmount+paid[1].PriceAmount+paid[1].FeeAmount != receipt.Totals.TotalAmount {
		t.Errorf("%+v of %d", paid, receipt.Totals.TotalAmount)
	}
	var list []booking.Booking
	for _, id := range ids {
		one, err := s.Booking.MyBooking(t.Context(), ada.Principal, id)
		list = append(list, must(t, one, err).Booking)
	}
	trips := s.w.Statements(func() {
		of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), list)
		for i, b := range list {
			if got := must(t, of, err)[b.ID]; !same(got, paid[i]) || !same(got, cart[i]) {
				t.Errorf("%+v, by the receipt %+v, by the cart %+v", got, paid[i], cart[i])
			}
		}
	})
	if trips != 1 {
		t.Errorf("%d trips", trips)
	}
	s.w.Clock.Set(list[0].StartsAt.Add(-time.Hour))
	done, err := s.Booking.CancelMine(t.Context(), mine(ada), ids[0])
	if got := must(t, done, err).Done; got.ForfeitedAmount != paid[0].PriceAmount || got.ServiceFeeAmount != paid[0].FeeAmount {
		t.Errorf("late: %+v, at stake were %+v", got, paid[0])
	}
}

func same(a, b booking.CostBasis) bool {
	return a.PriceAmount == b.PriceAmount && a.FeeAmount == b.FeeAmount &&
		slices.EqualFunc(a.WaivedAt, b.WaivedAt, time.Time.Equal)
}

// TestCostBasisOfACourse: each date of a course has all of it at stake; an unsold booking has nothing, and reads
// nothing.
func TestCostBasisOfACourse(t *testing.T) {
	s := open(t)
	course, _ := s.course(t, 3, 8000, 2)
	ada := s.Customer(t, "Ada")
	v := s.w.DB.View(s.Business.ID)
	for _, id := range s.buy(t, ada, course) {
		b, err := booking.CustomerBookingOf(t.Context(), v, id)
		of, err2 := order.CostBasesOf(t.Context(), v, []booking.Booking{must(t, b, err).Booking})
		if got := must(t, of, err2)[id]; got.PriceAmount != 8000 {
			t.Errorf("%s: %+v", b.StartsAt, got)
		}
	}
	if trips := s.w.Statements(func() {
		of, err := order.CostBasesOf(t.Context(), v, []booking.Booking{{Rules: catalog.StandardRules()}})
		if len(must(t, of, err)) != 0 {
			t.Errorf("%+v", of)
		}
	}); trips != 0 {
		t.Errorf("%d trips for nothing", trips)
	}
}

// TestCostBasisOfAWaivedFee: a waived fee counts for its customer at any later booking, and for no other customer, as
// long as it can count.
func TestCostBasisOfAWaivedFee(t *testing.T) {
	s := open(t)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) {
		r.Cancel.LateFeeAmount, r.Grace = 500, catalog.GraceRules{Days: 30, LateCancels: 1}
	}))
	first, second := s.class(t, 2200, 9), s.class(t, 2200, 9)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	_, ids := s.bought(t, ada, first)
	_, others := s.bought(t, bob, second)
	s.w.Clock.Set(first.StartsAt.Add(-2 * time.Hour))
	at := s.w.Clock.Now()
	done, err := s.Booking.CancelMine(t.Context(), mine(ada), ids[0])
	if must(t, done, err).Done.Fee != "grace_waived" {
		t.Fatalf("%+v", done.Done)
	}
	receipt, again := s.bought(t, ada, second)
	if read := s.receipt(t, receipt.Receipt); len(read.CostBases()[0].WaivedAt) != 1 ||
		!read.CostBases()[0].WaivedAt[0].Equal(at) {
		t.Errorf("the receipt tells %+v", read.CostBases())
	}
	v := s.w.DB.View(s.Business.ID)
	var list []booking.Booking
	for _, id := range append(again, others...) {
		b, err := booking.CustomerBookingOf(t.Context(), v, id)
		list = append(list, must(t, b, err).Booking)
	}
	of, err := order.CostBasesOf(t.Context(), v, list)
	if hers, his := must(t, of, err)[again[0]].WaivedAt, of[others[0]].WaivedAt; len(hers) != 1 || !hers[0].Equal(at) ||
		len(his) != 0 {
		t.Errorf("hers %v, his %v", hers, his)
	}
	mailed := s.stakeMailed(t, again[0])
	if mailed.PriceAmount != 2200 || len(mailed.WaivedAt) != 1 {
		t.Errorf("the mail tells %+v", mailed)
	}
	for _, c := range []struct {
		who  booking.CostBasis
		days int
	}{{booking.CostBasis{WaivedAt: []time.Time{at}}, 365}, {booking.CostBasis{}, 367}} {
		s.w.Clock.Set(at.AddDate(0, 0, c.days))
		got, err := fees.GraceUsedFor(t.Context(), s.w.DB.View(s.Business.ID), ada.Person())
		if !same(booking.CostBasis{WaivedAt: must(t, got, err)}, c.who) {
			t.Errorf("after %d days: %v", c.days, got)
		}
		if got, err := fees.GraceUsedFor(t.Context(), s.w.DB.View(s.Business.ID), bob.Person()); len(must(t, got, err)) != 0 {
			t.Errorf("his: %v", got)
		}
	}
}

// receipt reads the receipt of an order as its page does.
func (s shop) receipt(t testing.TB, of order.Receipt) order.Receipt {
	t.Helper()
	r, err := s.Orders.Receipt(t.Context(), s.Visitor(), s.Orders.ReceiptToken(of.OrderID))
	return must(t, r, err)
}

// stakeMailed returns the amount at stake in the mail about an approved booking.
func (s shop) stakeMailed(t testing.TB, id [16]byte) (stake booking.CostBasis) {
	t.Helper()
	o := apptest.NoticeOptions(s.w.DB, s.Mail)
	o.Write = func(n notice.Notice) mail.Message {
		stake = n.CostBasis
		return mail.Message{To: n.To, Subject: "approved", Text: "approved"}
	}
	job := booking.NoticeJob{Business: s.Business.ID, Booking: id, Notice: booking.ToldApproved}
	if err := notice.New(o).MailNotice(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return stake
}
