package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/plan/rules"
	"foyer/app/tenancy"
)

// MembershipSums counts memberships in one currency over one or more months, with the billing periods paid in them;
// amounts in minor units.
type MembershipSums struct {
	Currency  money.Currency
	Opening   int   // active before the first day
	Joined    int   // sold
	Canceled  int   // ended because they were canceled, or their payment was refunded
	Unpaid    int   // ended because a billing period was not paid
	Completed int   // ended by their terms
	Payments  int   // billing periods paid
	Income    int64 // of those, by their price
}

// Ended returns the number of memberships that ended.
func (m MembershipSums) Ended() int { return m.Canceled + m.Unpaid + m.Completed }

// Closing returns the number of active memberships at the end of the last day.
func (m MembershipSums) Closing() int { return m.Opening + m.Joined - m.Ended() }

// ChurnPPM returns the churn rate in parts per million: the ended memberships by the number of those active at the
// start; 0 without any.
func (m MembershipSums) ChurnPPM() int64 {
	if m.Opening == 0 {
		return 0
	}
	return money.RoundHalfUp(int64(m.Ended()), money.Million, int64(m.Opening))
}

// add adds the sums of the same months.
func (m *MembershipSums) add(o MembershipSums) {
	m.Opening += o.Opening
	m.next(o)
}

// next adds the sums of later months.
func (m *MembershipSums) next(o MembershipSums) {
	m.Joined, m.Canceled, m.Unpaid, m.Completed = m.Joined+o.Joined, m.Canceled+o.Canceled, m.Unpaid+o.Unpaid,
		m.Completed+o.Completed
	m.Payments, m.Income = m.Payments+o.Payments, m.Income+o.Income
}

// MembershipValue is the recurring value of memberships now, in minor units. It is of those that are active and in a
// billing period.
type MembershipValue struct {
	Members int
	Monthly int64 // their prices, each in proportion to a month
}

// Average returns the monthly value of a member; 0 without members.
func (v MembershipValue) Average() int64 {
	if v.Members == 0 {
		return 0
	}
	return money.RoundHalfUp(v.Monthly, 1, int64(v.Members))
}

func (v *MembershipValue) add(o MembershipValue) {
	v.Members, v.Monthly = v.Members+o.Members, v.Monthly+o.Monthly
}

// MembershipRow is the memberships of a month, of one plan at one location.
type MembershipRow struct {
	Date         civil.Date // the first of the month
	LocationID   uuid.UUID
	LocationName string
	PlanID       uuid.UUID
	PlanName     string
	MembershipSums
}

// MembershipMonth is the memberships of a month.
type MembershipMonth struct {
	Date civil.Date // the first of the month
	MembershipSums
}

// MembershipPlan is the memberships of a plan over all months of a report, with their value now.
type MembershipPlan struct {
	PlanID   uuid.UUID
	PlanName string
	MembershipSums
	Now MembershipValue
}

// MembershipTotal is the memberships in one currency over all months of a report, with their value now.
type MembershipTotal struct {
	MembershipSums
	Now MembershipValue
}

// MembershipReport is the report of a studio's memberships that renew. A month is that of the location's clock.
type MembershipReport struct {
	Range
	Rows   []MembershipRow
	Months []MembershipMonth // by month and currency, of all rows
	Plans  []MembershipPlan  // by currency and plan
	Totals []MembershipTotal // by currency
}

// Memberships reports the members of each month that the range touches, those who joined and left, and the billing
// periods paid in it. A membership has ended on the first day without it, so that the report of a month that is over
// stays. A member counts with their present plan, at the location that sold it. It needs report.finance, and covers the
// caller's locations with it. It returns a validation error and policy.ErrMissingFeature.
func (s *Service) Memberships(ctx context.Context, sc tenancy.Scope, in Range) (MembershipReport, error) {
	v, span, err := s.begin(sc, &in, ByMonth)
	if err != nil {
		return MembershipReport{}, err
	}
	in.From = in.From.AddDays(1 - in.From.Day)
	next := in.To.AddDays(32 - in.To.Day) // a day of the next month
	in.To = next.AddDays(-next.Day)
	found, err := readMemberships(ctx, v, span, in, s.sums+1)
	if err != nil {
		return MembershipReport{}, err
	}
	if err := bounded(max(len(found.counts), len(found.paid)), s.sums); err != nil {
		return MembershipReport{}, err
	}
	out := MembershipReport{Range: in, Rows: found.rows()}
	out.Months, out.Plans, out.Totals = found.sums(out.Rows)
	return out, bounded(len(out.Rows), mostRows)
}

// memberships are the sums that a report reads.
type memberships struct {
	counts, paid    []membershipCount
	prices          []membershipPrice
	locations, plan map[uuid.UUID]string
}

// membershipCount is a MembershipRow without names. Either the members are counted in it, or the payments.
type membershipCount struct {
	Date               civil.Date
	LocationID, PlanID uuid.UUID
	MembershipSums
}

// membershipPrice is a number of memberships of a plan at a price.
type membershipPrice struct {
	PlanID   uuid.UUID
	Currency money.Currency
	Price    int64
	Count    int
	Unit     rules.Unit
	Members  int
}

// value returns what they amount to.
func (p membershipPrice) value() MembershipValue {
	each := rules.Interval{Count: p.Count, Unit: p.Unit}.Monthly(p.Price)
	return MembershipValue{Members: p.Members, Monthly: each * int64(p.Members)}
}

// rows joins the members of a month and its payments.
func (f memberships) rows() []MembershipRow {
	type key struct {
		date           civil.Date
		location, plan uuid.UUID
		currency       money.Currency
	}
	sums := map[key]*MembershipSums{}
	for _, c := range slices.Concat(f.counts, f.paid) {
		k := key{c.Date, c.LocationID, c.PlanID, c.Currency}
		if sums[k] == nil {
			sums[k] = &MembershipSums{Currency: c.Currency}
		}
		sums[k].add(c.MembershipSums)
	}
	rows := make([]MembershipRow, 0, len(sums))
	for k, m := range sums {
		rows = append(rows, MembershipRow{
			Date: k.date, LocationID: k.location, LocationName: f.locations[k.location], PlanID: k.plan,
			PlanName: f.plan[k.plan], MembershipSums: *m,
		})
	}
	slices.SortFunc(rows, func(a, b MembershipRow) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.LocationName, b.LocationName),
			cmp.Compare(a.LocationID.String(), b.LocationID.String()), byPlan(a, b))
	})
	return rows
}

func byPlan(a, b MembershipRow) int {
	return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.PlanName, b.PlanName),
		cmp.Compare(a.PlanID.String(), b.PlanID.String()))
}

// sums adds up rows by month, by plan and by currency, with the value of memberships now. The opening number of a plan
// is that of the first month.
func (f memberships) sums(rows []MembershipRow) (
	months []MembershipMonth, plans []MembershipPlan, totals []MembershipTotal,
) {
	for _, r := range rows {
		i := slices.IndexFunc(months, func(m MembershipMonth) bool {
			return m.Date == r.Date && m.Currency == r.Currency
		})
		if i < 0 {
			i, months = len(months), append(months, MembershipMonth{r.Date, MembershipSums{Currency: r.Currency}})
		}
		months[i].add(r.MembershipSums)
	}
	plan := func(id uuid.UUID, cur money.Currency) *MembershipPlan {
		i := slices.IndexFunc(plans, func(p MembershipPlan) bool { return p.PlanID == id && p.Currency == cur })
		if i < 0 {
			i, plans = len(plans), append(plans, MembershipPlan{
				PlanID: id, PlanName: f.plan[id], MembershipSums: MembershipSums{Currency: cur},
			})
		}
		return &plans[i]
	}
	total := func(cur money.Currency) *MembershipTotal {
		i := slices.IndexFunc(totals, func(t MembershipTotal) bool { return t.Currency == cur })
		if i < 0 {
			i, totals = len(totals), append(totals, MembershipTotal{MembershipSums: MembershipSums{Currency: cur}})
		}
		return &totals[i]
	}
	for _, r := range rows {
		later := r.Date != rows[0].Date
		for _, sum := range []*MembershipSums{
			&plan(r.PlanID, r.Currency).MembershipSums, &total(r.Currency).MembershipSums,
		} {
			if later {
				sum.next(r.MembershipSums)
			} else {
				sum.add(r.MembershipSums)
			}
		}
	}
	for _, p := range f.prices {
		plan(p.PlanID, p.Currency).Now.add(p.value())
		total(p.Currency).Now.add(p.value())
	}
	slices.SortFunc(months, func(a, b MembershipMonth) int {
		return cmp.Or(a.Date.Compare(b.Date), cmp.Compare(a.Currency, b.Currency))
	})
	slices.SortFunc(plans, func(a, b MembershipPlan) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.PlanName, b.PlanName),
			cmp.Compare(a.PlanID.String(), b.PlanID.String()))
	})
	slices.SortFunc(totals, func(a, b MembershipTotal) int { return cmp.Compare(a.Currency, b.Currency) })
	return months, plans, totals
}
