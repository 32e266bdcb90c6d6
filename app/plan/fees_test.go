package plan_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/checkout"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/sales"
	"foyer/billing/tender"
)

// late sets a fee for late payments.
func late(amount int64, days int) func(*plan.CreateInput) {
	return func(in *plan.CreateInput) { in.Terms.LateAmount, in.Terms.LateDays = amount, days }
}

// fees are the fees of memberships, as one text.
func (s studio) fees(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w, `select kind || ' ' || amount || ' ' || state || ' from ' || starts_on
		from plan_fees order by starts_on, id`), ", ")
}

// lines are the lines of the latest order, as one text.
func (s studio) lines(t testing.TB) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w, `select label || ' ' || listed_amount || ' and ' || tax_amount
		from order_lines where order_id = (select id from orders order by created_at desc, id desc limit 1)
		order by position`), ", ")
}

// cents renders an amount.
func cents(n int64) string { return strconv.FormatInt(n, 10) }

// renewsAtOnce runs the sweep of renewals by four workers at once.
func (s studio) renewsAtOnce(t testing.TB) {
	t.Helper()
	run := func() error { return s.Owed.RenewDue(t.Context()) }
	expect(t, "sweeps", apptest.AtOnce(t, nil, run, run, run, run), 4)
	s.jobs(t)
}

// Studio 9 of the terms: a freeze of up to three months costs a fee for each month that begins in it. It is said
// before, part of what is confirmed, taxed like the plan, and paid with the next period as a line of its own.
func TestFreezeFee(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode           business.TaxMode
		first, charge  int64
		lines          string
		earned, period int64
	}{
		{business.TaxExclusive, 6600, 7700, "Monthly 6000 and 600, Monthly: fee for a freeze 500 and 50, " +
			"Monthly: fee for a freeze 500 and 50", 1000, 6000},
		{business.TaxInclusive, 6000, 7000, "Monthly 6000 and 545, Monthly: fee for a freeze 500 and 46, " +
			"Monthly: fee for a freeze 500 and 45", 909, 5455},
	} {
		s := open(t, func(p *apptest.StudioPlan) { p.Location.TaxMode = c.mode })
		rate := s.AddTaxRate(t, "Sales tax", 100_000).ID
		ada := s.Customer(t, "Ada")
		m := s.joinedFor(t, ada, s.published(t, monthly(8, 6000, func(in *plan.CreateInput) { in.TaxRateID = &rate },
			freezable(rules.Freeze{MaxDays: 92, FeeAmount: 500, FeeMonthly: true}))), apptest.CardGood, c.first)
		in := plan.FreezeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 20), EndsOn: new(day(8, 5)),
		}
		_, f, err := plan.FreezingOf(t.Context(), s.w.DB.View(m.BusinessID), in, false)
		must(t, 0, err)
		expect(t, "the fee", f.Fee, 1000) // from 20 June and from 20 July
		shown := int64(500)
		in.Fee = &shown
		_, err = s.Plans.FreezeMine(t.Context(), ada.Principal, in)
		refused(t, "another fee than was shown", err, fault.ErrStale)
		in.Fee = &f.Fee
		m, err = s.Plans.FreezeMine(t.Context(), ada.Principal, in)
		must(t, 0, err)
		expect(t, "fees", s.fees(t), "freeze 500 open from 2026-06-20, freeze 500 open from 2026-07-20")
		expect(t, "with the next payment", m.Next.StartsOn.String()+" "+cents(m.Next.Total()), "2026-08-25 7000")
		s.goes(t, 76) // 25 August
		expect(t, "charges", s.charges(t), cents(c.first)+" succeeded, "+cents(c.charge)+" succeeded")
		expect(t, "lines", s.lines(t), c.lines)
		expect(t, "fees", s.fees(t), "freeze 500 paid from 2026-06-20, freeze 500 paid from 2026-07-20")
		expect(t, "books", s.books(t),
			"deferred.membership "+cents(c.period)+", income.membership "+cents(c.period+c.earned))
		expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
		expect(t, "open", len(s.mine(t, ada)[0].Fees), 0)
		s.goes(t, 31)
		expect(t, "the next one", s.mine(t, ada)[0].Next.Total(), 6000)
		s.check(t)
	}
}

// A freeze that is canceled before it begins costs nothing; one that is ended early costs the months that have begun.
func TestFreezeFeeEndedEarly(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(8, 6000,
		freezable(rules.Freeze{FeeAmount: 1000, FeeMonthly: true}))), apptest.CardGood)
	unfreeze := func() {
		t.Helper()
		_, err := s.Plans.UnfreezeMine(t.Context(), ada.Principal, plan.UnfreezeInput{MembershipID: m.ID})
		must(t, 0, err)
	}
	_, err := s.froze(t, ada, m, day(6, 20), day(9, 20))
	must(t, 0, err)
	unfreeze()
	expect(t, "canceled", s.fees(t), "freeze 1000 void from 2026-06-20, freeze 1000 void from 2026-07-20, "+
		"freeze 1000 void from 2026-08-20")
	_, err = s.froze(t, ada, m, day(6, 20), day(9, 20))
	must(t, 0, err)
	s.goes(t, 45) // 25 July
	unfreeze()
	expect(t, "fees", len(s.mine(t, ada)[0].Fees), 2)
	s.goes(t, 20) // 14 August: the period ends 35 days later
	expect(t, "charges", s.charges(t), "6000 succeeded, 8000 succeeded")
	s.check(t)
}

// Studio 4 of the terms: a freeze costs a fee a month until it is ended. Each month adds one, once for any number of
// sweeps, and they are paid with the next period.
func TestFreezeFeeWithoutEnd(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(8, 6000,
		freezable(rules.Freeze{FeeAmount: 1000, FeeMonthly: true}))), apptest.CardGood)
	in := plan.FreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 11)}
	_, f, err := plan.FreezingOf(t.Context(), s.w.DB.View(m.BusinessID), in, false)
	must(t, 0, err)
	expect(t, "the fee of each month", f.Fee, 1000)
	expect(t, "monthly", f.FeeMonthly, true)
	_, err = s.froze(t, ada, m, day(6, 11), civil.Date{})
	must(t, 0, err)
	s.goes(t, 65) // 14 August
	s.renewsAtOnce(t)
	expect(t, "fees", s.fees(t), "freeze 1000 open from 2026-06-11, freeze 1000 open from 2026-07-11, "+
		"freeze 1000 open from 2026-08-11")
	expect(t, "charges", s.charges(t), "6000 succeeded")
	_, err = s.Owed.WaiveFee(t.Context(), s.Owner, m.CustomerID, m.ID, s.mine(t, ada)[0].Fees[1].ID)
	must(t, 0, err)
	s.renews(t)
	_, err = s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	s.goes(t, 30) // 29 days of the period were left
	expect(t, "charges", s.charges(t), "6000 succeeded, 8000 succeeded")
	s.check(t)
}

// The studio waives the fee of a freeze that it sets. One without an end then costs nothing either.
func TestFreezeFeeWaived(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(8, 6000,
		freezable(rules.Freeze{FeeAmount: 1000, FeeMonthly: true}))), apptest.CardGood)
	in := plan.FreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID, StartsOn: day(6, 11), WaiveFee: true}
	_, err := s.Plans.FreezeMine(t.Context(), ada.Principal, in)
	must(t, 0, err)
	expect(t, "not by the customer", s.fees(t), "freeze 1000 open from 2026-06-11")
	s.w.Clock.Advance(24 * time.Hour)
	_, err = s.Plans.Unfreeze(t.Context(), s.Owner, plan.UnfreezeInput{CustomerID: m.CustomerID, MembershipID: m.ID})
	must(t, 0, err)
	in.StartsOn = day(6, 20)
	_, err = s.Plans.Freeze(t.Context(), s.Owner, in)
	must(t, 0, err)
	s.goes(t, 60)
	expect(t, "fees", s.fees(t), "freeze 1000 void from 2026-06-11")
	s.check(t)
}

// Studio 3 of the terms: a payment that is ten days late costs a fee, once, for any number of workers. The link of the
// customer has the new amount, and a payment of the earlier one is not taken.
func TestLateFee(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(8, 6000, late(1000, 10))), cardDeclinesSaved)
	s.goes(t, 39) // 19 July
	before := *s.mine(t, ada)[0].Next.OrderID
	expect(t, "not yet", s.fees(t), "")
	mails := len(s.mails(ada))
	s.w.Clock.Advance(24 * time.Hour)
	s.renewsAtOnce(t)
	s.renews(t)
	s.renews(t)
	expect(t, "fees", s.fees(t), "late 1000 due from 2026-07-20")
	expect(t, "mails", len(s.mails(ada)), mails+1)
	m := s.mine(t, ada)[0]
	expect(t, "to be paid", m.Next.Total(), 7000)
	expect(t, "failed", m.Next.Failed, "generic_decline")
	_, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(before))
	refused(t, "the earlier link", err, checkout.ErrNothingToPay)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*m.Next.OrderID))
	must(t, 0, err)
	expect(t, "amount", pay.Amount, 7000)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	expect(t, "fees", s.fees(t), "late 1000 paid from 2026-07-20")
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 coming 6000")
	expect(t, "lines", s.lines(t), "Monthly 6000 and 0, Monthly: late payment fee 1000 and 0")

	// A refund of the fee takes no credits; one of the period ends the membership.
	order := apptest.Value[uuid.UUID](t, s.w, "select id from orders order by created_at desc limit 1")
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments where order_id = $1", order)
	line := apptest.Value[uuid.UUID](t, s.w, "select order_line_id from plan_fees")
	_, err = s.Services.Sales.Refund(t.Context(), s.Owner,
		sales.RefundInput{PaymentID: payment, Lines: []uuid.UUID{line}})
	must(t, 0, err)
	s.jobs(t)
	m = s.mine(t, ada)[0]
	expect(t, "state", m.State, plan.Active)
	expect(t, "balance", m.Grants[0].Balance, 8)
	expect(t, "refunded", s.Refunded(t), 1000)
	s.check(t)
}

// A late fee is waived: the customer pays the price by another link. At the desk both are paid at once. A membership
// that lapses owes neither.
func TestLateFeeWaived(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(8, 6000, late(1000, 2))), cardDeclinesSaved)
	s.goes(t, 33)
	m = s.mine(t, ada)[0]
	expect(t, "to be paid", m.Next.Total(), 7000)
	waive := func() error {
		_, err := s.Owed.WaiveFee(t.Context(), s.Owner, m.CustomerID, m.ID, m.Fees[0].ID)
		return err
	}
	must(t, 0, waive())
	refused(t, "a second time", waive(), plan.ErrFeeSettled)
	s.renews(t)
	m = s.mine(t, ada)[0]
	expect(t, "to be paid", m.Next.Total(), 6000)
	pay, err := s.Owed.Pay(t.Context(), s.Visitor(), s.Orders.ReceiptToken(*m.Next.OrderID))
	must(t, 0, err)
	expect(t, "amount", pay.Amount, 6000)
	s.PayCard(t, pay.ClientSecret, apptest.CardGood)
	s.jobs(t)
	expect(t, "fees", s.fees(t), "late 1000 void from 2026-07-12")

	s.goes(t, 32) // the link saves no card
	m = s.mine(t, ada)[0]
	expect(t, "to be paid", m.Next.Total(), 7000)
	got, err := s.Owed.RecordPayment(t.Context(), s.Owner,
		owed.PaymentInput{PeriodID: m.Next.ID, Tenders: owed.Pays(tender.Cash)})
	must(t, 0, err)
	expect(t, "at the desk", got.Amount, 7000)
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 paid 6000, 3 paid 6000, 4 coming 6000")
	s.goes(t, 50)
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	expect(t, "fees", s.fees(t), "late 1000 void from 2026-07-12, late 1000 paid from 2026-08-12, "+
		"late 1000 void from 2026-09-12")
	s.check(t)
}

// A membership that is canceled, and has no payment after that, owes no fee; a freeze of it costs none.
func TestFeeOfCanceled(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(8, 6000, freezable(rules.Freeze{FeeAmount: 1000}))), apptest.CardGood)
	_, err := s.froze(t, ada, m, day(6, 11), day(6, 14))
	must(t, 0, err)
	_, err = s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "fees", s.fees(t), "freeze 1000 void from 2026-06-11")
	_, err = s.froze(t, ada, m, day(6, 20), day(6, 24))
	must(t, 0, err)
	expect(t, "fees", s.fees(t), "freeze 1000 void from 2026-06-11")
	s.goes(t, 40)
	expect(t, "charges", s.charges(t), "6000 succeeded")
	expect(t, "state", s.mine(t, ada)[0].State, plan.Over)
	s.check(t)
}

// The data check of fees finds one whose order is gone, one that is not what its line has, and an open one of a
// membership that has ended.
func TestFeeChecks(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	s.joined(t, ada, s.published(t, monthly(8, 6000, late(1000, 2))), cardDeclinesSaved)
	s.goes(t, 33)
	expect(t, "fees", s.fees(t), "late 1000 due from 2026-07-12")
	s.check(t)
	s.w.Finds(t, s.Business.ID, "memberships plan_fees", []apptest.Tampering{
		{
			Check: "plan_fees", Record: "plan_fees", SQL: "update plan_fees set state = 'paid'",
			Expected: "a sale", Found: "open",
		},
		{
			Check: "plan_fees", Record: "plan_fees", SQL: "update plan_fees set amount = 900",
			Expected: "900 on its line", Found: "1000",
		},
		{
			Check: "plan_fees", Record: "plan_fees", SQL: "update memberships set state = 'ended'",
			Expected: "no open fee of a membership that is ended", Found: "due",
		},
	})
}
