package plan

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/plan/rules"
)

// heldOpenSQL is the condition for a billing period c not to be charged yet: it begins in a freeze without an end.
const heldOpenSQL = `exists (select from freezes f where f.business_id = c.business_id
		and f.membership_id = c.membership_id and f.canceled_at is null and f.ends_on is null and f.starts_on <= c.starts_on)`

// frozenOpenSQL is the condition for a membership m to be in a freeze without an end that begins before a day, an
// expression.
func frozenOpenSQL(day string) string {
	return `exists (select from freezes f where f.business_id = m.business_id and f.membership_id = m.id
		and f.canceled_at is null and f.ends_on is null and f.starts_on < ` + day + `)`
}

// frozenDaysSQL is the number of days of freezes of a membership m in a time: from a day until another one, which are
// expressions. open says whether the days of a freeze without an end count.
func frozenDaysSQL(from, until string, open bool) string {
	end := "f.ends_on"
	if open {
		end = "coalesce(f.ends_on, 'infinity'::date)"
	}
	return `coalesce((select sum(greatest(0, least(` + end + `, ` + until + `) - greatest(f.starts_on, ` + from + `)))
		from freezes f where f.business_id = m.business_id and f.membership_id = m.id and f.canceled_at is null
			and ` + end + ` > ` + from + `), 0)::int`
}

// cycle is a billing period with its days.
type cycle struct {
	ID               uuid.UUID
	Number           int
	StartsOn, EndsOn civil.Date
}

// cyclesFrom reads the billing periods of a membership that end after a day, in their order.
func cyclesFrom(ctx context.Context, r pg.Reader, membership uuid.UUID, day civil.Date) ([]cycle, error) {
	return pg.All[cycle](ctx, r, `select id, number, starts_on, ends_on from cycles where business_id = $1
		and membership_id = $2 and state <> 'void' and ends_on > $3 order by number`, r.Business(), membership, day)
}

// moved is how a membership is after its days from one on have moved.
type moved struct {
	cycles       []cycle
	endsOn       *civil.Date
	anchorOn     civil.Date
	anchorNumber int
	last         int // the period with which the membership ends; 0: it renews
}

// still returns the membership as it is.
func (m Membership) still() moved {
	return moved{endsOn: m.EndsOn, anchorOn: m.AnchorOn, anchorNumber: m.AnchorNumber}
}

// move returns the membership with the days from one on moved by a number of days: the period of that day ends later,
// the later ones begin and end later, and so does the membership. Less than zero moves them back. Without a period that
// moves, of a membership that was canceled and ends with the freeze, its end does.
func (m Membership) move(cycles []cycle, from civil.Date, days int) moved {
	out := m.still()
	out.cycles = slices.Clone(cycles)
	if m.Kind != Renewing || len(cycles) == 0 {
		if m.EndsOn != nil {
			days = m.counted(from, days)
			end := m.EndsOn.AddDays(days)
			out.endsOn = &end
		}
		return out
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	if m.EndsOn != nil {
		for out.last = 1; m.endOf(cycles, out.last).Before(*m.EndsOn); out.last++ {
		}
	}
	anchored := false
	for i, c := range out.cycles {
		if c.StartsOn.Before(from) {
			c.EndsOn = c.EndsOn.AddDays(days)
			out.anchorOn, out.anchorNumber = c.EndsOn, c.Number+1
		} else {
			if !anchored {
				out.anchorOn, out.anchorNumber, anchored = c.StartsOn.AddDays(days), c.Number, true
			}
			p := v.schedule(out.anchorOn, 0).Period(c.Number - out.anchorNumber)
			c.StartsOn, c.EndsOn = p.From, p.Until
		}
		out.cycles[i] = c
	}
	return m.ended(out)
}

// ended returns the membership with its end after its last period.
func (m Membership) ended(v moved) moved {
	if v.last > 0 {
		m.AnchorOn, m.AnchorNumber = v.anchorOn, v.anchorNumber
		end := m.endOf(v.cycles, v.last)
		v.endsOn = &end
	}
	return v
}

// moveBack returns the membership, with all its periods, as it was before the freeze of some days from one on. Moved
// back by a number of days, the later periods could be shorter than they were: they are counted from an earlier one
// again, the first that has all of them begin as they do. 31 January, 28 February, 31 March.
func (m Membership) moveBack(all []cycle, from civil.Date, days int) moved {
	i := slices.IndexFunc(all, func(c cycle) bool { return c.EndsOn.After(from) })
	switch {
	case days == 0:
		return m.still()
	case i < 0:
		return m.move(nil, from, -days)
	}
	out := m.move(all[i:], from, -days)
	n := slices.IndexFunc(out.cycles, func(c cycle) bool { return !c.StartsOn.Before(from) })
	before := slices.Concat(all[:i], out.cycles)
	number, day := before[len(before)-1].Number+1, before[len(before)-1].EndsOn
	if n >= 0 {
		number, day, before = out.cycles[n].Number, out.cycles[n].StartsOn, before[:i+n]
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	for k, c := range before {
		s := v.schedule(c.StartsOn, 0)
		other := func(b cycle) bool { return s.Period(b.Number-c.Number).From != b.StartsOn }
		if s.Period(number-c.Number).From != day || slices.ContainsFunc(before[k:], other) {
			continue
		}
		out.anchorOn, out.anchorNumber = c.StartsOn, c.Number
		for j, b := range out.cycles {
			if b.Number >= number {
				p := s.Period(b.Number - c.Number)
				out.cycles[j].StartsOn, out.cycles[j].EndsOn = p.From, p.Until
			}
		}
		return m.ended(out)
	}
	return out
}

// counted returns how many of some days from one on its end moves by, less than zero if it moves back: not those before
// the first class, if the membership begins with that.
func (m Membership) counted(from civil.Date, days int) int {
	if m.ActivatedOn == nil || !m.ActivatedOn.After(from) {
		return days
	}
	before := from.DaysUntil(*m.ActivatedOn)
	if days < 0 {
		return min(0, days+before)
	}
	return max(0, days-before)
}

// endOf returns the first day after a period by its number, from its row if it has one.
func (m Membership) endOf(cycles []cycle, number int) civil.Date {
	if i := slices.IndexFunc(cycles, func(c cycle) bool { return c.Number == number }); i >= 0 {
		return cycles[i].EndsOn
	}
	v := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}
	return v.schedule(m.AnchorOn, 0).Period(number - m.AnchorNumber).Until
}

// start returns the first day of a period, which was another one before.
func (v moved) start(id uuid.UUID, before civil.Date) civil.Date {
	if i := slices.IndexFunc(v.cycles, func(c cycle) bool { return c.ID == id }); i >= 0 {
		return v.cycles[i].StartsOn
	}
	return before
}

// in queues that a locked membership moves, and with its periods their grants.
func (v moved) in(b *pg.Batch, tx *pg.Tx, m Membership) {
	var ids []uuid.UUID
	var starts, ends []civil.Date
	for _, c := range v.cycles {
		ids, starts, ends = append(ids, c.ID), append(starts, c.StartsOn), append(ends, c.EndsOn)
	}
	if len(ids) > 0 {
		pg.QueueExec(b, `with days as (
				select * from unnest($2::uuid[], $3::date[], $4::date[]) as d (id, starts_on, ends_on)
			), granted as (
				update grants g set starts_on = d.starts_on, ends_on = d.ends_on from days d
				where g.business_id = $1 and g.cycle_id = d.id
			)
			update cycles c set starts_on = d.starts_on, ends_on = d.ends_on, version = c.version + 1, updated_at = $5
			from days d where c.business_id = $1 and c.id = d.id
				and (c.starts_on, c.ends_on) is distinct from (d.starts_on, d.ends_on)`,
			tx.Business(), ids, starts, ends, tx.Now())
	}
	pg.QueueExec(b, `update memberships set ends_on = $3, anchor_on = $4, anchor_number = $5, uses = uses + 1,
			version = version + 1, updated_at = $6
		where business_id = $1 and id = $2`, tx.Business(), m.ID, v.endsOn, v.anchorOn, v.anchorNumber, tx.Now())
}
