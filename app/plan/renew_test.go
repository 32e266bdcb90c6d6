package plan_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// cardDeclinesSaved is a card that pays once and is declined when it is charged later.
const cardDeclinesSaved = "4000000000000341"

// cardRefundFails is a card whose refunds fail some seconds after they have succeeded.
const cardRefundFails = "4000000000005126"

// monthly is a membership of some classes a month; 0: of any number.
func monthly(classes int, price int64, changes ...func(*plan.CreateInput)) plan.CreateInput {
	in := plan.CreateInput{
		Name: "Monthly", Kind: plan.Renewing, PriceAmount: price, SoldOnline: true,
		Validity: plan.Validity{Count: 1, Unit: rules.Month}, Benefits: []plan.Benefit{{}},
	}
	if classes > 0 {
		in.Benefits[0].Credits = &classes
	}
	for _, change := range changes {
		change(&in)
	}
	return in
}

const agreed = "Harbour Yoga charges my card each month until I cancel."

// joined has a customer join a membership online, with a card that is typed and so saved.
func (s studio) joined(t testing.TB, who tenancy.Scope, p plan.Plan, card string) plan.Membership {
	t.Helper()
	token := s.Fill(t)
	_, err := s.Checkout.AddNonSeat(t.Context(), s.Visitor(), token,
		order.CartItem{Kind: order.Plan, Subject: p.ID, Quantity: 1, Consent: agreed})
	must(t, 0, err)
	s.hold(t, who, token)
	pay, err := s.Checkout.Pay(t.Context(), who, token, checkout.PayInput{QuotedAmount: p.FirstAmount()})
	must(t, 0, err)
	s.PayCard(t, pay.ClientSecret, card)
	_, err = s.Checkout.Confirm(t.Context(), who, token)
	must(t, 0, err)
	s.jobs(t)
	return s.mine(t, who)[0]
}

// goes lets days go by, one after the other, with the sweeps of each.
func (s studio) goes(t testing.TB, days int) {
	t.Helper()
	for range days {
		s.pass(t, 24*time.Hour)
		s.renews(t)
	}
}

// renews runs the sweeps of memberships.
func (s studio) renews(t testing.TB) {
	t.Helper()
	must(t, 0, s.Owed.RenewDue(t.Context()))
	must(t, 0, s.Plans.ExpirePeriodsDue(t.Context()))
	s.jobs(t)
}

// periods are the billing periods, as one text.
func (s studio) periods(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w,
		`select number || ' ' || state || ' ' || price_amount from cycles order by membership_id, number`), ", ")
}

// charges are the payments by card, as one text.
func (s studio) charges(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w, `select p.amount || ' ' || p.status
		from payments p join orders o on o.id = p.order_id order by o.created_at, p.attempt`), ", ")
}

func (s studio) mails(who tenancy.Scope) (subjects []string) {
	for _, m := range s.Mail.List(who.Email) { // the latest first
		subjects = append(subjects, m.Subject)
	}
	slices.Reverse(subjects)
	return subjects
}

// A97. A membership is joined with a card that is saved for its renewals. A class of the next month can be booked now;
// each month the card is charged once, the classes of a month end with it, and each month is income of its own.
func TestMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	expect(t, "balance", m.Grants[0].Balance, 2)
	expect(t, "next", m.Next.StartsOn.String()+" to "+m.Next.EndsOn.String(), "2026-07-10 to 2026-08-10")
	expect(t, "agreed", m.ConsentedAt != nil, true)
	expect(t, "books", s.books(t), "deferred.membership 6000")
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 coming 6000")

	next := s.booked(t, ada, s.classIn(t, 2200, 32*24*time.Hour)) // in the coming month
	expect(t, "total", next.Totals.TotalAmount, 0)
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 2)
	s.goes(t, 31)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	m = s.mine(t, ada)[0]
	expect(t, "balance", m.Grants[0].Balance, 1)
	expect(t, "next", m.Next.StartsOn.String(), "2026-08-10")
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 6000")
	s.goes(t, 62)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded, 6000 succeeded, 6000 succeeded")
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 18000")
	s.check(t)
}

// A month with any number of classes is earned by its days.
func TestMembershipByTheDay(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(0, 6000)), apptest.CardGood)
	s.booked(t, ada, s.class(t, 2200))
	s.goes(t, 15)
	expect(t, "books", s.books(t), "deferred.membership 3000, income.membership 3000")
	s.goes(t, 16)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	s.goes(t, 1)
	expect(t, "balance", len(s.mine(t, ada)[0].Grants), 1)
	s.check(t)
}

// Without the customer's agreement a membership is not sold online; one that was sold at the desk renews by a link.
func TestWithoutAgreement(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(2, 6000))
	refused(t, "without it", s.put(t, s.Fill(t), p), plan.ErrConsent)
	s.bought(t, ada, s.published(t, pack(1, 1000))) // the customer has a record
	customer := s.mine(t, ada)[0].CustomerID
	s.w.Clock.Advance(time.Minute)
	s.sold(t, customer, p)
	s.goes(t, 31)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 due 6000")
	expect(t, "mails", s.mails(ada)[len(s.mails(ada))-1], "rest asked for")
	m := s.mine(t, ada)[0]
	expect(t, "due", m.Next.Due, true)
	token := s.Orders.ReceiptToken(*m.Next.OrderID)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), token)
	must(t, 0, err)
	expect(t, "amount", pay.Amount, 6000)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), token))
	s.jobs(t)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")

	// From then on the card that they save is charged, once they agree.
	_, err = s.Plans.Agree(t.Context(), ada.Principal, m.ID, "  ")
	expect(t, "no words", fault.IsKind(err, fault.Validation), true)
	_, err = s.Plans.Agree(t.Context(), s.Customer(t, "Bob").Principal, m.ID, agreed)
	expect(t, "another person", fault.IsKind(err, fault.NotFound), true)
	m, err = s.Plans.Agree(t.Context(), ada.Principal, m.ID, agreed)
	expect(t, "agreed", must(t, m, err).ConsentedAt != nil, true)
	s.check(t)
}

// A declined card is tried on four more days. Meanwhile the membership pays for three days, and then for nothing. With
// another card the month is paid at once.
func TestDeclinedRenewal(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(0, 6000))
	s.joined(t, ada, p, cardDeclinesSaved)
	s.goes(t, 30)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 due 6000")
	expect(t, "failed", s.mine(t, ada)[0].Next.Failed, "generic_decline")
	expect(t, "in the days of grace", s.booked(t, ada, s.class(t, 2200)).Totals.TotalAmount, 0)
	s.goes(t, 4)
	m := s.mine(t, ada)[0]
	expect(t, "past due", m.Next.PastDue, true)
	expect(t, "tries", m.Next.Tries, 3) // on the days 0, 1, 3
	token := s.Fill(t, s.class(t, 2200))
	s.hold(t, ada, token)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "a class", err, checkout.ErrPaymentRequired)
	options, err := s.Checkout.CompatiblePlans(t.Context(), ada, token)
	must(t, 0, err)
	expect(t, "plans", len(options[0].Owned), 1) // of its present period alone
	expect(t, "why", options[0].Owned[0].Why, rules.PastDue)

	// A payment of something else saves another card.
	s.w.Clock.Advance(time.Minute)
	pay, err := s.Checkout.Pay(t.Context(), ada, token, checkout.PayInput{
		QuotedAmount: 2200,
		How:          &checkout.How{Consent: &billing.Consent{Text: "Save my card.", Version: billing.ConsentVersion}},
	})
	must(t, 0, err)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	_, err = s.Checkout.Confirm(t.Context(), ada, token)
	must(t, 0, err)
	s.jobs(t)
	s.renews(t)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	expect(t, "next", s.mine(t, ada)[0].Next.StartsOn.String(), "2026-08-10") // the day stays
	s.check(t)
}

// A month that is not paid within fourteen days ends the membership: what waits for its payment is given up, and a
// payment that comes all the same is refunded.
func TestLapse(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 40)
	m := s.mine(t, ada)[0]
	expect(t, "tries", m.Next.Tries, 5)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*m.Next.OrderID))
	must(t, 0, err)
	s.goes(t, 5)
	m = s.mine(t, ada)[0]
	expect(t, "state", m.State, plan.Over)
	expect(t, "last day", m.LastDay().String(), "2026-07-23")
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 void 6000")
	expect(t, "mail", s.mails(ada)[len(s.mails(ada))-1], "plan unpaid")
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(apptest.Value[uuid.UUID](t, s.w,
		"select id from orders where cart_id is null")))
	refused(t, "its link", err, checkout.ErrNothingToPay)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 6000")
	_ = pay
	s.goes(t, 20)
	s.check(t)
}

// A cancellation is for the end of the month that is paid, with the notice and the least number of months of the plan;
// nothing is charged for later ones, and a booking after the end is not lost silently.
func TestCancelMembership(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	cancel := func(in owed.CancelInput) (plan.Membership, error) {
		in.MembershipID = m.ID
		return s.Owed.CancelMyPlan(t.Context(), ada.Principal, in)
	}
	later := s.booked(t, ada, s.classIn(t, 2200, 35*24*time.Hour))
	_, err := cancel(owed.CancelInput{})
	refused(t, "with a booking after it", err, plan.ErrBooked)
	_, err = s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: later.Lines[0].BookingID,
		By: booking.ByCustomer})
	must(t, 0, err)
	m = s.mine(t, ada)[0]
	_, err = cancel(owed.CancelInput{Version: m.Version + 1})
	refused(t, "of another version", err, fault.ErrStale)
	_, err = cancel(owed.CancelInput{EndsOn: civil.NewDate(2026, 9, 10)})
	refused(t, "with another end", err, fault.ErrStale)
	_, err = s.Owed.CancelMyPlan(t.Context(), s.Customer(t, "Bob").Principal, owed.CancelInput{MembershipID: m.ID})
	expect(t, "another person", fault.IsKind(err, fault.NotFound), true)
	m, err = cancel(owed.CancelInput{Version: m.Version, EndsOn: civil.NewDate(2026, 7, 10)})
	must(t, 0, err)
	expect(t, "last day", m.LastDay().String(), "2026-07-09")
	expect(t, "state", m.State, plan.Active)
	expect(t, "next", m.Next == nil, true)
	_, err = cancel(owed.CancelInput{})
	refused(t, "twice", err, plan.ErrCanceled)
	expect(t, "what is paid stays", s.booked(t, ada, s.class(t, 2200)).Totals.TotalAmount, 0)
	s.goes(t, 40)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 6000")
	s.check(t)
}

// The notice and the least number of months are kept; each month until then is charged.
func TestNotice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, func(in *plan.CreateInput) {
		in.MinPeriods, in.NoticeDays = 3, 10
	})), apptest.CardGood)
	_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(m.BusinessID), m.CustomerID, m.ID)
	must(t, 0, err)
	expect(t, "end", e, plan.Ending{EndsOn: civil.NewDate(2026, 9, 10), Periods: 2, Amount: 12000})
	s.goes(t, 55) // 4 August: the notice of ten days is before 10 September
	m, err = s.Owed.CancelPlan(t.Context(), s.Owner, owed.CancelInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "last day", m.LastDay().String(), "2026-09-09")
	s.goes(t, 60)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded, 6000 succeeded")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// Whoever cancels while a month is due owes nothing: it ends at once.
func TestCancelUnpaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 32)
	m, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "state", m.State, plan.Canceled)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 void 6000")
	s.goes(t, 30)
	s.check(t)
}

// The first months cost less; a plan that ends by itself has as many payments as its months.
func TestIntroAndEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000, func(in *plan.CreateInput) {
		in.IntroAmount, in.IntroPeriods, in.MinPeriods, in.Ends = 2000, 2, 3, true
	})), apptest.CardGood)
	_, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: s.mine(t, ada)[0].ID})
	refused(t, "cancel", err, plan.ErrCanceled)
	s.goes(t, 130)
	expect(t, "charges", s.charges(t), "2000 succeeded, 2000 succeeded, 6000 succeeded")
	expect(t, "periods", s.periods(t), "1 paid 2000, 2 paid 2000, 3 paid 6000")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 10000")
	s.check(t)
}

// A refund of the month that is paid ends the membership, also the month to come.
func TestRefundOfPeriod(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), apptest.CardGood)
	s.goes(t, 31)
	orders := apptest.Values[uuid.UUID](t, s.w, "select id from orders order by created_at")
	refund := func(id uuid.UUID, amount int64) error {
		payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments where order_id = $1", id)
		_, err := s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: payment, Amount: &amount})
		return err
	}
	if err := refund(orders[0], 1000); err == nil {
		t.Error("a month that is over was refunded")
	}
	must(t, 0, refund(orders[1], 1500))
	s.jobs(t)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Active)
	expect(t, "books", s.books(t), "deferred.membership 4500, income.membership 6000")
	must(t, 0, refund(orders[1], 4500))
	s.jobs(t)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Canceled)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 void 6000")
	s.goes(t, 40)
	expect(t, "charges", s.charges(t), "6000 succeeded, 6000 succeeded")
	_ = m
	s.check(t)
}

// A refund that fails restores the membership, with the month to come; a month that was due is due again, by the order
// that it had.
func TestRefundOfPeriodFails(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000)), cardRefundFails)
	fails := func() {
		t.Helper()
		payment := apptest.Value[string](t, s.w, "select intent from payments order by created_at limit 1")
		_, err := s.Sim.DashboardRefund(s.Account, payment, 2000)
		must(t, 0, err)
		s.jobs(t)
	}
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
	all := int64(6000)
	_, err := s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: payment, Amount: &all})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Canceled)
	s.goes(t, 1)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Active)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 coming 6000")
	expect(t, "balance", s.mine(t, ada)[0].Grants[0].Balance, 2)

	cards, err := s.Billing.Cards(t.Context(), s.Owner, m.CustomerID)
	must(t, 0, err)
	must(t, 0, s.Billing.RemoveCard(t.Context(), s.Owner, m.CustomerID, cards[0].ID))
	s.goes(t, 30)
	due := s.mine(t, ada)[0].Next
	expect(t, "due", due.Due, true)
	fails()
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 void 6000")
	s.goes(t, 1)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 due 6000")
	next := s.mine(t, ada)[0].Next
	expect(t, "order", *next.OrderID, *due.OrderID)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*next.OrderID))
	must(t, 0, err)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	expect(t, "memberships", len(s.mine(t, ada)), 1)
	s.check(t)
}

// A month that is due is paid at the desk, in cash or with the saved card, and the order of its link is given up.
func TestPaidAtDesk(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 31)
	m := s.mine(t, ada)[0]
	period := m.Next.ID
	pay := func(period uuid.UUID, m tender.Kind) (owed.Sale, error) {
		return s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{PeriodID: period, Tenders: owed.Pays(m)})
	}
	_, err := pay(uuid.New(), tender.Cash)
	expect(t, "unknown", fault.IsKind(err, fault.NotFound), true)
	sale, err := pay(period, tender.Cash)
	must(t, 0, err)
	expect(t, "amount", sale.Amount, 6000)
	expect(t, "customer", sale.CustomerID, m.CustomerID)
	_, err = pay(period, tender.Cash)
	refused(t, "twice", err, plan.ErrNoPeriod)
	_, err = s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*m.Next.OrderID))
	refused(t, "its link", err, checkout.ErrNothingToPay)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")

	// The next one ahead of its time, with the card: it declines, and stays due.
	m = s.mine(t, ada)[0]
	_, err = pay(m.Next.ID, owed.SavedCard)
	refused(t, "a card that pays no fees", err, processor.ErrCardConsent)
	s.jobs(t)
	s.check(t)
}

// Sweeps at once charge a month once; so does one that was killed between its order and the charge.
func TestRaceOfRenewals(t *testing.T) {
	s := open(t)
	p := s.published(t, monthly(2, 6000))
	var customers []tenancy.Scope
	for i := range 3 {
		who := s.Customer(t, []string{"Ada", "Bob", "Cy"}[i])
		s.joined(t, who, p, apptest.CardGood)
		customers = append(customers, who)
	}
	for round := range walks.Steps(2, 20) {
		s.pass(t, 30*24*time.Hour)
		s.w.Clock.Advance(2 * time.Hour)
		acts := make([]func() error, 4)
		for i := range acts {
			acts[i] = func() error {
				err := s.Owed.RenewDue(t.Context())
				if i%2 == 0 {
					err = errors.Join(err, s.Plans.ExpirePeriodsDue(t.Context()))
				}
				return err
			}
		}
		apptest.AtOnce(t, nil, acts...)
		s.jobs(t)
		s.renews(t)
		n := apptest.Value[int](t, s.w, "select count(*) from payments where status = 'succeeded'")
		paid := apptest.Value[int](t, s.w, "select count(*) from cycles where state = 'paid'")
		if n != paid || paid < (round+1)*len(customers) {
			t.Fatalf("%d payments of %d months", n, paid)
		}
	}
	s.check(t)
}

// A studio that is paused charges nobody, and nobody loses a membership by that: the month is charged when it is open
// again, and so it is if no worker ran for weeks.
func TestPausedStudio(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	_, err := s.Services.Business.Pause(t.Context(), s.Owner)
	must(t, 0, err)
	s.goes(t, 50)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Active)
	_, err = s.Services.Business.Resume(t.Context(), s.Owner)
	must(t, 0, err)
	for range 10 {
		s.renews(t) // tries are a day apart
	}
	expect(t, "tries", s.mine(t, ada)[0].Next.Tries, 1)
	s.goes(t, 4)
	expect(t, "tries", s.mine(t, ada)[0].Next.Tries, 5)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Active)
	s.goes(t, 10)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// A studio that takes no cards for a time charges nobody and mails nobody, and nobody loses a membership by that; the
// desk takes the payment meanwhile. Who agrees while a month is due is charged at once.
func TestNoCardsForATime(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(1, 1000, func(in *plan.CreateInput) { in.MinPeriods, in.Ends = 1, true })),
		apptest.CardGood) // which saves a card
	s.w.Clock.Advance(time.Minute)
	m := s.sold(t, s.mine(t, ada)[0].CustomerID, s.published(t, monthly(2, 6000)))
	must(t, 0, s.Sim.Restrict(s.Account, "external_account"))
	s.jobs(t)
	s.goes(t, 50)
	expect(t, "charges", s.charges(t), "1000 succeeded")
	expect(t, "tries", s.mine(t, ada)[0].Next.Tries, 0)
	expect(t, "mails", slices.Contains(s.mails(ada), "rest asked for"), false)
	must(t, 0, s.Sim.Activate(s.Account))
	s.jobs(t)
	s.renews(t)
	expect(t, "asked", slices.Contains(s.mails(ada), "rest asked for"), true)
	s.w.Clock.Advance(time.Minute)
	_, err := s.Plans.Agree(t.Context(), ada.Principal, m.ID, agreed)
	must(t, 0, err)
	s.renews(t)
	expect(t, "charges", s.charges(t), "1000 succeeded, 6000 succeeded")
	s.check(t)
}

// A payment that is on its way when the membership ends is refunded.
func TestPaidTooLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(2, 6000)), cardDeclinesSaved)
	s.goes(t, 43)
	m := s.mine(t, ada)[0]
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*m.Next.OrderID))
	must(t, 0, err)
	s.w.Clock.Advance(48 * time.Hour)
	must(t, 0, s.Owed.RenewDue(t.Context())) // the cancellation of the payment waits in the outbox
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	expect(t, "refunded", s.Refunded(t), 6000)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// The renewal of a year is announced three weeks before.
func TestAnnounced(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(0, 60000, func(in *plan.CreateInput) {
		in.Validity.Unit = rules.Year
	})), apptest.CardGood)
	announced := func() bool {
		must(t, 0, s.Plans.RemindRenewals(t.Context()))
		s.jobs(t)
		list := s.mails(ada)
		return list[len(list)-1] == "plan renews"
	}
	s.pass(t, 340*24*time.Hour)
	expect(t, "early", announced(), false)
	s.pass(t, 5*24*time.Hour)
	expect(t, "three weeks before", announced(), true)
	n := len(s.mails(ada))
	expect(t, "again", announced(), true)
	expect(t, "mails", len(s.mails(ada)), n)
	s.check(t)
}
