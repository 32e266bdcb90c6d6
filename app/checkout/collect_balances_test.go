package checkout_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/owed"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// balanceEarly requires a deposit of 30 % whose balance is charged a day before.
func (s shop) balanceEarly(t testing.TB) {
	t.Helper()
	s.deposits(t, 30, func(r *catalog.Rules) { r.Deposit.BalanceMinutes = 24 * 60 })
}

// collectBalances runs the sweep, and its jobs.
func (s shop) collectBalances(t testing.TB) {
	t.Helper()
	if err := s.Owed.ChargeAll(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
}

// A day before the start, and not before that, the balance of the deposit is charged to the saved card: once for any
// number of runs of the sweep, with the platform's fee and no service fee. The customer is mailed. A day is 24 hours,
// also when the clocks change.
func TestBalanceIsChargedAutomatically(t *testing.T) {
	for name, start := range map[string]time.Time{
		"soon":             apptest.Start.Add(48 * time.Hour),
		"an hour is added": time.Date(2026, 10, 25, 9, 0, 0, 0, time.UTC),
		"an hour is lost":  time.Date(2027, 3, 28, 8, 0, 0, 0, time.UTC),
	} {
		t.Run(name, func(t *testing.T) {
			s, ada, _ := withSavedCard(t, apptest.CardGood)
			s.balanceEarly(t)
			rate := s.AddTaxRate(t, "Sales tax", 88750)
			price := int64(2200)
			o := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price, o.TaxRate = &price, &rate.ID }), start)
			b := s.withDeposit(t, ada, o).Lines[0].BookingID
			s.jobs(t)
			before := len(s.mails(ada))
			s.w.Clock.Set(start.Add(-24*time.Hour - time.Microsecond))
			if s.collectBalances(t); s.balances(t) != "" {
				t.Errorf("too early: %s", s.balances(t))
			}
			s.w.Clock.Set(start.Add(-24 * time.Hour))
			for range 3 {
				s.collectBalances(t)
				s.w.Clock.Advance(time.Minute)
			}
			if got := s.balances(t); got != "1676 fee 34 succeeded fulfilled" {
				t.Error(got)
			}
			if m := s.moneyOf(t, b); m.Due != 0 || m.Paid != 2395 {
				t.Errorf("%+v", m)
			}
			if got := s.mails(ada)[before:]; !slices.Equal(got, []string{"fee charged"}) {
				t.Errorf("mails %q", got)
			}
			s.check(t)
		})
	}
}

// An amount that is not due is not charged, nor anything that has begun, nor a customer who disputes a payment or is
// being charged by a staff member; and if there is no card, or it is declined, the customer is mailed the way to pay,
// once.
func TestBalanceIsNotChargedAutomatically(t *testing.T) {
	for name, c := range map[string]struct {
		card string
		do   func(s shop, who tenancy.Scope, o apptest.OccurrenceRow, b uuid.UUID)
		due  int64
		mail []string
	}{
		"paid at the desk": {apptest.CardGood, func(s shop, _ tenancy.Scope, _ apptest.OccurrenceRow, b uuid.UUID) {
			_, err := s.Owed.RecordPayment(
				t.Context(), s.Owner, owed.PaymentInput{BookingIDs: []uuid.UUID{b}, Tenders: owed.Pays(tender.Cash)},
			)
			must(t, 0, err)
		}, 0, nil},
		"cancelled": {apptest.CardGood, func(s shop, ada tenancy.Scope, _ apptest.OccurrenceRow, b uuid.UUID) {
			_, err := s.Booking.CancelMine(t.Context(), mine(ada), b)
			must(t, 0, err)
		}, 0, nil},
		"it has begun": {apptest.CardGood, func(s shop, _ tenancy.Scope, o apptest.OccurrenceRow, _ uuid.UUID) {
			s.w.Clock.Set(o.StartsAt)
		}, 1676, nil},
		"a dispute": {"4000000000000259", func(s shop, _ tenancy.Scope, _ apptest.OccurrenceRow, _ uuid.UUID) {}, 1676, nil},
		"no card": {apptest.CardGood, func(s shop, ada tenancy.Scope, _ apptest.OccurrenceRow, _ uuid.UUID) {
			must(t, 0, s.Checkout.RemoveMyCard(t.Context(), ada.Principal, apptest.Value[uuid.UUID](t, s.w, "select id from saved_cards")))
		}, 1676, []string{"rest asked for"}},
		"a card that is declined": {cardDeclinesSaved, func(shop, tenancy.Scope, apptest.OccurrenceRow, uuid.UUID) {},
			1676, []string{"fee not charged"}},
	} {
		t.Run(name, func(t *testing.T) {
			s, ada, _ := withSavedCard(t, c.card)
			s.balanceEarly(t)
			o, _ := s.taxed(t)
			got := s.withDeposit(t, ada, o)
			s.jobs(t)
			before := len(s.mails(ada))
			c.do(s, ada, o, got.Lines[0].BookingID)
			if s.w.Clock.Now().Before(o.StartsAt.Add(-time.Hour)) {
				s.w.Clock.Set(o.StartsAt.Add(-time.Hour))
			}
			s.jobs(t)
			mails := func() []string {
				return slices.DeleteFunc(s.mails(ada)[before:], func(m string) bool { return m != "rest asked for" && m != "fee charged" && m != "fee not charged" })
			}
			for range 2 {
				s.collectBalances(t)
			}
			if m := s.moneyOf(t, got.Lines[0].BookingID); m.Due != c.due || !slices.Equal(mails(), c.mail) {
				t.Errorf("%+v, mails %q", m, mails())
			}
			if len(c.mail) == 0 && s.balances(t) != "" {
				t.Error(s.balances(t))
			}
			s.check(t)
		})
	}
}

// Who has no card kept pays on the page that the mail leads to.
func TestBalanceIsRequested(t *testing.T) {
	s := open(t)
	s.balanceEarly(t)
	ada := s.Customer(t, "Ada")
	o, _ := s.taxed(t)
	b := s.withDeposit(t, ada, o).Lines[0].BookingID
	s.w.Clock.Set(o.StartsAt.Add(-time.Hour))
	s.collectBalances(t)
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders where cart_id is null")
	link := s.Orders.ReceiptToken(order)
	if got := s.payBalance(t, ada, b); got != link {
		t.Error("the page of the booking leads to another payment than the mail")
	}
	p, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
	if must(t, p, err); p.Amount != 1676 {
		t.Fatalf("%+v", p)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), link))
	if s.jobs(t); s.moneyOf(t, b).Due != 0 {
		t.Errorf("%+v", s.moneyOf(t, b))
	}
	s.check(t)
}

// While its customer pays, nothing is charged; when they have not, the next round does. The order that they had begun
// is the one that is charged.
func TestBalanceWhileItIsPaid(t *testing.T) {
	s, ada, _ := withSavedCard(t, apptest.CardGood)
	s.balanceEarly(t)
	o, _ := s.taxed(t)
	b := s.withDeposit(t, ada, o).Lines[0].BookingID
	link := s.payBalance(t, ada, b)
	s.w.Clock.Set(o.StartsAt.Add(-time.Hour))
	s.collectBalances(t)
	if got := s.balances(t); got != "1676 fee 34 succeeded fulfilled" {
		t.Error(got)
	}
	_, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
	refused(t, "its link", err, checkout.ErrNothingToPay)
	s.check(t)
}

// Bookings made together are charged together, and a course by its first date, once. A booking that was rescheduled
// to a later time has its turn then.
func TestBalanceOfSeveral(t *testing.T) {
	t.Run("friends", func(t *testing.T) {
		s, ada, _ := withSavedCard(t, apptest.CardGood)
		s.balanceEarly(t)
		a, b := s.class(t, 2000, 5), s.class(t, 1000, 5)
		s.withDeposit(t, ada, a, b)
		s.w.Clock.Set(a.StartsAt.Add(-time.Hour))
		s.collectBalances(t)
		if got := s.balances(t); got != "2100 fee 42 succeeded fulfilled" {
			t.Error(got)
		}
		s.check(t)
	})
	t.Run("a course", func(t *testing.T) {
		s, ada, _ := withSavedCard(t, apptest.CardGood)
		s.balanceEarly(t)
		course, dates := s.course(t, 3, 10000, 5)
		token := s.enrol(t, course)
		s.hold(t, ada, token)
		s.PayCard(t, s.pay(t, ada, token, s.mine(t, ada, token).Totals.DueNow()).ClientSecret, apptest.CardGood)
		s.confirm(t, ada, token)
		for _, d := range dates {
			s.w.Clock.Set(d.StartsAt.Add(-time.Hour))
			s.collectBalances(t)
		}
		if got := s.balances(t); got != "7000 fee 140 succeeded fulfilled" {
			t.Error(got)
		}
		s.check(t)
	})
	t.Run("moved", func(t *testing.T) {
		s, ada, _ := withSavedCard(t, apptest.CardGood)
		s.balanceEarly(t)
		yoga := s.AddOffering(t)
		o := s.AddOccurrence(t, yoga, s.w.Clock.Now().Add(72*time.Hour))
		b := s.withDeposit(t, ada, o).Lines[0].BookingID
		later := s.AddOccurrence(t, yoga, o.StartsAt.Add(72*time.Hour))
		_, err := s.Booking.RescheduleMine(t.Context(), mine(ada), b, booking.Target{OccurrenceID: later.ID})
		must(t, 0, err)
		s.w.Clock.Set(o.StartsAt.Add(-time.Hour))
		if s.collectBalances(t); s.balances(t) != "" {
			t.Errorf("by its old time: %s", s.balances(t))
		}
		s.w.Clock.Set(later.StartsAt.Add(-24 * time.Hour))
		if s.collectBalances(t); s.balances(t) != "1540 fee 31 succeeded fulfilled" {
			t.Error(s.balances(t))
		}
		s.check(t)
	})
}

// The sweep, killed at every call to the database; then everything comes again. One charge for each rest.
func TestBalanceSweepKilledAnywhere(t *testing.T) {
	s, ada, _ := withSavedCard(t, apptest.CardGood)
	s.balanceEarly(t)
	d, k := s.doomed(t)
	paid := 0
	for _, after := range []bool{false, true} {
		for n, spared := 1, false; !spared; n++ {
			o := s.class(t, 2200, 1)
			b := s.withDeposit(t, ada, o).Lines[0].BookingID
			s.w.Clock.Set(o.StartsAt.Add(-24 * time.Hour))
			ctx := k.arm(t.Context(), n, after)
			err := d.Owed.ChargeAll(ctx)
			if spared = k.spared(); spared && err != nil {
				t.Fatal(err)
			}
			for range 100 { // Postgres releases the locks of the dead process a moment later
				_ = s.Owed.ChargeAll(t.Context())
				if s.jobs(t); s.moneyOf(t, b).Due == 0 {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			if m := s.moneyOf(t, b); m.Due != 0 || m.Paid != 2200 {
				t.Errorf("killed at call %d (after: %v): %+v: %v", n, after, m, err)
			}
			paid++
		}
	}
	if n := apptest.Value[int](t, s.w, "select count(*) from payments p join orders o on o.id = p.order_id where o.cart_id is null and p.status = 'succeeded'"); n != paid {
		t.Errorf("%d payments for %d rests", n, paid)
	}
	s.check(t)
}

// Bookings without a charge leave the queue: those that have begun, were booked after that time, cost nothing, were
// paid in full, or whose policy has a charge time but no deposit. Of bookings made together the balance is charged
// for those that have not begun.
func TestBookingsWithoutABalance(t *testing.T) {
	s, ada, _ := withSavedCard(t, apptest.CardGood)
	s.balanceEarly(t)
	a, price := s.class(t, 2000, 5), int64(1000)
	b := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Price = &price }), a.StartsAt.Add(2*time.Hour))
	s.withDeposit(t, ada, a, b)
	s.withChoice(t, ada, s.class(t, 2200, 5), true, false)
	free := s.Fill(t, s.class(t, 0, 5))
	s.hold(t, ada, free)
	s.confirm(t, ada, free)
	// its time is over when it is booked
	soon := s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now().Add(24*time.Hour-time.Second))
	token := s.Fill(t, soon)
	s.hold(t, ada, token)
	if c := s.mine(t, ada, token); c.Deposit == nil || c.Deposit.BalanceDueAt != nil {
		t.Errorf("the cart says %+v", c.Deposit)
	}
	s.PayCard(t, s.pay(t, ada, token, s.mine(t, ada, token).Totals.DueNow()).ClientSecret, apptest.CardGood)
	s.confirm(t, ada, token)
	s.collectBalances(t)
	if got := s.balances(t); got != "" {
		t.Errorf("charged a moment after it was booked: %s", got)
	}
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio, r.Deposit.BalanceMinutes = true, 24*60 }))
	s.withDeposit(t, ada, s.class(t, 2200, 5)) // all of it
	s.w.Clock.Set(a.StartsAt.Add(time.Hour))
	s.collectBalances(t)
	if got := s.balances(t); got != "700 fee 14 succeeded fulfilled" {
		t.Error(got)
	}
	left, err := booking.BalancesDue(t.Context(), s.w.DB, 100)
	if must(t, left, err); len(left) != 0 {
		t.Errorf("%d bookings are looked at each minute", len(left))
	}
	s.check(t)
}
