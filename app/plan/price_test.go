package plan_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/owed"
	"foyer/app/plan"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
	"foyer/policy"
)

// repriced sets a new price for the members of a plan, and mails them.
func (s studio) repriced(t testing.TB, p plan.Plan, amount int64, on civil.Date) plan.PriceChange {
	t.Helper()
	c, err := s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: p.ID, PriceAmount: amount, StartsOn: on})
	must(t, 0, err)
	s.jobs(t)
	return c
}

// noticed counts the mails about new prices to a person.
func (s studio) noticed(who tenancy.Scope) int {
	return strings.Count(strings.Join(s.mails(who), ", "), "plan price")
}

// next renders the next payment of a membership, and the price of the present period.
func next(m plan.Membership) string {
	return fmt.Sprintf("%d, %d on %s", m.PriceAmount, m.Next.Amount, m.Next.StartsOn)
}

// A new price is for the billing periods that begin on its day or later, of those who had the plan at another price
// when it was set. Each of them is mailed once, as long before as the law asks for. What is charged, shown and reported
// is the price of each period.
func TestNewPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob, cleo := s.Customer(t, "Ada"), s.Customer(t, "Bob"), s.Customer(t, "Cleo")
	p := s.published(t, monthly(2, 6000))
	s.joined(t, ada, p, apptest.CardGood) // 10 June
	in := plan.PriceInput{PlanID: p.ID, PriceAmount: 8000}
	_, q, err := s.Plans.QuotePrice(t.Context(), s.Owner, in)
	must(t, 0, err)
	expect(t, "quote", q, plan.PriceQuote{PriceAmount: 8000, StartsOn: day(7, 10), EarliestOn: day(7, 10), Members: 1,
		Raised: 1, LeastAmount: 6000, MostAmount: 6000})
	in.StartsOn = day(7, 9)
	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner, in)
	expect(t, "with less notice", apptest.Wrong(err), "startsOn")
	in.StartsOn, in.ForSales = day(7, 11), true
	_, err = s.Plans.SchedulePrice(t.Context(),
		s.Join(t, "desk@example.com", apptest.At(policy.Manager, s.Location.ID)), in)
	refused(t, "by a manager of a location", err, policy.ErrMissingFeature)
	c, err := s.Plans.SchedulePrice(t.Context(), s.Owner, in)
	must(t, 0, err)
	p, err = s.Plans.Get(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	expect(t, "price of sales", p.PriceAmount, int64(8000))
	s.joined(t, cleo, p, apptest.CardGood) // the job about the members runs after that
	s.joined(t, bob, s.published(t, monthly(2, 7000)), apptest.CardGood)
	again, err := s.Plans.SchedulePrice(t.Context(), s.Owner, in)
	must(t, 0, err)
	expect(t, "a second call", again.ID, c.ID)
	in.PriceAmount++
	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner, in)
	refused(t, "another price", err, plan.ErrPriceComing)
	s.jobs(t)
	for range 2 {
		must(t, 0, s.Plans.Reprice(t.Context(), plan.PriceJob{Business: s.Business.ID, Price: c.ID}))
		s.jobs(t)
	}
	expect(t, "mails", fmt.Sprint(s.noticed(ada), s.noticed(bob), s.noticed(cleo)), "1 0 0")
	expect(t, "before", next(s.mine(t, ada)[0]), "6000, 6000 on 2026-07-10")
	expect(t, "the mail is in the record", s.mine(t, ada)[0].Prices[0].NoticedAt != nil, true)
	s.goes(t, 31) // 11 July: its period has begun the day before
	m := s.mine(t, ada)[0]
	expect(t, "charges", s.chargesOf(t, m), "6000, 6000")
	expect(t, "after its day", next(m), "6000, 8000 on 2026-08-10")
	expect(t, "from", m.NewPriceOn(*m.NewPrice()), day(8, 10))
	list, err := s.Plans.Prices(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	expect(t, "list", fmt.Sprintf("%d %s %d", len(list), list[0].State, list[0].Members), "1 done 1")
	_, err = s.Plans.WithdrawPrice(t.Context(), s.Owner, p.ID)
	refused(t, "a withdrawal after its day", err, plan.ErrNoPrice)
	s.goes(t, 24)
	sums := s.renewals(t, s.Owner, uuid.Nil).Sums[0]
	expect(t, "the renewals in a week", sums.ComingAmount, int64(8000+8000+7000))
	s.goes(t, 7)
	m = s.mine(t, ada)[0]
	expect(t, "charges", s.chargesOf(t, m), "6000, 6000, 8000")
	expect(t, "the new price", next(m), "8000, 8000 on 2026-09-10")
	expect(t, "is no other one", m.NewPrice() == nil, true)
	expect(t, "of Cleo", s.chargesOf(t, s.mine(t, cleo)[0]), "8000, 8000, 8000")
	expect(t, "of Bob", s.chargesOf(t, s.mine(t, bob)[0]), "7000, 7000, 7000")
	s.repriced(t, p, 7500, day(8, 12)) // less: no notice, for both
	expect(t, "less", next(s.mine(t, cleo)[0])+", "+next(m), "8000, 7500 on 2026-09-10, 8000, 8000 on 2026-09-10")
	s.goes(t, 31)
	expect(t, "charges", s.chargesOf(t, m), "6000, 6000, 8000, 7500")
	s.check(t)
}

// chargesOf are the amounts that were paid for the periods of a membership.
func (s studio) chargesOf(t testing.TB, m plan.Membership) string {
	t.Helper()
	return strings.Join(apptest.Values[string](t, s.w, `select x.listed_amount::text from cycles c
		join order_lines x on x.id = c.order_line_id where c.membership_id = $1 and c.state = 'paid' order by c.number`,
		m.ID), ", ")
}

// A new price that is withdrawn is none, and its members are mailed again. Whoever has an end is not touched, and whoever
// cannot be mailed in time has it later.
func TestWithdrawNewPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	p := s.published(t, monthly(2, 6000))
	s.joined(t, ada, p, apptest.CardGood)
	of := s.joined(t, bob, p, apptest.CardGood)
	c, err := s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: p.ID, PriceAmount: 8000, StartsOn: day(7, 10)})
	must(t, 0, err)
	_, err = s.Owed.CancelMyPlan(t.Context(), bob.Principal, owed.CancelInput{MembershipID: of.ID})
	must(t, 0, err)
	s.jobs(t)
	expect(t, "coming", next(s.mine(t, ada)[0]), "6000, 8000 on 2026-07-10")
	gone, err := s.Plans.WithdrawPrice(t.Context(), s.Owner, p.ID)
	must(t, 0, err)
	expect(t, "withdrawn", fmt.Sprint(gone.State, gone.ID), fmt.Sprint(plan.PriceWithdrawn, c.ID))
	_, err = s.Plans.WithdrawPrice(t.Context(), s.Owner, p.ID)
	refused(t, "twice", err, plan.ErrNoPrice)
	for range 2 {
		s.jobs(t)
		must(t, 0, s.Plans.Reprice(t.Context(), plan.PriceJob{Business: s.Business.ID, Price: c.ID}))
	}
	expect(t, "withdrawn", next(s.mine(t, ada)[0]), "6000, 6000 on 2026-07-10")
	expect(t, "mails", fmt.Sprint(s.noticed(ada), s.noticed(bob)), "2 0")
	_, err = s.Plans.WithdrawPrice(t.Context(), s.Owner, uuid.New())
	expect(t, "of an unknown plan", fault.IsKind(err, fault.NotFound), true)

	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: p.ID, PriceAmount: 9000, StartsOn: day(7, 10)})
	must(t, 0, err)
	s.w.Clock.Advance(5 * 24 * 60 * 60 * 1e9) // no worker runs
	s.jobs(t)
	m := s.mine(t, ada)[0]
	expect(t, "late", m.NewPrice().On, day(7, 15))
	expect(t, "the period before", next(m), "6000, 6000 on 2026-07-10")
	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: p.ID, PriceAmount: 6000, StartsOn: day(9, 1)})
	refused(t, "a second one", err, plan.ErrPriceComing)
	pack := s.published(t, pack(4, 8000))
	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: pack.ID, PriceAmount: 6000, StartsOn: day(9, 1)})
	refused(t, "of a pack", err, plan.ErrNotRenewing)
	other := s.published(t, monthly(2, 6000))
	_, err = s.Plans.SchedulePrice(t.Context(), s.Owner,
		plan.PriceInput{PlanID: other.ID, PriceAmount: 7000, StartsOn: day(9, 1)})
	expect(t, "without members", apptest.Wrong(err), "priceAmount")
	s.check(t)
}

// Of new prices for a plan at once one is set.
func TestNewPricesAtOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(2, 6000))
	s.joined(t, ada, p, apptest.CardGood)
	var acts []func() error
	for n := range 4 {
		acts = append(acts, func() error {
			_, err := s.Plans.SchedulePrice(t.Context(), s.Owner,
				plan.PriceInput{PlanID: p.ID, PriceAmount: int64(7000 + n), StartsOn: day(7, 10)})
			return err
		})
	}
	expect(t, "set", apptest.AtOnce(t, []*fault.Error{plan.ErrPriceComing}, acts...), 1)
	c := apptest.Value[uuid.UUID](t, s.w, "select id from price_changes where state = 'coming'")
	job := plan.PriceJob{Business: s.Business.ID, Price: c}
	run := func() error { return s.Plans.Reprice(t.Context(), job) }
	expect(t, "runs", apptest.AtOnce(t, nil, run, run, run), 3)
	s.jobs(t)
	expect(t, "mails", s.noticed(ada), 1)
	expect(t, "prices", len(s.mine(t, ada)[0].Prices), 1)
	s.check(t)
}

// The day on which a period begins decides: a freeze that postpones it past the day of a new price changes its price,
// and so does the end of that freeze.
func TestNewPriceOverFreeze(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada := s.Customer(t, "Ada")
	p := s.published(t, monthly(2, 6000, freezable(rules.Freeze{MaxDays: 62})))
	m := s.joined(t, ada, p, apptest.CardGood)
	s.repriced(t, p, 8000, day(7, 11))
	until := day(7, 4)
	_, f, err := s.Plans.FreezingMine(t.Context(), ada.Principal,
		plan.FreezeInput{MembershipID: m.ID, StartsOn: day(6, 20), EndsOn: &until})
	must(t, 0, err)
	expect(t, "shown", fmt.Sprint(f.RenewsOn, f.Amount), "2026-07-24 8000")
	m, err = s.froze(t, ada, m, day(6, 20), until)
	must(t, 0, err)
	expect(t, "postponed", next(m), "6000, 8000 on 2026-07-24")
	u, err := plan.UnfreezingOf(t.Context(), s.w.DB.View(m.BusinessID), m)
	must(t, 0, err)
	expect(t, "its end", fmt.Sprint(u.RenewsOn, u.Amount), "2026-07-10 6000")
	m, err = s.Plans.UnfreezeMine(t.Context(), ada.Principal, plan.UnfreezeInput{MembershipID: m.ID})
	must(t, 0, err)
	expect(t, "not frozen", next(m), "6000, 6000 on 2026-07-10")
	s.check(t)
}

// What is not used of a period counts by the price of that period in a change of plan; a change leaves the new price of
// the former plan behind.
func TestNewPriceAndChange(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob := s.Customer(t, "Ada"), s.Customer(t, "Bob")
	tiers := s.tiers(t, [3]int{4, 8, 12}, [3]int64{3000, 6000, 9000})
	s.joined(t, ada, tiers[0], apptest.CardGood)
	s.joined(t, bob, tiers[0], apptest.CardGood)
	s.repriced(t, tiers[0], 5000, day(7, 11))
	s.goes(t, 35) // 15 July: the period from the 10th has the former price
	s.changed(t, ada, tiers[1])
	m := s.mine(t, ada)[0]
	expect(t, "before its period", next(m)+" "+m.Name, "6000, 6000 on 2026-08-10 Plus")
	// 26 of 31 days of 6000 less as many of 3000
	expect(t, "charge", apptest.Value[int64](t, s.w, "select amount from plan_changes"), int64(5032-2516))
	s.goes(t, 36) // 20 August
	c, err := second2(s.Plans.ChangingMine(t.Context(), bob.Principal,
		plan.ChangeInput{MembershipID: s.mine(t, bob)[0].ID, PlanID: tiers[1].ID}))
	must(t, 0, err)
	expect(t, "in its period", c.Amount, int64(4065-3387)) // 21 of 31 days of 6000 and of 5000
	s.changed(t, bob, tiers[1])
	expect(t, "next", next(s.mine(t, bob)[0]), "6000, 6000 on 2026-09-10")
	s.goes(t, 30)
	expect(t, "charges", s.chargesOf(t, s.mine(t, bob)[0]), "3000, 3000, 5000, 6000")
	s.check(t)
}

func second2[A, B any](_ A, b B, err error) (B, error) { return b, err }

// A higher price gives the right to end the membership on the day on which the customer would first pay it, whatever its
// notice and its least number of periods are; a lower one does not.
func TestCancelBeforeNewPrice(t *testing.T) {
	t.Parallel()
	s := open(t)
	ada, bob, cleo := s.Customer(t, "Ada"), s.Customer(t, "Bob"), s.Customer(t, "Cleo")
	terms := func(in *plan.CreateInput) { in.MinPeriods, in.NoticeDays = 6, 45 }
	p := s.published(t, monthly(2, 6000, terms))
	intro := s.published(t, monthly(2, 6000, terms, func(in *plan.CreateInput) { in.IntroPeriods, in.IntroAmount = 3, 4000 }))
	m := s.joined(t, ada, p, apptest.CardGood)
	s.joined(t, bob, p, apptest.CardGood)
	of := s.joined(t, cleo, intro, apptest.CardGood)
	ending := func(m plan.Membership) string {
		_, e, err := plan.EndingOf(t.Context(), s.w.DB.View(m.BusinessID), m.CustomerID, m.ID)
		must(t, 0, err)
		return fmt.Sprint(e.EndsOn, " ", e.Periods, " ", e.Amount)
	}
	expect(t, "without it", ending(m), "2026-12-10 5 30000")
	s.repriced(t, p, 5000, day(6, 11))
	expect(t, "a lower price", ending(m), "2026-12-10 5 25000")
	s.goes(t, 1)
	s.repriced(t, p, 8000, day(7, 20))
	s.repriced(t, intro, 8000, day(7, 20))
	expect(t, "a higher price", ending(m), "2026-08-10 1 5000")
	expect(t, "after the introductory price", ending(of), "2026-09-10 2 8000")
	s.goes(t, 59) // 9 August
	expect(t, "the day before", ending(m), "2026-08-10 0 0")
	m, err := s.Owed.CancelMyPlan(t.Context(), ada.Principal, owed.CancelInput{MembershipID: m.ID, EndsOn: day(8, 10)})
	must(t, 0, err)
	expect(t, "last day", m.LastDay(), day(8, 9))
	s.goes(t, 1)
	expect(t, "too late", ending(s.mine(t, bob)[0]), "2026-12-10 3 24000")
	expect(t, "charges", s.chargesOf(t, m), "6000, 5000")
	s.check(t)
}
