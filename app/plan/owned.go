package plan

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

// Owned is a grant of a customer, as the choice of what pays reads it: see OwnedSQL.
type Owned struct {
	GrantID      uuid.UUID          `json:"grantId"`
	MembershipID uuid.UUID          `json:"membershipId"`
	Name         string             `json:"name"` // of the plan
	Kind         Kind               `json:"kind"`
	Benefit      Benefit            `json:"benefit"`
	StartsOn     civil.Date         `json:"startsOn"`
	EndsOn       *civil.Date        `json:"endsOn"`  // the first day after; nil: no end, or it begins with the first class
	Frozen       []rules.Period     `json:"frozen"`  // days on which it pays for nothing
	Stopped      rules.Why          `json:"stopped"` // rules.PastDue: its billing period is not paid; empty: it pays
	Validity     Validity           `json:"validity"`
	Unlimited    bool               `json:"unlimited"`
	Balance      int                `json:"balance"` // credits that are left, and not reserved
	UnusedAmount int64              `json:"unusedAmount"`
	CreatedAt    time.Time          `json:"createdAt"`
	Carried      bool               `json:"carried"` // from the billing period before
	Uses         int                `json:"uses"`    // changes of the membership, to notice another one
	Booked       map[civil.Date]int `json:"booked"`  // seats that it pays for, by day; nil without a limit
	Upcoming     int                `json:"upcoming"`
}

// ranks are the ranks of the kinds that have credits.
var ranks = map[Kind]rules.Rank{
	Pack: rules.Pack, Pass: rules.Included, Renewing: rules.Included, Intro: rules.Gift, Comp: rules.Gift,
}

// source returns the grant for rules.Choose. A plan that is valid from its first class would begin on first.
func (o Owned) source(first civil.Date) rules.Source {
	s := rules.Source{
		ID: o.GrantID, Rank: ranks[o.Kind],
		Scope: rules.Scope{
			Offerings: o.Benefit.OfferingIDs, Locations: o.Benefit.LocationIDs, Excluded: o.Benefit.ExcludedIDs,
		},
		From: o.StartsOn, Stopped: o.Stopped, Frozen: o.Frozen, Credits: o.Balance, Costs: o.Benefit.Costs,
		ForGuests: o.Benefit.ForGuests,
		Limits: rules.Limits{
			PerDay: o.Benefit.DayMax, PerWeek: o.Benefit.WeekMax, Upcoming: o.Benefit.UpcomingMax, WeekStart: time.Monday,
		},
		GuestsOnly: o.Benefit.GuestsOnly,
		Value:      o.UnusedAmount, Of: o.Balance, Since: o.CreatedAt, Booked: o.Booked, Upcoming: o.Upcoming,
	}
	for _, k := range o.Benefit.Kinds {
		s.Scope.Kinds = append(s.Scope.Kinds, string(k))
	}
	if o.Carried {
		s.Rank = rules.Carried
	}
	if o.Unlimited {
		s.Rank = rules.Unlimited
	}
	switch {
	case o.EndsOn != nil:
		s.Until = o.EndsOn.AddDays(-1)
	case o.Validity.FromFirstUse && !first.IsZero():
		s.Until = o.Validity.end(first).AddDays(-1)
	}
	return s
}

// end returns the first day after a plan that begins on a day; zero: it has no end.
func (v Validity) end(from civil.Date) civil.Date {
	if v.Count == 0 {
		return civil.Date{}
	}
	return rules.Schedule{Start: from, Every: rules.Interval{Count: v.Count, Unit: v.Unit}}.Period(0).Until
}

// endSQL is Validity.end, as an expression of expressions: a day, a count and a unit that are not null.
func endSQL(from, count, unit string) string {
	return `(` + from + ` + make_interval(
			days => case ` + unit + ` when 'day' then ` + count + ` when 'week' then 7 * ` + count + ` else 0 end,
			months => case ` + unit + ` when 'month' then ` + count + ` else 0 end,
			years => case ` + unit + ` when 'year' then ` + count + ` else 0 end))::date`
}

// Choose returns what pays for each of the seats, by rules.Choose.
func Choose(seats []rules.Seat, owned []Owned) []rules.Choice {
	var first civil.Date
	for _, s := range seats {
		if first.IsZero() || s.On.Before(first) {
			first = s.On
		}
	}
	sources := make([]rules.Source, len(owned))
	for i, o := range owned {
		sources[i] = o.source(first)
	}
	return rules.Choose(seats, sources)
}

// WouldPay reports whether a plan, bought now, could pay for a seat.
func (p Plan) WouldPay(seat rules.Seat) bool {
	var owned []Owned
	for _, b := range p.Benefits {
		o := Owned{GrantID: uuid.Max, Kind: p.Kind, Benefit: b, StartsOn: seat.On, Unlimited: b.unlimited()}
		if !o.Unlimited {
			o.Balance = *b.Credits
		}
		owned = append(owned, o)
	}
	seat.With = uuid.Nil
	c := Choose([]rules.Seat{seat}, owned)
	return c[0].Source != uuid.Nil
}
