package plan

import (
	"foyer/app/civil"
	"foyer/app/plan/rules"
)

// A plan can have what is due on a weekend charged on the next weekday. The period begins all the same, and its days of
// grace count from the charge.

// ChargesOn returns the day on or after a day on which a payment is charged.
func (t Terms) ChargesOn(day civil.Date) civil.Date {
	if t.OnWeekdays {
		return rules.Weekday(day)
	}
	return day
}

// ChargesOn returns the day on which the next billing period is charged. There is one.
func (m Membership) ChargesOn() civil.Date { return m.Renewal.Terms.ChargesOn(m.Next.StartsOn) }

// chargeDaySQL is the day on which a billing period c of a membership m is charged.
const chargeDaySQL = `(c.starts_on + case when (m.sold #>> '{renewal,terms,onWeekdays}')::bool
		then case extract(isodow from c.starts_on) when 6 then 2 when 7 then 1 else 0 end else 0 end)`
