package plan

import (
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// Ending is what a cancellation does.
type Ending struct {
	EndsOn  civil.Date // the first day without the membership
	Now     bool       // it ends at once: the present period is not paid
	Periods int        // that are still to be paid until then
	Amount  int64      // of all of them together, as listed
	Part    int64      // of the last of them, if it ends within that: its part of the price
	Booked  int        // bookings after the end, which it pays for
}

// law returns the law of the membership's location.
func (m Membership) law() Law { return LawOf(m.Country, m.Region) }

// ends returns the law as package rules has it.
func (l Law) ends() rules.Law {
	return rules.Law{AnyDayAfterTerm: l.AnyDayAfterTerm, FreeMonths: l.FreeMonths}
}

// rulesOf returns the terms of an end as package rules has them.
func (r Renewal) rulesOf() rules.Terms {
	t := rules.Terms{
		Term: rules.Term{
			Periods: r.MinPeriods, Then: rules.Renews, EndFee: r.Terms.EndAmount, EndPPM: r.Terms.EndPPM,
		},
		Notice: rules.Notice{
			Days: r.NoticeDays, Months: r.Terms.NoticeMonths, By: r.Terms.NoticeBy, To: rules.ToPeriod,
		},
	}
	switch {
	case r.Ends:
		t.Term.Then = rules.Ends
	case r.Terms.TermRenews:
		t.Term.Then = rules.RenewsAll
	}
	if r.Terms.EndsQuarter {
		t.Notice.To = rules.ToQuarter
	}
	return t
}

// terms returns the terms of an end of a membership whose next period is not paid.
func (m Membership) terms() rules.Terms {
	t := m.Renewal.rulesOf()
	t.Unpaid, t.Held = m.unpaid, m.Whole(m.Next.Number-1)
	return t
}

// unpaid returns a billing period that is not paid, by its number from 0.
func (m Membership) unpaid(n int) rules.Period {
	if n > 0 {
		return m.planned(m.Next.Number + n)
	}
	p := rules.Period{From: m.Next.StartsOn, Until: m.Next.EndsOn}
	p.Whole = p.Days()
	return p
}

// planned returns a billing period by its number, of those from the anchor on, as it is if nothing changes its days.
func (m Membership) planned(number int) rules.Period {
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	return v.schedule(m.AnchorOn, 0).Period(number - m.AnchorNumber)
}

// ending returns what the cancellation of a membership does on a day: see rules.Terms.End. It ends at once if nothing
// but a period that is due is to be paid until then.
func (m Membership) ending(today civil.Date) Ending {
	if m.Next == nil {
		return Ending{EndsOn: today}
	}
	t, law := m.terms(), m.law().ends()
	e := Ending{EndsOn: t.End(today, law)}
	if t.AtOnce(today, e.EndsOn, law) {
		e.EndsOn, e.Now = today, true
		return e
	}
	for n := 0; t.Unpaid(n).From.Before(e.EndsOn); n++ {
		price := m.cutAmount(n, e.EndsOn)
		e.Periods, e.Amount = e.Periods+1, e.Amount+price
		if e.EndsOn.Before(t.Unpaid(n).Until) {
			e.Part = price
		}
	}
	return e
}

// cutAmount returns the price of a period that is not paid, by its number from 0: of one after whose first days the
// membership ends, that of these days. Days of freezes cost nothing.
func (m Membership) cutAmount(n int, end civil.Date) int64 {
	p, price := m.unpaid(n), m.amount(m.Next.Number+n)
	if !end.Before(p.Until) {
		return price
	}
	whole := p.Days() - m.frozenDays(p.From, p.Until)
	if whole <= 0 {
		return price
	}
	cut := rules.Period{From: p.From, Until: end.AddDays(-m.frozenDays(p.From, end)), Whole: whole}
	return cut.Share(price)
}

// frozenDays returns the number of days of freezes from a day until another one.
func (m Membership) frozenDays(from, until civil.Date) (days int) {
	for _, f := range m.Freezes {
		p := f.period()
		if p.From.Before(from) {
			p.From = from
		}
		if until.Before(p.Until) {
			p.Until = until
		}
		days += max(0, p.Days())
	}
	return days
}

// Drops reports whether the period of a membership that is to be paid next is not paid any more as it is: its order is
// given up.
func (e Ending) Drops(m Membership) bool {
	return e.Now || m.Next != nil && e.EndsOn.Before(m.Next.EndsOn)
}

// cutIn queues that the period of a locked membership that is to be paid next ends on a day within it, at its share of
// the price and of the credits, rounded up. Those that bookings have used stay used.
func (m Membership) cutIn(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, end civil.Date) {
	from, whole := m.Next.StartsOn, m.Next.StartsOn.DaysUntil(m.Next.EndsOn)
	days := from.DaysUntil(end) - m.frozenDays(from, end)
	whole -= m.frozenDays(from, m.Next.EndsOn)
	pg.QueueExec(b, `with cut as (
			update cycles set ends_on = @end, price_amount = @price, state = 'coming', order_line_id = null,
				version = version + 1, updated_at = @now
			where business_id = @business and id = @cycle and state in ('coming', 'due')
		), kept as (
			select g.id, g.balance, case when g.amount is null then 0
				else least(g.balance, g.amount - ceil(g.amount * @days::numeric / @whole)::int) end as gone
			from grants g where g.business_id = @business and g.cycle_id = @cycle and not g.carried
		), numbered as (
			select k.*, row_number() over (order by k.id) as n from kept k
		), taken as (
			update grants g set ends_on = @end, balance = g.balance - coalesce(k.gone, 0)
			from grants h left join kept k on k.id = h.id
			where g.business_id = @business and g.cycle_id = @cycle and h.business_id = @business and h.id = g.id
		)
		insert into redemptions (id, business_id, grant_id, location_id, kind, "credits", balance, amount, actor_kind,
			actor_id, actor_name, created_at)
		select (@note_ids::uuid[])[n], @business, id, @location, 'ended', -gone, balance - gone, 0, @actor_kind,
			@actor::uuid, @actor_name, @now
		from numbered where gone > 0`, pg.Named{
		"business": tx.Business(), "cycle": m.Next.ID, "end": end, "price": m.cutAmount(0, end), "days": days,
		"whole": max(1, whole), "location": m.LocationID, "note_ids": pg.NewIDs(changedMost), "actor_kind": by.Kind,
		"actor": pg.OrNull(by.ID), "actor_name": by.Name, "now": tx.Now(),
	})
}

// periodEnd returns the first day after a billing period by its number: of the last one that is paid, or a later one.
func (m Membership) periodEnd(number int) civil.Date {
	if next := m.Next; next != nil {
		switch number {
		case next.Number - 1:
			return next.StartsOn
		case next.Number:
			return next.EndsOn
		}
	}
	return m.planned(number).Until
}
