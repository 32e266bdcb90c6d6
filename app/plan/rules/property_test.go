package rules_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"foyer/app/apptest/walks"
	"foyer/app/civil"
	"foyer/app/plan/rules"
)

// cases is the number of random cases of each property here. They draw plain numbers, which is fast: all of them take
// some seconds. Those with rapid, which shrinks what fails, have fewer.
const cases = 50_000

// random calls check with random numbers for each case, until one fails.
func random(t *testing.T, check func(r *rand.Rand)) {
	t.Helper()
	t.Parallel()
	r := rand.New(rand.NewPCG(walks.Seed(t), 39))
	for i := range cases {
		if check(r); t.Failed() {
			t.Fatalf("in case %d", i)
		}
	}
}

func anyPrice(r *rand.Rand) int64 { return r.Int64N(100_000_000) }

func anyDay(r *rand.Rand) civil.Date { return day("2024-01-01").AddDays(r.IntN(3000)) }

// lastOf returns the last day of the month of a day.
func lastOf(d civil.Date) int { return time.Date(d.Year, d.Month+1, 0, 0, 0, 0, 0, time.UTC).Day() }

// byMonth is a schedule of so many months from some day.
func byMonth(r *rand.Rand, months int) rules.Schedule {
	return rules.Schedule{Start: anyDay(r), Every: rules.Interval{Count: months, Unit: rules.Month}}
}

// TestEveryChange: after any sequence of changes of plan, with refunds and uses between them, the unused part is
// between nothing and what was paid, and so is what a customer gets for a cheaper plan; credits are not below zero, nor
// more than all plans together include.
func TestEveryChange(t *testing.T) {
	random(t, func(r *rand.Rand) {
		whole, at := 1+r.IntN(366), 0
		price := anyPrice(r)
		c := rules.Change{Whole: whole, Held: []rules.Held{{Price: price, Credits: r.IntN(30)}}, Paid: price}
		for range 1 + r.IntN(6) {
			held := r.IntN(whole - at + 1)
			at += held
			c.Held[len(c.Held)-1].ForDays, c.Left = held, whole-at
			if r.IntN(8) == 0 {
				c.Paid -= r.Int64N(c.Paid + 1) // a refund
			}
			c.Price, c.Included, c.Used = anyPrice(r), r.IntN(30), r.IntN(40)
			unused, amount, credits := c.Unused(), c.Amount(), c.Credits()
			most := c.Included
			for _, h := range c.Held {
				most += h.Credits
			}
			if unused < 0 || unused > c.Paid || amount < -c.Paid || amount > c.Price || credits < 0 || credits > most {
				t.Errorf("unused %d, charged %d, %d credits: %+v", unused, amount, credits, c)
			}
			c.Paid += amount
			c.Held = append(c.Held, rules.Held{Price: c.Price, Credits: c.Included})
		}
	})
}

// TestEveryPart: the parts of an amount add up to it at any cut, none is negative, and a smaller number of parts is
// never worth more.
func TestEveryPart(t *testing.T) {
	random(t, func(r *rand.Rand) {
		amount, n := anyPrice(r), 1+r.IntN(400)
		k := 1 + r.IntN(n)
		before, part := rules.UpTo(amount, k-1, n), rules.PartOf(amount, k, n)
		if part < 0 || before+part != rules.UpTo(amount, k, n) || rules.UpTo(amount, n, n) != amount || before > amount {
			t.Errorf("part %d of %d of %d: %d after %d", k, n, amount, part, before)
		}
		roll := rules.Rollover{Most: r.IntN(10), Balance: r.IntN(20)}
		unused, included := r.IntN(20), r.IntN(20)
		if got := roll.Carry(unused, included); got < 0 || got > unused || got > roll.Most ||
			roll.Balance > 0 && got > 0 && got+included > roll.Balance {
			t.Errorf("%+v carries %d of %d into %d", roll, got, unused, included)
		}
	})
}

// TestEveryPeriod: billing periods follow each other without a gap, begin on the day that was meant or on the last one
// of a shorter month however far away, and each day is in the period that is found for it.
func TestEveryPeriod(t *testing.T) {
	random(t, func(r *rand.Rand) {
		s := rules.Schedule{Start: anyDay(r), Every: rules.Interval{
			Count: 1 + r.IntN(6), Unit: rules.Unit("").All()[r.IntN(4)],
		}}
		if r.IntN(2) == 0 {
			s.Day = 1 + r.IntN(31)
		}
		n := 1 + r.IntN(60)
		before, p := s.Period(n-1), s.Period(n)
		if before.Until != p.From || p.Days() < 1 || p.Days() != p.Whole {
			t.Errorf("%+v: %+v, then %+v", s, before, p)
		}
		meant := s.Start.Day
		if s.Day > 0 {
			meant = s.Day
		}
		if u := s.Every.Unit; (u == rules.Month || u == rules.Year) && p.From.Day != min(meant, lastOf(p.From)) {
			t.Errorf("%+v: period %d begins on %s", s, n, p.From)
		}
		in := p.From.AddDays(r.IntN(p.Days()))
		if got, at, found := s.Of(in); !found || at != n || got != p {
			t.Errorf("%+v: %s is in %+v, number %d, want %d", s, in, got, at, n)
		}
		price := anyPrice(r)
		if first := s.Period(0); first.Share(price) < 0 || first.Share(price) > price || p.Share(price) != price {
			t.Errorf("%+v: %d and %d of %d", s, first.Share(price), p.Share(price), price)
		}
		if got := s.Every.Monthly(price); got < 0 || s.Every.Unit == rules.Month && s.Every.Count == 1 && got != price {
			t.Errorf("%+v: %d a month of %d", s.Every, got, price)
		}
	})
}

// TestEveryEnd: an end is not before its notice and its term, is not earlier for a later cancellation, and costs at
// most the prices of what remains of the term.
func TestEveryEnd(t *testing.T) {
	random(t, func(r *rand.Rand) {
		terms := rules.Terms{
			Schedule: byMonth(r, 1+r.IntN(3)),
			Term: rules.Term{
				Periods: r.IntN(13), Then: rules.Renews, EndFee: r.Int64N(10_000), EndPPM: r.Int64N(1_000_000),
			},
			Notice: rules.Notice{
				Days: r.IntN(90), To: []rules.To{rules.ToPeriod, rules.ToQuarter, rules.ToAnyDay}[r.IntN(3)],
			},
		}
		on := terms.Start.AddDays(r.IntN(800))
		end := terms.End(on, rules.Law{})
		if end.Before(on.AddDays(terms.Notice.Days)) || end.Before(terms.TermEnds(0)) ||
			terms.End(on.AddDays(1), rules.Law{}).Before(end) {
			t.Errorf("%+v: canceled on %s it ends on %s", terms, on, end)
		}
		n, price := r.IntN(15), anyPrice(r)
		cost, possible := terms.EndCost(n, price)
		var rest int64
		for i := n; terms.Period(i).From.Before(terms.TermEnds(0)); i++ {
			rest += price
		}
		if possible && (cost < 0 || cost > rest) {
			t.Errorf("%+v: period %d costs %d of %d", terms, n, cost, rest)
		}
	})
}

// TestEveryFreeze: a freeze that is allowed overlaps no other, and keeps its limits.
func TestEveryFreeze(t *testing.T) {
	random(t, func(r *rand.Rand) {
		terms := rules.Terms{Schedule: byMonth(r, 1)}
		f := rules.Freeze{
			Allowed: true, MinDays: r.IntN(10), MaxDays: 10 + r.IntN(60), Apart: r.IntN(30), NoticeDays: r.IntN(10),
		}
		from := terms.Start.AddDays(40 + r.IntN(100))
		ask := rules.FreezeRequest{RequestedOn: from.AddDays(-r.IntN(20)), From: from, Until: from.AddDays(r.IntN(80))}
		other := rules.Period{From: terms.Start.AddDays(r.IntN(150))}
		other.Until = other.From.AddDays(1 + r.IntN(30))
		if f.Refuses(terms, ask, []rules.Period{other}, 1) != "" {
			return
		}
		days := ask.From.DaysUntil(ask.Until)
		if ask.From.Before(other.Until) && other.From.Before(ask.Until) || days < f.MinDays || days > f.MaxDays || days < 1 {
			t.Errorf("%+v allows %+v beside %+v", f, ask, other)
		}
	})
}
