package plan_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/plan"
	"foyer/app/plan/rules"
)

// monthEnds checks the books, the processor's balance, the data checks, and each billing period.
func (y *years) monthEnds(t *testing.T) {
	t.Helper()
	y.CheckProcessor(t)
	y.jobs(t)
	y.CheckLedger(t)
	y.jobs(t)
	y.w.CheckBooks(t)
	must(t, 0, y.Plans.EarnDue(t.Context())) // of periods that were paid after it
	for what, sql := range nothing {
		for _, row := range apptest.Values[string](t, y.w, sql, y.today()) {
			t.Errorf("%s: %s: %s", y.today(), what, row)
		}
	}
	for what, both := range equal {
		if a, b := apptest.Value[int64](t, y.w, both[0]), apptest.Value[int64](t, y.w, both[1]); a != b {
			t.Errorf("%s: %s: %d and %d", y.today(), what, a, b)
		}
	}
	charged, refunded, _, err := y.Sim.Totals(y.Account)
	must(t, 0, err)
	if paid := apptest.Value[int64](t, y.w, paidByCard); paid != charged-refunded {
		t.Errorf("%s: the orders say that %d was paid by card, the processor took %d", y.today(), paid, charged-refunded)
	}
	for _, h := range y.histories(t) {
		if !h.check(t) {
			y.tell(t, h.ID)
		}
	}
	if t.Failed() {
		t.FailNow()
	}
}

// tell logs what happened to a plan.
func (y *years) tell(t *testing.T, id uuid.UUID) {
	t.Helper()
	for _, row := range apptest.Values[string](t, y.w, `select concat_ws(' ', a.at, a.record, a.record_id, a.action,
			a.before - 'sold', a.after - 'sold') from audit_events a
		where a.record_id = $1 or a.record_id in (select id from cycles where membership_id = $1
			union all select id from freezes where membership_id = $1
			union all select id from plan_changes where membership_id = $1) order by a.seq`, id) {
		t.Log(row)
	}
}

// paidByCard is what the orders say that cards have paid, less refunds.
const paidByCard = `select coalesce(sum(o.total_amount), 0)::bigint - (select coalesce(sum(r.amount), 0) from refunds r
		join payments p on p.id = r.payment_id where p.outcome = 'fulfilled' and r.state = 'succeeded')::bigint
	from orders o where o.state = 'fulfilled' and not exists (select from order_tenders t where t.order_id = o.id
		and t.kind <> 'card' and t.captured_at is not null)`

// nothing may be found by these, on the day $1 after its sweeps.
var nothing = map[string]string{
	"an entry that does not add up": `select entry_id::text from ledger_postings where $1::date is not null
		group by entry_id having sum(amount) <> 0 or count(*) < 2`,
	"days that are not earned": earnedBy + " and e.earned < e.due",
	"days that are earned early": earnedBy + ` and e.earned > e.due
		and not exists (select from freezes f where f.membership_id = m.id)
		and not exists (select from redemptions r where r.grant_id = g.id and r.kind = 'refunded')`,
	"credits below zero": "select id::text from grants where balance < 0 and $1::date is not null",
	"a paid period without a sale": `select k.id::text from cycles k left join order_lines x on x.id = k.order_line_id
		left join orders o on o.id = x.order_id
		where k.state = 'paid' and o.state is distinct from 'fulfilled' and $1::date is not null`,
	"periods at the same time": `select a.id::text || ' ' || b.id from cycles a
		join cycles b on b.membership_id = a.membership_id and a.number < b.number and a.ends_on > b.starts_on
		where a.state <> 'void' and b.state <> 'void' and $1::date is not null`,
	"a sale of no period": `select o.id::text from order_lines x
		join orders o on o.id = x.order_id and o.state = 'fulfilled'
		join plans p on p.id = x.subject_id and p.kind = 'membership'
		where x.kind = 'plan' and $1::date is not null
			and not exists (select from cycles k where k.order_line_id = x.id and k.state = 'paid')
			and not exists (select from plan_changes h where h.order_line_id = x.id and h.state = 'done')`,
	"an order that was paid twice": `select order_id::text from payments
		where outcome = 'fulfilled' and $1::date is not null group by order_id having count(*) > 1`,
	"a payment without an outcome": `select id::text from payments
		where status = 'succeeded' and outcome = '' and $1::date is not null`,
	"a period that nobody was asked to pay": `select k.id::text from cycles k
		join memberships m on m.id = k.membership_id
		where k.state = 'coming' and m.state = 'active' and k.starts_on <= $1 and not exists (select from freezes f
			where f.membership_id = m.id and f.canceled_at is null and f.ends_on is null and f.starts_on <= k.starts_on)`,
	"a period that is due for too long": `select k.id::text from cycles k join memberships m on m.id = k.membership_id
		where k.state = 'due' and m.state = 'active' and k.starts_on <= $1::date - 18
			and not exists (select from freezes f where f.membership_id = m.id and f.canceled_at is null
				and f.ends_on is null)`,
	"a plan that does not end": `select m.id::text from memberships m where m.state = 'active' and m.ends_on <= $1
		and not exists (select from freezes f where f.membership_id = m.id and f.canceled_at is null
			and f.ends_on is null)`,
}

// earnedBy selects grants of any number of bookings, with what is earned of them by day $1 in earned, and what is to be
// in due: the part of their days that is over, without those of freezes. A freeze that was set later, and a
// refund, do not lower what is earned.
const earnedBy = `select g.id::text from grants g join memberships m on m.id = g.membership_id and m.state = 'active'
	cross join lateral (select greatest(g.starts_on, m.starts_on, (g.created_at at time zone 'America/New_York')::date)
		as starts, coalesce(g.ends_on, m.ends_on) as ends) d
	cross join lateral (select
			coalesce(sum(greatest(0, least(f.ends_on, d.ends) - greatest(f.starts_on, d.starts))), 0) as every,
			coalesce(sum(greatest(0, least(f.ends_on, $1) - greatest(f.starts_on, d.starts))), 0) as past
		from freezes f where f.membership_id = m.id and f.canceled_at is null and f.ends_on is not null) n
	cross join lateral (select g.value_amount - g.unused_amount as earned, round(g.value_amount
		* ($1 - d.starts - n.past)::numeric / (d.ends - d.starts - n.every)) as due) e
	where g.amount is null and g.unused_amount > 0 and d.starts < $1 and d.ends > $1
		and not exists (select from freezes f where f.membership_id = m.id and f.canceled_at is null and f.ends_on is null)`

// equal are pairs of sums.
var equal = map[string][2]string{
	"what is deferred, and what is not used": {
		`select coalesce(-sum(p.amount), 0)::bigint from ledger_postings p join ledger_accounts a on a.id = p.account_id
			where a.code like 'deferred.%'`,
		`select coalesce(sum(unused_amount), 0)::bigint
			+ (select coalesce(sum(amount), 0) from unearned_uses)::bigint from grants`,
	},
}

// history is a membership, or another plan, with what happened to it.
type history struct {
	ID                          uuid.UUID
	PlanID                      uuid.UUID
	Kind                        plan.Kind
	State                       plan.MembershipState
	StartsOn                    civil.Date
	EndsOn, ActivatedOn         *civil.Date
	Canceled, Reopened, Expired bool
	Periods                     []period
	Freezes                     []rules.Period
	Changes                     []changed
	of                          map[uuid.UUID]plan.Plan
}

// period is a billing period of it.
type period struct {
	ID       uuid.UUID  `json:"id"`
	Number   int        `json:"number"`
	StartsOn civil.Date `json:"startsOn"`
	EndsOn   civil.Date `json:"endsOn"`
	State    string     `json:"state"`
	Price    int64      `json:"price"`
	Listed   int64      `json:"listed"` // of its line
	Refunded bool       `json:"refunded"`
}

// changed is a change of plan that was made.
type changed struct {
	Number  int        `json:"number"` // of the period in which it began
	From    uuid.UUID  `json:"from"`
	To      uuid.UUID  `json:"to"`
	On      civil.Date `json:"on"`
	Listed  int64      `json:"listed"` // of its line; of one that begins with a period 0
	Within  bool       `json:"within"` // a period
	Granted int        `json:"granted"`
	Used    int        `json:"used"` // credits of the period before it, or bookings of any number
}

// histories reads the plans of all members.
func (y *years) histories(t *testing.T) []history {
	t.Helper()
	list, err := pg.All[history](t.Context(), y.w.DB.View(y.Owner.Tenant), `select m.id, m.plan_id, m.kind, m.state,
			m.starts_on, m.ends_on, m.activated_on, m.canceled_at is not null as canceled,
			exists (select from audit_events a where a.business_id = $1 and a.record_id = m.id and a.after ->> 'state' = 'active'
				and a.action = 'update') as reopened,
			m.state = 'ended' and not exists (select from cycles k where k.business_id = $1 and k.membership_id = m.id
				and k.state = 'void' and k.tries > 0) as expired,
			(select jsonb_agg(jsonb_build_object('id', k.id, 'number', k.number, 'startsOn', k.starts_on, 'endsOn', k.ends_on,
					'state', k.state, 'price', k.price_amount, 'listed', coalesce(x.listed_amount, 0), 'refunded', exists (
						select from redemptions d join grants g on g.business_id = $1 and g.id = d.grant_id
						where d.business_id = $1 and g.cycle_id = k.id and d.kind = 'refunded')) order by k.number)
				from cycles k
				left join order_lines x on x.business_id = $1 and x.id = k.order_line_id
				where k.business_id = $1 and k.membership_id = m.id and k.state <> 'void') as periods,
			(select jsonb_agg(jsonb_build_object('From', f.starts_on, 'Until', f.ends_on) order by f.starts_on)
				from freezes f where f.business_id = $1 and f.membership_id = m.id and f.canceled_at is null
					and f.ends_on is not null) as freezes,
			(select jsonb_agg(jsonb_build_object('number', k.number, 'from', h.from_plan_id, 'to', h.to_plan_id,
					'on', h.changes_on, 'listed', coalesce(x.listed_amount, 0), 'within', h.held <> '[]',
					'granted', (select coalesce(sum(g.amount), 0) from grants g where g.business_id = $1 and g.cycle_id = k.id
						and not g.carried and g.created_at = h.updated_at),
					'used', (select coalesce(sum(case when d.credits <> 0 then -d.credits when d.kind = 'used' then 1
						else -1 end), 0) from redemptions d join grants g on g.business_id = $1
						and g.id = d.grant_id and g.cycle_id = k.id and not g.carried and g.created_at < h.updated_at
						where d.business_id = $1 and d.kind in ('used', 'returned') and d.created_at <= h.updated_at))
					order by k.number, h.changes_on, h.updated_at)
				from plan_changes h join cycles k on k.business_id = $1 and k.id = h.cycle_id
				left join order_lines x on x.business_id = $1 and x.id = h.order_line_id
				where h.business_id = $1 and h.membership_id = m.id and h.state = 'done') as changes
		from memberships m where m.business_id = $1 order by m.id`, y.Owner.Tenant)
	of := map[uuid.UUID]plan.Plan{}
	for _, p := range y.of {
		of[p.ID] = p
	}
	for i := range must(t, list, err) {
		list[i].of = of
	}
	return list
}

// check checks the days and the prices of a plan by the terms that it was sold with. It reports whether they are right.
func (h history) check(t *testing.T) bool {
	t.Helper()
	if h.Kind == plan.Renewing {
		ok := h.checkPeriods(t)
		for _, p := range h.Periods {
			ok = h.checkPrice(t, p) && ok
		}
		return ok
	}
	p := h.of[h.PlanID]
	start := &h.StartsOn
	if p.FromFirstUse {
		start = h.ActivatedOn
	}
	if h.Reopened || start == nil || h.EndsOn == nil {
		return true
	}
	end := after(*start, p.Unit, p.Count)
	for _, f := range h.Freezes { // days before the first class cost none
		end = end.AddDays(f.Days() - h.frozen(f, f.From, *start))
	}
	if *h.EndsOn != end {
		t.Errorf("%s %s from %s ends on %s, want %s: frozen %v", p.Name, h.ID, start, h.EndsOn, end, h.Freezes)
	}
	return *h.EndsOn == end
}

// after returns the day that is so many units after one: of a shorter month its last day.
func after(day civil.Date, unit rules.Unit, n int) civil.Date {
	switch unit {
	case rules.Day:
		return day.AddDays(n)
	case rules.Week:
		return day.AddDays(7 * n)
	case rules.Year:
		n *= 12
	}
	first := civil.DateOf(time.Date(day.Year, day.Month+time.Month(n), 1, 0, 0, 0, 0, time.UTC))
	last := civil.DateOf(time.Date(first.Year, first.Month+1, 0, 0, 0, 0, 0, time.UTC))
	return first.AddDays(min(day.Day, last.Day) - 1)
}

// sold returns the plan that a period of a number begins with.
func (h history) sold(number int) plan.Plan {
	id := h.PlanID
	if len(h.Changes) > 0 {
		id = h.Changes[0].From
	}
	for _, c := range h.Changes {
		if c.Number < number || c.Number == number && !c.Within {
			id = c.To
		}
	}
	return h.of[id]
}

// checkPeriods compares the billing periods with those of the plan: one after the other from the day of joining, each
// as long as the plan says, and longer by the days of freezes in it. A freeze on the first day of one has it begin
// later. Later periods are counted from the last that was moved.
func (h history) checkPeriods(t *testing.T) (ok bool) {
	t.Helper()
	p := h.sold(1)
	anchor, number := h.StartsOn, 1
	part := p.BillingDay > 0 && h.StartsOn.Day != p.BillingDay
	end := h.StartsOn
	for i, k := range h.Periods {
		if k.Number != i+1 {
			t.Errorf("%s: period %d is missing", h.ID, i+1)
			return false
		}
		if of := h.sold(k.Number); of.Count != p.Count || of.Unit != p.Unit {
			p, anchor, number = of, end, k.Number
		}
		from, until := end, after(anchor, p.Unit, p.Count*(k.Number-number+1))
		if part && k.Number == 1 {
			until = billingDay(h.StartsOn, p)
			anchor, number = until, 2
		}
		for _, f := range h.Freezes {
			switch {
			case f.From == from:
				from, anchor, number = from.AddDays(f.Days()), from.AddDays(f.Days()), k.Number
				until = after(anchor, p.Unit, p.Count)
			case f.From.After(from) && f.From.Before(until):
				until = until.AddDays(f.Days())
				anchor, number = until, k.Number+1
			}
		}
		if k.StartsOn != from || k.EndsOn != until {
			t.Errorf("%s of %s, joined on %s: period %d is from %s until %s, want %s until %s: frozen %v", p.Name, h.ID,
				h.StartsOn, k.Number, k.StartsOn, k.EndsOn, from, until, h.Freezes)
			return false
		}
		end = until
	}
	for _, f := range h.Freezes { // of the period after it, which did not come
		if f.From == end {
			end = f.Until
		}
	}
	ends := h.Canceled && h.State != plan.Canceled || p.Ends && len(h.Periods) == p.MinPeriods
	if ends && h.Expired && *h.EndsOn != end {
		t.Errorf("%s of %s ended on %s, want %s", p.Name, h.ID, h.EndsOn, end)
		return false
	}
	return true
}

// billingDay returns the first day after one on which the periods of a plan begin.
func billingDay(day civil.Date, p plan.Plan) civil.Date {
	on := civil.NewDate(day.Year, day.Month, p.BillingDay)
	if !on.After(day) {
		on = after(on, rules.Month, 1)
	}
	return on
}

// whole returns the price of a period before the changes within it.
func (h history) whole(k period) int64 {
	p, n := h.sold(k.Number), k.Number
	first := h.sold(1)
	if first.BillingDay > 0 && h.StartsOn.Day != first.BillingDay {
		n = max(1, n-1)
	}
	changed := slices.ContainsFunc(h.Changes, func(c changed) bool { return c.Number < k.Number })
	if p.ID == first.ID && n <= p.IntroPeriods && !changed {
		return p.IntroAmount
	}
	return p.PriceAmount
}

// days returns the number of days from one until another without those of freezes.
func (h history) days(from, until civil.Date) int {
	n := from.DaysUntil(until)
	for _, f := range h.Freezes {
		n -= h.frozen(f, from, until)
	}
	return n
}

// frozen returns the number of days of a freeze from one until another.
func (history) frozen(f rules.Period, from, until civil.Date) int {
	if f.From.After(from) {
		from = f.From
	}
	if f.Until.Before(until) {
		until = f.Until
	}
	return max(0, from.DaysUntil(until))
}

// checkPrice compares what was paid for a period with the price of the plan, and of all plans for the days that each
// was held, and the credits of those plans with what they grant.
func (h history) checkPrice(t *testing.T, k period) (ok bool) {
	t.Helper()
	ok = true
	wrong := func(format string, args ...any) {
		t.Helper()
		ok = false
		t.Errorf("%s: "+format, append([]any{h.ID}, args...)...)
	}
	price, days := h.whole(k), h.days(k.StartsOn, k.EndsOn)
	all := days
	if first := h.sold(1); k.Number == 1 && first.BillingDay > 0 && h.StartsOn.Day != first.BillingDay {
		on := billingDay(h.StartsOn, first)
		all = after(on, rules.Month, -1).DaysUntil(on)
	}
	listed := (2*price*int64(days) + int64(all)) / int64(2*all)
	if k.State == "paid" && k.Listed != listed {
		wrong("%d was paid for period %d, want %d", k.Listed, k.Number, listed)
	}
	held, from, n := h.sold(k.Number), k.StartsOn, int64(0)
	credits := included(held) * days // times the days
	var fair int64                   // times the days of the whole period
	paid := k.Listed
	for _, c := range h.Changes {
		if c.Number != k.Number || !c.Within {
			continue
		}
		left := h.days(c.On, k.EndsOn)
		fair += price * int64(h.days(from, c.On))
		held, price, from, paid, n = h.of[c.To], h.of[c.To].PriceAmount, c.On, paid+c.Listed, n+1
		before := included(h.of[c.From])
		credits += (included(held) - before) * left
		grants := credits / all
		if included(held) > before && credits%all > 0 {
			grants++
		}
		if want := max(0, grants-c.Used); c.Granted != want && included(held) > 0 {
			wrong("%d credits after the change on %s in period %d, want %d", c.Granted, c.On, k.Number, want)
		}
	}
	fair += price * int64(h.days(from, k.EndsOn))
	if off := paid*int64(all) - fair; n > 0 && !k.Refunded && max(off, -off) > 2*n*int64(all) {
		wrong("%d was paid for period %d with %d changes, want %d", paid, k.Number, n, fair/int64(all))
	}
	return ok
}

// included returns the credits of a plan in a period; 0: any number.
func included(p plan.Plan) int {
	if p.Benefits[0].Credits == nil {
		return 0
	}
	return *p.Benefits[0].Credits
}
