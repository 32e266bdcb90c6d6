package plan_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/apptest/walks"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// fee6 are at least three months, and $25 for an earlier end.
func fee6(in *plan.CreateInput) { in.MinPeriods, in.Renewal.Terms.EndAmount = 3, 2500 }

func (s studio) early(t testing.TB, m plan.Membership) plan.EarlyEnding {
	t.Helper()
	_, e, err := plan.EarlyEndingOf(t.Context(), s.w.DB.View(m.BusinessID), m.CustomerID, m.ID)
	return must(t, e, err)
}

func (s studio) endEarly(who tenancy.Scope, in plan.EndEarlyInput) error {
	_, err := s.Owed.EndMyPlanEarly(context.Background(), who.Principal, in)
	return err
}

// fees are the fees of early ends, as one text.
func (s studio) endFees(t testing.TB) string {
	t.Helper()
	return apptest.Value[string](t, s.w, `select coalesce(string_agg(state || ' ' || amount, ', ' order by created_at), '')
		from plan_fees`)
}

// Before the least number of months a customer ends a membership with the month that is paid, for a fee: the card is
// charged, and the membership ends once that has succeeded. The fee is income at once.
func TestEndEarly(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, fee6)), apptest.CardGood)
	e := s.early(t, m)
	expect(t, "fee", e.Amount, 2500)
	expect(t, "instead of", e.Saves, 12000)
	expect(t, "end", e.EndsOn.String(), "2026-07-10")
	expect(t, "without it", s.ending(t, m), plan.Ending{EndsOn: civil.NewDate(2026, 9, 10), Periods: 2, Amount: 12000})
	in := plan.EndEarlyInput{MembershipID: m.ID}
	other := int64(2400)
	for what, wrong := range map[string]plan.EndEarlyInput{
		"another fee": {Amount: &other}, "another end": {EndsOn: civil.NewDate(2026, 8, 10)},
		"another version": {Version: 99},
	} {
		wrong.MembershipID = m.ID
		refused(t, what, s.endEarly(ada, wrong), fault.ErrStale)
	}
	later := s.booked(t, ada, s.classIn(t, 2200, 35*24*time.Hour))
	refused(t, "with a booking after it", s.endEarly(ada, in), plan.ErrBooked)
	s.cancelled(t, later.Lines[0].BookingID)
	expect(t, "another person", fault.IsKind(s.endEarly(s.Customer(t, "Bob"), in), fault.NotFound), true)

	in.Amount, in.EndsOn, in.Version = &e.Amount, e.EndsOn, s.mine(t, ada)[0].Version
	must(t, 0, s.endEarly(ada, in))
	m = s.mine(t, ada)[0]
	expect(t, "waits", m.EarlyEnd != nil && m.EarlyEnd.Amount == 2500 && m.EndsOn == nil, true)
	token := s.Fill(t, s.classIn(t, 2200, 35*24*time.Hour))
	s.hold(t, ada, token)
	_, err := s.Checkout.Confirm(t.Context(), ada, token)
	refused(t, "a class after the end", err, checkout.ErrPaymentRequired)
	_, err = s.Plans.FreezeMine(t.Context(), ada.Principal, plan.FreezeInput{MembershipID: m.ID,
		StartsOn: civil.NewDate(2026, 6, 20)})
	expect(t, "a freeze meanwhile", err != nil, true)
	s.jobs(t)
	m = s.mine(t, ada)[0]
	expect(t, "last day", m.LastDay().String(), "2026-07-09")
	expect(t, "none comes", m.Next == nil && m.EarlyEnd == nil && m.CanceledAt != nil, true)
	expect(t, "charges", s.charges(t), "6000 succeeded, 2500 succeeded")
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 2500")
	expect(t, "mails", s.told(ada, "plan canceled"), true)
	refused(t, "again", s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}), plan.ErrCanceled)
	s.goes(t, 40)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "charges", s.charges(t), "6000 succeeded, 2500 succeeded")
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 8500")
	s.check(t)
}

// Half of what remains of six months that end by themselves.
func TestEndEarlyOfTerm(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.MinPeriods, in.Ends = 6, true
		in.Renewal.Terms.EndPPM = 500_000
	})), apptest.CardGood)
	expect(t, "five months remain", s.early(t, m).Amount, 15000)
	s.until(t, civil.NewDate(2026, 7, 12))
	expect(t, "four months remain", s.early(t, s.mine(t, ada)[0]).Amount, 12000)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	s.jobs(t)
	expect(t, "last day", s.mine(t, ada)[0].LastDay().String(), "2026-08-09")
	s.until(t, civil.NewDate(2026, 8, 12))
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// Without a fee in its terms, after the term, and while a month is due, a membership is not ended early.
func TestNoEarlyEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) { in.MinPeriods = 3 })),
		apptest.CardGood)
	refused(t, "without a fee", s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}), plan.ErrNoEarlyEnd)
	b := s.joined(t, bob, s.published(t, monthly(0, 6000, fee6)), cardDeclinesSaved)
	s.until(t, civil.NewDate(2026, 7, 11))
	refused(t, "while a month is due", s.endEarly(bob, plan.EndEarlyInput{MembershipID: b.ID}), plan.ErrPeriodDue)
	cy := s.Customer(t, "Cy")
	c := s.joined(t, cy, s.published(t, monthly(0, 6000, func(in *plan.CreateInput) {
		in.MinPeriods, in.Renewal.Terms.EndAmount = 1, 2500
	})), apptest.CardGood)
	refused(t, "after the term", s.endEarly(cy, plan.EndEarlyInput{MembershipID: c.ID}), plan.ErrNoEarlyEnd)
	s.bought(t, cy, s.published(t, pack(1, 1000)))
	for _, p := range s.mine(t, cy) {
		if p.Kind == plan.Pack {
			refused(t, "a pack", s.endEarly(cy, plan.EndEarlyInput{MembershipID: p.ID}), plan.ErrNotRenewing)
		}
	}
	s.check(t)
}

// A fee that the card does not pay waits for the link or the desk. One that is not paid before the month is over is
// given up, and the membership renews.
func TestEndEarlyUnpaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, fee6)), cardDeclinesSaved)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	s.jobs(t)
	m = s.mine(t, ada)[0]
	expect(t, "failed", m.EarlyEnd.Failed, "generic_decline")
	first := *m.EarlyEnd.OrderID
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID})) // again: another order takes its place
	m = s.mine(t, ada)[0]
	expect(t, "another order", *m.EarlyEnd.OrderID != first, true)
	expect(t, "fees", s.endFees(t), "void 2500, due 2500")
	s.jobs(t)

	// It is withdrawn, and asked for once more.
	m = s.resumed(t, ada, m)
	expect(t, "withdrawn", m.EarlyEnd == nil && m.Next != nil, true)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	m = s.mine(t, ada)[0]
	link := s.Orders.ReceiptToken(*m.EarlyEnd.OrderID)
	s.until(t, civil.NewDate(2026, 7, 11))
	m = s.mine(t, ada)[0]
	expect(t, "given up", m.EarlyEnd == nil && m.Next.Due, true)
	expect(t, "fees", s.endFees(t), "void 2500, void 2500, void 2500")
	_, err := s.Owed.Pay(t.Context(), s.Visitor(), link)
	refused(t, "its link", err, checkout.ErrNothingToPay)
	s.check(t)
}

// The desk takes the fee, or the customer pays it by the link.
func TestEndEarlyPaidOtherwise(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	p := s.published(t, monthly(0, 6000, fee6))
	m := s.joined(t, ada, p, cardDeclinesSaved)
	_, err := s.Owed.EndPlanEarly(t.Context(), s.Owner, plan.EndEarlyInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	s.jobs(t)
	m = s.mine(t, ada)[0]
	_, err = s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{PeriodID: m.EarlyEnd.ID,
		Tenders: owed.Pays(tender.Cash)})
	must(t, 0, err)
	expect(t, "at the desk", s.mine(t, ada)[0].LastDay().String(), "2026-07-09")
	s.jobs(t)
	expect(t, "mails", s.told(ada, "plan canceled"), true)

	b := s.joined(t, bob, p, cardDeclinesSaved)
	must(t, 0, s.endEarly(bob, plan.EndEarlyInput{MembershipID: b.ID}))
	s.jobs(t)
	token := s.Orders.ReceiptToken(*s.mine(t, bob)[0].EarlyEnd.OrderID)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), token)
	must(t, 0, err)
	expect(t, "amount", pay.Amount, 2500)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	must(t, 0, s.Owed.Paid(t.Context(), s.Visitor(), token))
	s.jobs(t)
	expect(t, "by the link", s.mine(t, bob)[0].LastDay().String(), "2026-07-09")
	expect(t, "memberships", apptest.Value[int](t, s.w, "select count(*)::int from memberships"), 2)
	s.check(t)
}

// A period that is paid at the desk ahead of its time takes the place of an early end; a cancellation does too.
func TestEndEarlyGivenUp(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, fee6)), cardDeclinesSaved)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	s.jobs(t)
	_, err := s.Owed.RecordPayment(t.Context(), s.Owner, owed.PaymentInput{PeriodID: m.Next.ID,
		Tenders: owed.Pays(tender.Cash)})
	must(t, 0, err)
	m = s.mine(t, ada)[0]
	expect(t, "given up", m.EarlyEnd == nil && m.Next.StartsOn == civil.NewDate(2026, 8, 10), true)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	s.jobs(t)
	m = s.canceled(t, ada, m)
	expect(t, "canceled", m.EarlyEnd == nil && *m.EndsOn == civil.NewDate(2026, 9, 10), true)
	expect(t, "fees", s.endFees(t), "void 2500, void 2500")
	expect(t, "open orders", apptest.Value[int](t, s.w, "select count(*)::int from orders where state = 'open'"), 0)
	s.check(t)
}

// A payment that comes after the month is over is refunded.
func TestEndEarlyPaidTooLate(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(0, 6000, fee6)), cardDeclinesSaved)
	must(t, 0, s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}))
	s.jobs(t)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*s.mine(t, ada)[0].EarlyEnd.OrderID))
	must(t, 0, err)
	s.w.Clock.Advance(31 * 24 * time.Hour)
	must(t, 0, s.Owed.RenewDue(t.Context())) // the cancellation of the payment waits in the outbox
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	expect(t, "refunded", s.Refunded(t), 2500)
	expect(t, "renews", s.mine(t, ada)[0].EndsOn == nil, true)
	s.check(t)
}

// Of early ends, cancellations, resumptions and charges at once each is done or refused; at most one fee is paid, and
// the books are right.
func TestRaceOfEarlyEnds(t *testing.T) {
	t.Parallel()
	for range walks.Steps(2, 20) {
		s := open(t)
		ada := s.Customer(t, "Ada")
		m := s.joined(t, ada, s.published(t, monthly(2, 6000, fee6)), apptest.CardGood)
		end := func() error { return s.endEarly(ada, plan.EndEarlyInput{MembershipID: m.ID}) }
		apptest.AtOnce(t, []*fault.Error{
			plan.ErrCanceled, plan.ErrNotCanceled, checkout.ErrPaymentPending,
		}, end, end,
			func() error {
				_, err := s.Owed.EndPlanEarly(t.Context(), s.Owner,
					plan.EndEarlyInput{CustomerID: m.CustomerID, MembershipID: m.ID})
				return err
			},
			func() error {
				_, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
				return err
			},
			func() error {
				_, err := s.Owed.ResumeMyPlan(t.Context(), ada.Principal, plan.ResumeInput{MembershipID: m.ID})
				return err
			},
		)
		s.jobs(t)
		n := apptest.Value[int](t, s.w, "select count(*)::int from payments where status = 'succeeded' and amount = 2500")
		paid := apptest.Value[int](t, s.w, "select count(*)::int from plan_fees where state = 'paid'")
		if n != paid || paid > 1 {
			t.Errorf("%d payments of %d fees", n, paid)
		}
		s.check(t)
	}
}

// cancelled cancels a booking by the studio.
func (s studio) cancelled(t testing.TB, id uuid.UUID) {
	t.Helper()
	_, err := s.Booking.Cancel(t.Context(), s.Owner, booking.CancelInput{BookingID: id, By: booking.ByCustomer})
	must(t, 0, err)
}

// told reports whether a mail with a subject was sent to a customer.
func (s studio) told(who tenancy.Scope, subject string) bool {
	return slices.Contains(s.mails(who), subject)
}
