package checkout_test

import (
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/identity"
	"foyer/app/order"
	"foyer/app/tenancy"
	"foyer/billing"
)

// desk is a shop whose rules let customers pay when they come, and whose customers bear the fee of a card.
func desk(t testing.TB) shop {
	t.Helper()
	s := open(t)
	s.feeMode(t, billing.ModeCustomer)
	s.SetPolicy(t, s.AddPolicy(t, func(r *catalog.Rules) { r.PayAtStudio, r.Cancel.LateFeeAmount = true, 500 }))
	return s
}

func (s shop) atStudio(t testing.TB, who tenancy.Scope, token string, quoted int64) checkout.Confirmed {
	t.Helper()
	c, err := s.Checkout.BookAtStudio(t.Context(), who, token, quoted)
	return must(t, c, err)
}

// A29. A customer who pays at the studio books at once: no processor is called, there is no platform fee and no
// service fee, and the amount due is on the cart, the receipt and the booking, and shown to the studio. A second call
// returns the same receipt.
func TestA29_PayAtStudio(t *testing.T) {
	s := desk(t)
	rate := s.AddTaxRate(t, "Sales tax", 88750)
	a, b := s.class(t, 2200, 3, func(o *apptest.OfferingRow) { o.TaxRate = &rate.ID }), s.class(t, 1000, 3)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, a, b)
	s.hold(t, ada, token)
	cart := s.cart(t, token)
	if cart.AtStudio == nil || cart.AtStudio.TotalAmount != 3395 || cart.AtStudio.ServiceFeeAmount != 0 || cart.Totals.ServiceFeeAmount == 0 || !cart.Card {
		t.Fatalf("the cart says %+v, by card %+v", cart.AtStudio, cart.Totals)
	}
	s.Call = func(r *http.Request) error {
		t.Errorf("the processor was asked: %s", r.URL)
		return nil
	}
	got := s.atStudio(t, ada, token, 3395)
	s.Call = nil
	if got.State != order.Fulfilled || got.DueAmount != 3395 || got.Totals.TotalAmount != 3395 || got.Totals.ServiceFeeAmount != 0 || got.Card != nil {
		t.Errorf("receipt: %+v", got.Receipt)
	}
	if again := s.atStudio(t, ada, token, 3395); again.Token != got.Token || again.DueAmount != 3395 {
		t.Errorf("again: %+v", again)
	}
	if c := s.confirm(t, ada, token); c.Token != got.Token {
		t.Errorf("Confirm gives another receipt: %+v", c)
	}
	if state, outcome := s.order(t); state != "fulfilled" || outcome != "" || s.taken(t, a) != 1 || s.taken(t, b) != 1 {
		t.Errorf("orders %s, payments %s, seats %d and %d", state, outcome, s.taken(t, a), s.taken(t, b))
	}
	first := s.bookingOf(t, ada, got.Lines[0].BookingID)
	if m := s.money(t, first); m.Due != 2395 || m.Paid != 0 || m.OrderTotal != 3395 {
		t.Errorf("the studio reads %+v", m)
	}
	of, err := order.CostBasesOf(t.Context(), s.w.DB.View(s.Business.ID), []booking.Booking{first})
	if stake := must(t, of, err)[first.ID]; stake.DueAmount != 2395 || stake.PriceAmount != 0 || got.CostBases()[0].DueAmount != 2395 {
		t.Errorf("at stake: %+v, by the receipt %+v", stake, got.CostBases())
	}
	s.jobs(t)
	if m := s.mails(ada); len(m) != 1 || m[0] != "booked" {
		t.Errorf("mails: %q", m)
	}
	s.check(t)
}

// A cancelled booking has no price due; late, only the fee of the rules is. The quoted cost is the cost.
func TestPayAtStudioCancelled(t *testing.T) {
	s := desk(t)
	a, b := s.class(t, 2200, 3), s.class(t, 1000, 3)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, a, b)
	s.hold(t, ada, token)
	got := s.atStudio(t, ada, token, 3200)
	one, two := got.Lines[0].BookingID, got.Lines[1].BookingID
	_, err := s.Booking.CancelMine(t.Context(), mine(ada), one)
	must(t, 0, err)
	if r := s.receipt(t, got.Receipt); r.DueAmount != 1000 || r.Totals.TotalAmount != 3200 || len(r.Refunds) != 0 {
		t.Errorf("after one was cancelled: %+v", r)
	}
	if m := s.money(t, s.bookingOf(t, ada, one)); m.Due != 0 || m.FeesDue != 0 {
		t.Errorf("cancelled in time: %+v", m)
	}
	late := s.bookingOf(t, ada, two)
	s.w.Clock.Set(late.StartsAt.Add(-time.Hour))
	costs := late.Costs(booking.CostBasis{DueAmount: 1000}, s.w.Clock.Now())
	done, err := s.Booking.CancelMine(t.Context(), mine(ada), two)
	must(t, 0, err)
	if len(costs) != 1 || costs[0].LostAmount != 0 || costs[0].FeeAmount != 500 || done.Done.FeeAmount != 500 || done.Done.ForfeitedAmount != 0 {
		t.Errorf("late: told %+v, and did %+v", costs, done.Done)
	}
	if m := s.money(t, s.bookingOf(t, ada, two)); m.Due != 0 || m.FeesDue != 500 {
		t.Errorf("cancelled late: %+v", m)
	}
	if r := s.receipt(t, got.Receipt); r.DueAmount != 0 {
		t.Errorf("nothing stands, and %d is due", r.DueAmount)
	}
	s.check(t)
}

// A course is one price: it is due once, through any of its dates.
func TestPayAtStudioForACourse(t *testing.T) {
	s := desk(t)
	course, _ := s.course(t, 3, 6000, 5)
	ada := s.Customer(t, "Ada")
	token := s.fillWith(t, ada, checkout.AddItemInput{CourseID: course.ID})
	s.hold(t, ada, token)
	got := s.atStudio(t, ada, token, 6000)
	if got.DueAmount != 6000 || len(got.Lines[0].Dates) != 3 {
		t.Errorf("receipt: %+v", got.Receipt)
	}
	for _, d := range got.Lines[0].Dates {
		if m := s.money(t, s.bookingOf(t, ada, d.BookingID)); m.Due != 6000 {
			t.Errorf("by one of its dates: %+v", m)
		}
	}
	s.check(t)
}

// With approval: a declined request has nothing due.
func TestPayAtStudioWithApproval(t *testing.T) {
	s := desk(t)
	o := s.class(t, 2200, 3)
	s.w.SQL(t, "update offerings set approval = true")
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	got := s.atStudio(t, ada, token, 2200)
	id := got.Lines[0].BookingID
	if got.Lines[0].State != booking.Requested || got.DueAmount != 2200 || s.taken(t, o) != 0 {
		t.Errorf("asked: %+v, %d seats", got.Receipt, s.taken(t, o))
	}
	if m := s.money(t, s.bookingOf(t, ada, id)); m.Due != 0 {
		t.Errorf("nothing is due to the studio before its word: %+v", m)
	}
	_, err := s.Booking.Decline(t.Context(), s.Owner, booking.DeclineInput{BookingID: id})
	must(t, 0, err)
	if r := s.receipt(t, got.Receipt); r.DueAmount != 0 {
		t.Errorf("declined, and %d is due", r.DueAmount)
	}
	s.check(t)
}

func TestPayAtStudioRefuses(t *testing.T) {
	s := desk(t)
	ada, eve := s.Customer(t, "Ada"), s.Customer(t, "Eve")
	o := s.class(t, 2200, 3)
	at := func(who tenancy.Scope, token string, quoted int64) error {
		_, err := s.Checkout.BookAtStudio(t.Context(), who, token, quoted)
		return err
	}
	token := s.Fill(t, o)
	refused(t, "before the hold", at(ada, token, 2200), booking.ErrHoldExpired)
	refused(t, "not signed in", at(s.Visitor(), token, 2200), identity.ErrSignIn)
	s.hold(t, ada, token)
	refused(t, "somebody else's", at(eve, token, 2200), checkout.ErrOther)
	refused(t, "the price by card", at(ada, token, s.cart(t, token).Totals.TotalAmount), checkout.ErrPriceChanged)
	refused(t, "nothing", at(ada, token, 0), checkout.ErrPriceChanged)
	refused(t, "less than nothing", at(ada, token, -2200), checkout.ErrPriceChanged)
	free := s.Fill(t, s.class(t, 0, 3))
	s.hold(t, eve, free)
	refused(t, "what costs nothing", at(eve, free, 0), checkout.ErrNothingToPay)

	strict := s.AddPolicy(t)
	other := s.AddOffering(t)
	s.w.SQL(t, "update offerings set policy_id = $1 where id = $2", strict, other.ID)
	mixed := s.Fill(t, o, s.AddOccurrence(t, other, s.w.Clock.Now().Add(72*time.Hour)))
	bo := s.Customer(t, "Bo")
	s.hold(t, bo, mixed)
	if c := s.cart(t, mixed); c.AtStudio != nil {
		t.Errorf("offered for what its rules refuse: %+v", c.AtStudio)
	}
	refused(t, "one line's rules", at(bo, mixed, 4400), checkout.ErrNotAtStudio)
	s.SetPolicy(t, strict)
	refused(t, "switched off meanwhile", at(ada, token, 2200), checkout.ErrNotAtStudio)
	if n := apptest.Value[int](t, s.w, "select count(*) from orders"); n != 0 {
		t.Errorf("%d orders of refused bookings", n)
	}
	s.w.Clock.Advance(11 * time.Minute)
	refused(t, "the hold is over", at(ada, token, 2200), booking.ErrHoldExpired)
	s.check(t)
}

// A card payment that began is given up; one that succeeds all the same is refunded, and the booking stands.
func TestPayAtStudioAfterACard(t *testing.T) {
	s := desk(t)
	o := s.class(t, 2200, 3)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, o)
	s.hold(t, ada, token)
	card := s.cart(t, token).Totals.TotalAmount
	p := s.pay(t, ada, token, card)
	if c := s.cart(t, token); c.AtStudio == nil || c.AtStudio.TotalAmount != 2200 || c.Totals.TotalAmount != card {
		t.Errorf("while it is being paid: %+v, at the studio %+v", c.Totals, c.AtStudio)
	}
	s.PayCard(t, p.ClientSecret, apptest.CardGood) // without a report
	got := s.atStudio(t, ada, token, 2200)
	s.jobs(t)
	if state, outcome := s.order(t); state != "void,fulfilled" || outcome != "refunded" || s.taken(t, o) != 1 {
		t.Errorf("orders %s, payments %s, %d seats", state, outcome, s.taken(t, o))
	}
	if r := s.receipt(t, got.Receipt); r.DueAmount != 2200 || r.Lines[0].State != booking.Confirmed {
		t.Errorf("receipt: %+v", r)
	}
	var about []string
	for _, m := range s.Mail.List(ada.Email) {
		about = append(about, m.Subject+" "+m.Text[strings.LastIndex(m.Text, " ")+1:])
	}
	slices.Sort(about)
	if want := []string{"booked " + got.Token, "refunded, and booked " + got.Token}; !slices.Equal(about, want) {
		t.Errorf("the mails are %q, not %q", about, want)
	}
	s.check(t)
}

// The card's money, the choice to pay at the studio and the end of the hold meet in any order: the seat is sold once,
// and paid for once, by card or not yet.
func TestPayAtStudioAgainstMoney(t *testing.T) {
	if !apptest.Guarded {
		return
	}
	s := desk(t)
	for range 20 {
		o := s.class(t, 2200, 1)
		ada := s.Customer(t, "Ada")
		token := s.Fill(t, o)
		s.hold(t, ada, token)
		p := s.pay(t, ada, token, s.cart(t, token).Totals.TotalAmount)
		var wg sync.WaitGroup
		wg.Go(func() { s.PayCard(t, p.ClientSecret, apptest.CardGood) })
		for range 3 {
			wg.Go(func() {
				if _, err := s.Checkout.BookAtStudio(t.Context(), ada, token, 2200); err != nil && !errors.Is(err, checkout.ErrPaymentPending) &&
					!errors.Is(err, checkout.ErrOrdered) && !errors.Is(err, booking.ErrHoldExpired) {
					t.Error(err)
				}
			})
		}
		wg.Go(func() {
			if _, err := s.Checkout.Confirm(t.Context(), ada, token); err != nil && !errors.Is(err, checkout.ErrPaymentRequired) &&
				!errors.Is(err, checkout.ErrPaymentPending) {
				t.Error(err)
			}
		})
		wg.Wait()
		s.jobs(t)
		if s.taken(t, o) != 1 {
			t.Errorf("%d seats", s.taken(t, o))
		}
	}
	twice := apptest.Value[int](t, s.w, `select count(*) from orders o join payments p on p.order_id = o.id
		and p.outcome = 'fulfilled'
		where not exists (select from order_tenders t where t.order_id = o.id and t.kind = 'card')`)
	if sold := apptest.Value[int](t, s.w, "select count(*) from orders where state = 'fulfilled'"); sold != 20 || twice != 0 {
		t.Errorf("%d orders of 20 seats, %d paid twice", sold, twice)
	}
	s.check(t)
}

// A studio without an account sells items that its rules let people pay there, and shows no service fee, as no card
// pays it.
func TestPayAtStudioWithoutCards(t *testing.T) {
	s := desk(t)
	if err := s.Sim.Restrict(s.Account, "external_account"); err != nil {
		t.Fatal(err)
	}
	s.jobs(t)
	ada := s.Customer(t, "Ada")
	token := s.Fill(t, s.class(t, 2200, 3))
	cart := s.cart(t, token)
	if cart.Card || cart.Totals.TotalAmount != 2200 || cart.Totals.ServiceFeeAmount != 0 || cart.AtStudio.TotalAmount != 2200 {
		t.Errorf("cart: %+v", cart)
	}
	quoted := cart.Totals.TotalAmount
	_, err := s.Checkout.Hold(t.Context(), ada, token, checkout.HoldInput{QuotedAmount: &quoted})
	must(t, 0, err)
	if got := s.atStudio(t, ada, token, 2200); got.DueAmount != 2200 {
		t.Errorf("%+v", got.Receipt)
	}
	s.check(t)
}

func (s shop) bookingOf(t testing.TB, who tenancy.Scope, id uuid.UUID) booking.Booking {
	t.Helper()
	b, err := s.Booking.MyBooking(t.Context(), who.Principal, id)
	return must(t, b, err).Booking
}

func (s shop) money(t testing.TB, b booking.Booking) order.Money {
	t.Helper()
	m, err := s.Orders.MoneyOf(t.Context(), s.Business.ID, b)
	return must(t, m, err)
}
