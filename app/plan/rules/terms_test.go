package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

var monthly = rules.Interval{Count: 1, Unit: rules.Month}

// from are monthly terms from a day, with periods on a day of the month.
func from(start string, on int, changes ...func(*rules.Terms)) rules.Terms {
	t := rules.Terms{Schedule: rules.Schedule{Start: day(start), Every: monthly, Day: on}}
	for _, change := range changes {
		change(&t)
	}
	return t
}

func term(periods int, then rules.Then) func(*rules.Terms) {
	return func(t *rules.Terms) { t.Term.Periods, t.Term.Then = periods, then }
}

func joining(j rules.Joining) func(*rules.Terms) { return func(t *rules.Terms) { t.Joining = j } }

func ending(fee int64) func(*rules.Terms) { return func(t *rules.Terms) { t.Term.EndFee = fee } }

func notice(n rules.Notice) func(*rules.Terms) { return func(t *rules.Terms) { t.Notice = n } }

// The numbers are those of the studios in design/plan-terms.md.
var (
	studio1  = from("2026-01-15", 1, term(3, rules.Renews), notice(rules.Notice{Days: 2}))
	studio2  = from("2026-01-31", 0, term(1, rules.Renews), notice(rules.Notice{Days: 20}))
	studio3  = from("2026-03-20", 1, notice(rules.Notice{Days: 5}), joining(rules.PartAndWhole))
	studio4  = from("2026-07-01", 1, func(t *rules.Terms) { t.OnWeekdays = true })
	studio6  = from("2026-01-10", 1, term(3, rules.Renews), notice(rules.Notice{By: 25}), ending(2500))
	studio7  = from("2026-02-28", 0, term(6, rules.Ends), func(t *rules.Terms) { t.Term.EndPPM = 500_000 })
	studio10 = from("2026-02-10", 1, term(6, rules.Renews), notice(rules.Notice{Months: 1, To: rules.ToQuarter}))
	studio11 = from("2026-01-01", 0, term(12, rules.RenewsAll), notice(rules.Notice{Months: 3}))
	studio13 = rules.Terms{
		Schedule: rules.Schedule{Start: day("2026-01-01"), Every: rules.Interval{Count: 30, Unit: rules.Day}},
		Term:     rules.Term{Periods: 3, Then: rules.Renews},
	}
	germany = rules.Law{AnyDayAfterTerm: true, FreeMonths: 1}
)

// What is charged, and when.
func TestCharges(t *testing.T) {
	for name, c := range map[string]struct {
		terms rules.Terms
		price int64
		want  string // the first charge, then those of the next three periods
	}{
		"1: a part first":       {studio1, 6000, "2026-01-15 3290, 2026-02-01 6000, 2026-03-01 6000, 2026-04-01 6000"},
		"2: from the 31st":      {studio2, 6000, "2026-01-31 6000, 2026-02-28 6000, 2026-03-31 6000, 2026-04-30 6000"},
		"3: a part and a month": {studio3, 9000, "2026-03-20 12484, none, 2026-05-01 9000, 2026-06-01 9000"},
		"4: not on weekends":    {studio4, 8000, "2026-07-01 8000, 2026-08-03 8000, 2026-09-01 8000, 2026-10-01 8000"},
		"13: every 30 days":     {studio13, 9000, "2026-01-01 9000, 2026-01-31 9000, 2026-03-02 9000, 2026-04-01 9000"},
		"joining on the day": {
			from("2026-03-01", 1, func(t *rules.Terms) { t.Joining = rules.PartAndWhole }), 9000,
			"2026-03-01 9000, 2026-04-01 9000, 2026-05-01 9000, 2026-06-01 9000",
		},
		"weekend at the very start": {
			from("2026-08-01", 1, func(t *rules.Terms) { t.OnWeekdays = true }), 1,
			"2026-08-01 1, 2026-09-01 1, 2026-10-01 1, 2026-11-02 1",
		},
	} {
		first := c.terms.First(c.price)
		got := fmt.Sprintf("%s %d", first.On, first.Amount)
		for n := 1; n < 4; n++ {
			if r, due := c.terms.Renewal(n, c.price); due {
				got += fmt.Sprintf(", %s %d", r.On, r.Amount)
			} else {
				got += ", none"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// The first day without a membership that is canceled, a day before the notice is too short and after it.
func TestEnd(t *testing.T) {
	for _, c := range []struct {
		terms       rules.Terms
		law         rules.Law
		asked, want string
	}{
		{studio1, rules.Law{}, "2026-01-20", "2026-05-01"}, {studio1, rules.Law{}, "2026-04-29", "2026-05-01"},
		{studio1, rules.Law{}, "2026-04-30", "2026-06-01"}, {studio1, rules.Law{}, "2026-12-30", "2027-01-01"},
		{studio2, rules.Law{}, "2026-02-08", "2026-02-28"}, {studio2, rules.Law{}, "2026-02-09", "2026-03-31"},
		{studio3, rules.Law{}, "2026-05-27", "2026-06-01"}, {studio3, rules.Law{}, "2026-05-28", "2026-07-01"},
		{studio6, rules.Law{}, "2026-06-25", "2026-07-01"}, {studio6, rules.Law{}, "2026-06-26", "2026-08-01"},
		{studio7, rules.Law{}, "2026-03-15", "2026-08-28"},
		{studio10, rules.Law{}, "2026-03-01", "2026-10-01"}, {studio10, rules.Law{}, "2026-09-01", "2026-10-01"},
		{studio10, rules.Law{}, "2026-09-02", "2027-01-01"},
		{studio11, rules.Law{}, "2026-10-01", "2027-01-01"}, {studio11, rules.Law{}, "2026-10-02", "2028-01-01"},
		{studio11, germany, "2026-02-01", "2027-01-01"}, {studio11, germany, "2026-12-20", "2027-01-20"},
		{studio11, germany, "2027-03-15", "2027-04-15"},
		{studio13, rules.Law{}, "2026-01-02", "2026-04-01"}, {studio13, rules.Law{}, "2026-04-01", "2026-04-01"},
		{studio13, rules.Law{}, "2026-04-02", "2026-05-01"},
		{
			from("2026-01-31", 0), rules.Law{}, "2026-01-31", "2026-01-31"}, {from("2026-01-31", 0), rules.Law{},
			"2026-02-01", "2026-02-28",
		},
		{from("2026-01-31", 0, notice(rules.Notice{Days: 3, To: rules.ToAnyDay})), rules.Law{}, "2026-02-01", "2026-02-04"},
		{from("2026-01-31", 0, notice(rules.Notice{Days: 3})), germany, "2026-02-01", "2026-02-04"},
	} {
		if got := c.terms.End(day(c.asked), c.law).String(); got != c.want {
			t.Errorf("%+v asked on %s: ends on %s, want %s", c.terms, c.asked, got, c.want)
		}
	}
}

// What an earlier end costs.
func TestEndCost(t *testing.T) {
	for _, c := range []struct {
		terms    rules.Terms
		n        int
		cost     int64
		possible bool
	}{
		{studio7, 2, 20_000, true}, {studio7, 5, 5000, true}, {studio7, 6, 0, true},
		{studio6, 1, 2500, true}, {studio6, 4, 0, true}, {studio1, 1, 0, false}, {studio1, 4, 0, true},
		{from("2026-01-01", 0, term(2, rules.Renews), func(t *rules.Terms) { t.Term.EndFee = 99_999 }), 1, 10_000, true},
	} {
		if cost, possible := c.terms.EndCost(c.n, 10_000); cost != c.cost || possible != c.possible {
			t.Errorf("%+v before period %d: %d, %v, want %d, %v", c.terms, c.n, cost, possible, c.cost, c.possible)
		}
	}
}

// TestEnds: an end is never before the notice, unless the law allows it, nor before the term, and waiting with a
// cancellation never ends a membership earlier.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rules.Terms{Schedule: rules.Schedule{
			Start: day("2026-01-01").AddDays(rapid.IntRange(0, 800).Draw(t, "start")),
			Every: rules.Interval{
				Count: rapid.IntRange(1, 3).Draw(t, "count"),
				Unit:  rapid.SampledFrom(rules.Unit("").All()).Draw(t, "unit"),
			},
			Day: rapid.IntRange(0, 31).Draw(t, "day"),
		}}
		terms.Term = rules.Term{
			Periods: rapid.IntRange(0, 4).Draw(t, "term"),
			Then:    rapid.SampledFrom([]rules.Then{rules.Renews, rules.RenewsAll, rules.Ends}).Draw(t, "then"),
		}
		terms.Notice = rules.Notice{
			Days: rapid.IntRange(0, 40).Draw(t, "days"), Months: rapid.IntRange(0, 3).Draw(t, "months"),
			To: rapid.SampledFrom([]rules.To{rules.ToPeriod, rules.ToQuarter, rules.ToAnyDay}).Draw(t, "to"),
		}
		var last civil.Date
		for asked := range 200 {
			on := terms.Start.AddDays(asked)
			end := terms.End(on, rules.Law{})
			fixed := terms.Term.Then == rules.Ends && terms.Term.Periods > 0
			if end.Before(terms.TermEnds(0)) || !fixed && end.Before(on.AddDays(terms.Notice.Days)) || end.Before(last) {
				t.Fatalf("asked on %s: %s, a day before %s, term until %s: %+v", on, end, last, terms.TermEnds(0), terms)
			}
			if free := terms.End(on, germany); end.Before(free) || free.Before(terms.TermEnds(0)) {
				t.Fatalf("by law on %s instead of %s: %+v", free, end, terms)
			}
			last = end
		}
	})
}

// The freezes that studios allow, each at its limit and beyond it.
func TestFreezes(t *testing.T) {
	joined := from("2026-01-01", 1)
	ask := func(asked, from, until string) rules.FreezeRequest {
		r := rules.FreezeRequest{RequestedOn: day(asked), From: day(from)}
		if until != "" {
			r.Until = day(until)
		}
		return r
	}
	period := func(from, until string) rules.Period { return rules.Period{From: day(from), Until: day(until)} }
	two := rules.Freeze{Allowed: true, MinDays: 30, MaxDays: 30, OnFirst: true, PaidPeriods: 3}
	four := rules.Freeze{Allowed: true, MinDays: 28, WholePeriods: true}
	six := rules.Freeze{Allowed: true, MaxDays: 123, PerYear: 2, Apart: 28}
	nine := rules.Freeze{Allowed: true, MaxDays: 92, NoticeDays: 10}
	for _, c := range []struct {
		freeze rules.Freeze
		ask    rules.FreezeRequest
		before []rules.Period
		paid   int
		want   rules.WhyNot
	}{
		{rules.Freeze{}, ask("2026-05-01", "2026-06-01", "2026-07-01"), nil, 9, rules.FreezeNotOffered},
		{two, ask("2026-05-10", "2026-06-01", "2026-07-01"), nil, 3, ""},
		{two, ask("2026-05-10", "2026-06-01", "2026-07-01"), nil, 2, rules.FreezeTooEarly},
		{two, ask("2026-05-10", "2026-06-02", "2026-07-02"), nil, 3, rules.FreezeNotOnFirst},
		{two, ask("2026-05-10", "2026-06-01", "2026-06-30"), nil, 3, rules.FreezeTooShort},
		{two, ask("2026-05-10", "2026-06-01", "2026-07-02"), nil, 3, rules.FreezeTooLong},
		{two, ask("2026-05-10", "2026-06-01", ""), nil, 3, rules.FreezeTooLong},
		{two, ask("2026-06-02", "2026-06-01", "2026-07-01"), nil, 3, rules.FreezeInPast},
		{two, ask("2026-05-10", "2026-06-01", "2026-06-01"), nil, 3, rules.FreezeInPast},
		{four, ask("2026-05-10", "2026-06-01", ""), nil, 0, ""},
		{four, ask("2026-05-10", "2026-06-01", "2026-07-15"), nil, 0, rules.FreezeNotWhole},
		{
			four, ask("2026-05-10", "2026-06-01", ""), []rules.Period{period("2026-06-15", "2026-07-15")}, 0,
			rules.FreezeOverlaps,
		},
		{
			six, ask("2026-06-01", "2026-06-01", "2026-10-02"),
			[]rules.Period{period("2025-06-01", "2025-07-01"), period("2026-03-01", "2026-04-01")}, 0, "",
		},
		{
			six, ask("2026-06-01", "2026-06-01", "2026-07-01"),
			[]rules.Period{period("2025-06-02", "2025-07-01"), period("2026-03-01", "2026-04-01")}, 0,
			rules.FreezeTooOften,
		},
		{
			six, ask("2026-04-28", "2026-04-28", "2026-05-28"), []rules.Period{period("2026-03-01", "2026-04-01")}, 0,
			rules.FreezeTooClose,
		},
		{six, ask("2026-04-29", "2026-04-29", "2026-05-28"), []rules.Period{period("2026-03-01", "2026-04-01")}, 0, ""},
		{nine, ask("2026-05-22", "2026-06-01", "2026-09-01"), nil, 0, ""},
		{nine, ask("2026-05-23", "2026-06-01", "2026-09-01"), nil, 0, rules.FreezeTooLate},
		{nine, ask("2026-05-22", "2026-06-01", "2026-09-02"), nil, 0, rules.FreezeTooLong},
	} {
		if got := c.freeze.Refuses(joined, c.ask, c.before, c.paid); got != c.want {
			t.Errorf("%+v, %+v after %v: %q, want %q", c.freeze, c.ask, c.before, got, c.want)
		}
	}
	staff := ask("2026-05-30", "2026-06-01", "")
	staff.Staff = true
	if got := (rules.Freeze{}).Refuses(joined, staff, nil, 0); got != "" {
		t.Errorf("by the studio: %q", got)
	}
}

// What happens by when to a renewal that is not paid.
func TestLate(t *testing.T) {
	charge := func(d int) rules.LateStep { return rules.LateStep{Day: d, Charge: true} }
	for name, c := range map[string]struct {
		late rules.Late
		want []rules.LateStep
	}{
		"as a rule": {rules.Late{Tries: []int{1, 3, 5, 7}, Grace: 3}, []rules.LateStep{
			charge(1), {Day: 3, Charge: true, Stop: true}, charge(5), charge(7),
		}},
		"3: a fee after ten days": {
			rules.Late{Grace: 10, Fee: 1000, FeeOn: 10}, []rules.LateStep{{Day: 10, Fee: true, Stop: true}},
		},
		"9: ended on the fourth": {rules.Late{Tries: []int{1, 5}, Grace: 3, EndsOn: 4}, []rules.LateStep{
			charge(1), {Day: 3, Stop: true}, {Day: 4, Ended: true},
		}},
	} {
		if got := c.late.Steps(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
