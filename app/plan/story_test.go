package plan_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing/processor"
)

// A97. A pack is bought online and pays for a class, whose credit comes back when it is cancelled in time; another
// class takes place and is earned; the rest is earned when the pack ends.
func TestPack(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.bought(t, ada, s.published(t, pack(3, 5000)))
	expect(t, "name", m.Name, "3-class pack")
	expect(t, "balance", m.Grants[0].Balance, 3)
	s.jobs(t)
	expect(t, "books", s.books(t), "deferred.pack 5000")

	c := s.booked(t, ada, s.class(t, 2200))
	expect(t, "total", c.Totals.TotalAmount, 0)
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 2)
	got, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: c.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	expect(t, "plan of the cancellation", got.Done.Plan, "3-class pack")
	expect(t, "credits of the cancellation", got.Done.PlanCredits, 1)
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 3)

	s.booked(t, ada, s.class(t, 2200))
	expect(t, "changes", s.changes(t), "granted 3 for 0 leaves 3, used -1 for 1667 leaves 2, "+
		"returned 1 for 1667 leaves 3, used -1 for 1667 leaves 2")
	s.pass(t, 72*time.Hour)
	expect(t, "books", s.books(t), "deferred.pack 3333, income.pack 1667")
	s.pass(t, 92*24*time.Hour)
	expect(t, "books", s.books(t), "deferred.pack 0, income.pack 5000")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// A pass for any number of bookings pays for all of them, and is earned by the day.
func TestPass(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pass(9000)))
	for range 3 {
		expect(t, "total", s.booked(t, ada, s.class(t, 2200)).Totals.TotalAmount, 0)
	}
	s.jobs(t)
	s.pass(t, 10*24*time.Hour)
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 3000")
	s.pass(t, 30*24*time.Hour)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 9000")
	s.check(t)
}

// A late cancellation does not return the credit, as its mail says: it is earned.
func TestForfeited(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(2, 4000)))
	c := s.booked(t, ada, s.classIn(t, 2200, time.Hour))
	got, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: c.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	expect(t, "state", got.Done.State, booking.LateCancelled)
	expect(t, "plan", got.Done.Plan, "")
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 1)
	s.pass(t, time.Minute)
	expect(t, "books", s.books(t), "deferred.pack 2000, income.pack 2000")
	expect(t, "late", s.lost(ada), "1 of 2-class pack")
	c = s.booked(t, ada, s.class(t, 2200))
	_, err = s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: c.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "in time", s.lost(ada), "")
	s.check(t)
}

// lost is what the latest mail to a person says that a late cancellation lost.
func (s studio) lost(who tenancy.Scope) string {
	_, text, _ := strings.Cut(s.Mail.List(who.Email)[0].Text, " lost ")
	return text
}

// Two carts want the last credit: the second one has to pay.
func TestLastCredit(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(1, 2000)))
	first, second := s.Fill(t, s.class(t, 2200)), s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, first)
	s.hold(t, ada, second)
	_, err := s.Checkout.Confirm(t.Context(), ada, first)
	must(t, 0, err)
	_, err = s.Checkout.Confirm(t.Context(), ada, second)
	refused(t, "the second", err, checkout.ErrPaymentRequired)
	s.check(t)
}

// One seat is paid by a credit and another by card: the credit is reserved while the card is charged.
func TestBesideCard(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(1, 2000)))
	token := s.Fill(t, s.class(t, 2200), s.class(t, 2500))
	s.hold(t, ada, token)
	cart, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, 0, err)
	due := cart.Totals.DueNow()
	p, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: due})
	must(t, 0, err)
	other := s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, other)
	_, err = s.Checkout.Confirm(t.Context(), ada, other)
	refused(t, "a cart beside it", err, checkout.ErrPaymentRequired)
	s.PayCard(t, p.ClientSecret, apptest.CardGood)
	c, err := s.Checkout.Confirm(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "state", string(c.State), "fulfilled")
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 0)
	s.check(t)
}

// Whoever else has the link of a cart sees its prices, and not that a plan of the holder pays them.
func TestHiddenFromOthers(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, token)
	before, err := s.Checkout.Cart(t.Context(), s.Visitor(), token)
	must(t, 0, err)
	s.bought(t, ada, s.published(t, pack(3, 6000)))
	own, err := s.Checkout.Cart(t.Context(), ada, token)
	if must(t, 0, err); own.Totals.TotalAmount != 0 || own.Totals.PlanAmount != 2200 || own.Lines[0].Cover == nil {
		t.Errorf("the holder sees %+v", own.Totals)
	}
	for who, scope := range map[string]tenancy.Scope{"a visitor": s.Visitor(), "another customer": s.Customer(t, "Ben")} {
		cart, err := s.Checkout.Cart(t.Context(), scope, token)
		must(t, 0, err)
		if !reflect.DeepEqual(cart.Totals, before.Totals) ||
			!reflect.DeepEqual(cart.Lines[0].Priced, before.Lines[0].Priced) ||
			!reflect.DeepEqual(cart.AtStudio, before.AtStudio) || cart.HasPlans {
			t.Errorf("%s sees %+v, before the plan %+v", who, cart, before)
		}
	}
}

// The customer chooses the price instead of a plan, and another plan instead of the first.
func TestChoice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	five, ten := s.published(t, pack(5, 5000)), s.published(t, pack(10, 20000))
	s.bought(t, ada, five)
	s.w.Clock.Advance(time.Minute)
	s.bought(t, ada, ten)
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, token)
	cart, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "first choice", cart.Lines[0].Cover.Name, "5-class pack")
	options, err := s.Checkout.CompatiblePlans(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "options", len(options[0].Owned), 2)
	expect(t, "reason", options[0].Owned[1].Why, rules.Behind)
	expect(t, "for sale", len(options[0].ForSale), 2)
	item := cart.Lines[0].ItemID
	cart, err = s.Checkout.ChoosePlan(t.Context(), ada, token, item,
		checkout.PlanChoice{GrantID: options[0].Owned[1].GrantID})
	must(t, 0, err)
	expect(t, "chosen", cart.Lines[0].Cover.Name, "10-class pack")
	cart, err = s.Checkout.ChoosePlan(t.Context(), ada, token, item, checkout.PlanChoice{PaysPrice: true})
	must(t, 0, err)
	expect(t, "price", cart.Totals.Now() >= 2200 && cart.Lines[0].Cover == nil, true)
	_, err = s.Checkout.ChoosePlan(t.Context(), ada, token, item, checkout.PlanChoice{GrantID: uuid.New()})
	apptest.Refused(t, err, fault.NotFound)
	s.check(t)
}

// The desk sells a pack for cash and uses it at once for a booking.
func TestAtDesk(t *testing.T) {
	t.Parallel()
	s := open(t)
	o := s.class(t, 2200)
	b, customer := s.bookedAtDesk(t, o)
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, byPlan(b))
	refused(t, "without a plan", err, plan.ErrNotPaid)
	expect(t, "why", why(err), string(owed.WhyNoPlan))
	elsewhere := pack(1, 1000)
	elsewhere.Benefits[0].Kinds = []catalog.Kind{catalog.Rental}
	s.sold(t, customer, s.published(t, pack(10, 18000)))
	s.w.Clock.Advance(time.Minute)
	chosen := byPlan(b)
	chosen.Tenders[0].Source = s.sold(t, customer, s.published(t, elsewhere)).Grants[0].ID
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, chosen)
	expect(t, "why not the chosen one", why(err), string(rules.NotCovered))
	chosen.Tenders[0].Source = uuid.New()
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, chosen)
	expect(t, "why not an unknown one", why(err), string(owed.WhyNoPlan))
	got, err := s.Owed.RecordPayment(t.Context(), s.Owner, byPlan(b))
	must(t, 0, err)
	expect(t, "label", got.Tenders[0].Label, "10-class pack")
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, byPlan(b))
	refused(t, "twice", err, checkout.ErrNothingToPay)
	s.pass(t, 72*time.Hour)
	expect(t, "books", s.books(t), "deferred.pack 17200, income.pack 1800")
	s.check(t)
}

// why is the reason that a plan does not pay.
func why(err error) string {
	var f *fault.Error
	if !errors.As(err, &f) {
		return ""
	}
	text, _ := f.Details["why"].(string)
	return text
}

func byPlan(booking uuid.UUID) owed.PaymentInput {
	return owed.PaymentInput{BookingIDs: []uuid.UUID{booking}, Tenders: owed.Pays(owed.PlanCredit)}
}

// bookedAtDesk books a customer at the desk, and returns the booking and the customer.
func (s studio) bookedAtDesk(t testing.TB, o apptest.OccurrenceRow) (id, customer uuid.UUID) {
	t.Helper()
	got, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Name: "Ben", Email: "ben@example.com"}, OccurrenceID: o.ID,
	})
	must(t, 0, err)
	return got.Booking.ID, got.Booking.CustomerID
}

func refundOf(payment uuid.UUID, amount int64) sales.RefundInput {
	return sales.RefundInput{PaymentID: payment, Amount: &amount}
}

// A refund of the purchase is at most what is not used; one of all of that ends the pack.
func TestRefund(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(4, 8000)))
	s.booked(t, ada, s.class(t, 2200))
	s.pass(t, 72*time.Hour)
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
	_, err := s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, 6001))
	refused(t, "more than is unused", err, processor.ErrRefundTooLarge)
	_, err = s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, 6000))
	must(t, 0, err)
	s.jobs(t)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Canceled)
	expect(t, "books", s.books(t), "deferred.pack 0, income.pack 2000")
	s.check(t)
}

// A customer is reminded of a plan that ends, 14 and 3 days before, once each; not of one that is used up.
func TestReminders(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, ben := s.Customer(t, "Ada"), s.Customer(t, "Ben")
	in := pack(1, 2000)
	in.Validity = plan.Validity{Count: 30, Unit: rules.Day}
	p := s.published(t, in)
	m := s.bought(t, ada, p)
	s.bought(t, ben, p)
	s.booked(t, ben, s.class(t, 2200))
	want := map[int]int{14: 0, 15: 0, 16: 1, 17: 1, 26: 1, 27: 2, 29: 2}
	for day := 1; day < 30; day++ {
		s.w.Clock.Advance(24 * time.Hour)
		must(t, 0, s.Plans.RemindDue(t.Context()))
		s.jobs(t)
		if n, asked := want[day]; asked {
			expect(t, "mails after "+m.StartsOn.AddDays(day).String(), len(s.Mail.List(ada.Email)), n+1)
		}
	}
	expect(t, "text", s.Mail.List(ada.Email)[0].Text, "1-class pack "+m.LastDay().String()+" 1")
	for _, l := range s.Mail.List(ben.Email) {
		if l.Subject == "plan ends" {
			t.Error("a reminder of a pack that is used up")
		}
	}
}

// A booking returns its credit to a pack whose other credits were refunded: it is open again for that one. A pass stays
// ended, as it had no credits.
func TestReturnAfterRefund(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan  plan.CreateInput
		state plan.MembershipState
		books string
	}{
		"pack": {pack(4, 8000), plan.Active, "deferred.pack 0, income.pack 2000"},
		"pass": {pass(9000), plan.Canceled, "deferred.membership 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			ada := s.Customer(t, "Ada")
			s.bought(t, ada, s.published(t, c.plan))
			b := s.booked(t, ada, s.class(t, 2200)).Lines[0].BookingID
			payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
			unused := s.mine(t, ada)[0].Grants[0].UnusedAmount
			_, err := s.Services.Sales.Refund(t.Context(), s.Owner, refundOf(payment, unused))
			must(t, 0, err)
			s.jobs(t)
			expect(t, "after the refund", s.mine(t, ada)[0].State, plan.Canceled)
			must(t, 0, s.cancel(t, b))
			m := s.mine(t, ada)[0]
			expect(t, "after the cancellation", m.State, c.state)
			s.check(t)
			s.pass(t, (plan.ReopenDays+1)*24*time.Hour)
			expect(t, "books", s.books(t), c.books)
			s.check(t)
		})
	}
}

// An order that waits for a card changes the memberships that pay for its seats, so that a cart that was read before
// does not take their credits.
func TestReserved(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.bought(t, ada, s.published(t, pack(1, 2000)))
	token := s.Fill(t, s.class(t, 2200), s.class(t, 2500))
	s.hold(t, ada, token)
	cart, err := s.Checkout.Cart(t.Context(), ada, token)
	must(t, 0, err)
	const uses = "select uses from memberships"
	before := apptest.Value[int](t, s.w, uses)
	_, err = s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{QuotedAmount: cart.Totals.DueNow()})
	must(t, 0, err)
	expect(t, "changes", apptest.Value[int](t, s.w, uses), before+1)
}

// A last day is one of the location: a plan can end today there only if that is a later day already.
func TestLastDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.bought(t, ada, s.published(t, pack(1, 2000)))
	zone := apptest.Zone(t, m.Zone)
	for hour := range 24 {
		s.w.Clock.Advance(time.Hour)
		today := apptest.Day(s.w.Clock.Now().In(zone).Format(time.DateOnly))
		m = s.mine(t, ada)[0]
		in := plan.ExtendInput{CustomerID: m.CustomerID, MembershipID: m.ID, Version: m.Version, LastDay: today}
		_, err := s.Plans.Extend(t.Context(), s.Owner, in)
		if got := apptest.Wrong(err); got != "lastDay" {
			t.Errorf("today, after %d hours: %q", hour+1, got)
		}
		in.LastDay = today.AddDays(1)
		_, err = s.Plans.Extend(t.Context(), s.Owner, in)
		must(t, 0, err)
	}
}
