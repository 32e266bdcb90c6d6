package plan_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/plan"
	"foyer/app/sales"
)

// joining adds a joining fee to a plan.
func joining(amount int64) func(*plan.CreateInput) {
	return func(in *plan.CreateInput) { in.Terms.JoiningAmount = amount }
}

// A joining fee is paid once with the first period, and is income of that day; the period is earned by its days, and
// the next one costs its price.
func TestJoiningFee(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(0, 6000, joining(2500)))
	expect(t, "first amount", p.FirstAmount(), 8500)
	s.joined(t, ada, p, apptest.CardGood)
	expect(t, "charges", s.charges(t), "8500 succeeded")
	expect(t, "periods", s.periods(t), "1 paid 6000, 2 coming 6000")
	expect(t, "books", s.books(t), "deferred.membership 8500")
	must(t, 0, s.Plans.EarnDue(t.Context()))
	expect(t, "books", s.books(t), "deferred.membership 6000, income.membership 2500")
	must(t, 0, s.Plans.EarnDue(t.Context()))
	expect(t, "again", s.books(t), "deferred.membership 6000, income.membership 2500")
	s.goes(t, 15)
	expect(t, "books", s.books(t), "deferred.membership 3000, income.membership 5500")
	s.goes(t, 16)
	expect(t, "charges", s.charges(t), "8500 succeeded, 6000 succeeded")
	s.check(t)
}

// The fee is taxed like the plan, on top or inside. A refund of what is not used leaves it, and a change of plan reckons
// with the price of the period alone.
func TestJoiningFeeTaxed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode                      business.TaxMode
		total, fee, period, after int64
	}{
		{business.TaxExclusive, 9350, 2500, 6000, 3300}, // 10 % of 8500 on top
		{business.TaxInclusive, 8500, 2273, 5454, 3000}, // 773 of 8500 inside
	} {
		s := open(t, func(p *apptest.StudioPlan) { p.Location.TaxMode = c.mode })
		rate := s.AddTaxRate(t, "Sales tax", 100_000).ID
		ada := s.Customer(t, "Ada")
		large := s.published(t, monthly(0, 9000, joining(5000), func(in *plan.CreateInput) { in.TaxRateID = &rate }))
		small := s.published(t, monthly(8, 6000, joining(2500), func(in *plan.CreateInput) {
			in.TaxRateID, in.ChangeIDs = &rate, []uuid.UUID{large.ID}
		}))
		m := s.joinedFor(t, ada, small, apptest.CardGood, c.total)
		s.w.Clock.Advance(time.Minute)
		must(t, 0, s.Plans.EarnDue(t.Context()))
		books := fmt.Sprintf("deferred.membership %d, income.membership %d", c.period, c.fee)
		expect(t, "books", s.books(t), books)
		change := plan.ChangeInput{CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: large.ID}
		_, x, err := plan.ChangingOf(t.Context(), s.w.DB.View(m.BusinessID), change, false)
		must(t, 0, err)
		expect(t, "a change on the first day", x.Amount, 3000)
		s.changed(t, ada, large)
		expect(t, "charges", s.charges(t), fmt.Sprintf("%d succeeded, %d succeeded", c.total, c.after))
		s.goes(t, 15)
		_, x, err = plan.ChangingOf(t.Context(), s.w.DB.View(m.BusinessID), plan.ChangeInput{
			CustomerID: m.CustomerID, MembershipID: m.ID, PlanID: small.ID,
		}, true)
		must(t, 0, err)
		expect(t, "a change back", x.Now, false)
		s.check(t)
	}
}

// A refund of all that is not used ends the membership and leaves the joining fee. At the desk it is sold with the fee.
func TestJoiningFeeRefunded(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	m := s.joined(t, ada, s.published(t, monthly(2, 6000, joining(2500))), apptest.CardGood)
	must(t, 0, s.Plans.EarnDue(t.Context()))
	payment := apptest.Value[uuid.UUID](t, s.w, "select id from payments")
	refund := func(amount int64) error {
		_, err := s.Services.Sales.Refund(t.Context(), s.Owner, sales.RefundInput{PaymentID: payment, Amount: &amount})
		s.jobs(t)
		return err
	}
	if err := refund(6001); err == nil {
		t.Error("the joining fee was refunded")
	}
	must(t, 0, refund(6000))
	expect(t, "state", s.mine(t, ada)[0].State, plan.Canceled)
	expect(t, "books", s.books(t), "deferred.membership 0, income.membership 2500")
	s.w.Clock.Advance(time.Minute)
	p := s.published(t, monthly(2, 6000, joining(2500), func(in *plan.CreateInput) {
		in.IntroPeriods, in.IntroAmount, in.BillingDay = 1, 3000, 1
	}))
	sold := s.sold(t, m.CustomerID, p) // 10 to 30 June: 21 of 30 days of the introductory price, and the fee
	expect(t, "first period", apptest.Value[int64](t, s.w, `select price_amount from cycles where membership_id = $1
		and number = 1`, sold.ID), 2100)
	expect(t, "paid", apptest.Value[int64](t, s.w, "select listed_amount from order_lines order by id desc limit 1"), 4600)
	must(t, 0, s.Plans.EarnDue(t.Context()))
	expect(t, "books", s.books(t), "deferred.membership 2100, income.membership 5000")
	s.check(t)
}
