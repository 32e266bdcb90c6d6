package plan

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/plan/rules"
)

// A freeze moves the days of a membership so that its periods follow each other with no gap but the freeze, keep their
// length in days at least, and move back to where they were if it is canceled.
func TestMove(t *testing.T) {
	rnd := rand.New(rand.NewPCG(39, 1))
	units := rules.Month.All()
	for range 50_000 {
		m := Membership{
			Kind: Renewing, Count: 1 + rnd.IntN(3), Unit: string(units[rnd.IntN(4)]), AnchorNumber: 1,
			AnchorOn: civil.NewDate(2026, 1, 1).AddDays(rnd.IntN(800)),
		}
		plan := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}.schedule(m.AnchorOn, 0)
		var cycles []cycle
		running := 1 + rnd.IntN(5)
		for n := running; n <= running+rnd.IntN(3); n++ {
			p := plan.Period(n - 1)
			cycles = append(cycles, cycle{uuid.UUID{byte(n)}, n, p.From, p.Until})
		}
		last := cycles[len(cycles)-1]
		if rnd.IntN(2) == 0 {
			end := plan.Period(last.Number + rnd.IntN(4) - 1).Until
			m.EndsOn = &end
		}
		from := cycles[0].StartsOn.AddDays(1 + rnd.IntN(cycles[0].StartsOn.DaysUntil(last.EndsOn)))
		if !from.Before(last.EndsOn) {
			continue
		}
		var after []cycle
		for _, c := range cycles {
			if c.EndsOn.After(from) {
				after = append(after, c)
			}
		}
		days := 1 + rnd.IntN(100)
		v := m.move(after, from, days)
		before := civil.Date{}
		for i, c := range v.cycles {
			was := after[i]
			whole := !was.StartsOn.Before(from)
			switch {
			case !whole && (c.StartsOn != was.StartsOn || was.EndsOn.DaysUntil(c.EndsOn) != days):
				t.Fatalf("%v from %v for %d days: the running period is %v", was, from, days, c)
			case i > 0 && c.StartsOn != before:
				t.Fatalf("%v from %v for %d days: %v begins at another day than %v", was, from, days, c, before)
			case i == 0 && whole && was.StartsOn.DaysUntil(c.StartsOn) != days:
				t.Fatalf("%v from %v for %d days: the next period is %v", was, from, days, c)
			case c.Number >= v.anchorNumber && c.StartsOn != startBy(m, v, c.Number):
				t.Fatalf("%v begins at another day than %v", c, startBy(m, v, c.Number))
			}
			before = c.EndsOn
		}
		moved := m
		moved.AnchorOn, moved.AnchorNumber, moved.EndsOn = v.anchorOn, v.anchorNumber, v.endsOn
		if m.EndsOn != nil && v.endsOn.Before(*m.EndsOn) { // the last day of a month can be the same one
			t.Fatalf("%v from %v for %d days: it ends on %v, before %v", m, from, days, v.endsOn, m.EndsOn)
		}
		back := moved.move(v.cycles, from, -days)
		for i, c := range back.cycles {
			if i == 0 && (c.StartsOn != after[i].StartsOn) {
				t.Fatalf("%v from %v for %d days, and back: %v", after[i], from, days, c)
			}
		}
	}
}

// A freeze that is canceled leaves nothing behind: the periods, the end and the later periods are those of before.
func TestMoveBack(t *testing.T) {
	rnd := rand.New(rand.NewPCG(39, 2))
	units := rules.Month.All()
	for range 20_000 {
		m := Membership{
			Kind: Renewing, Count: 1 + rnd.IntN(3), Unit: string(units[rnd.IntN(4)]), AnchorNumber: 1,
			AnchorOn: civil.NewDate(2026, 1, 1).AddDays(rnd.IntN(800)),
		}
		schedule := Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}.schedule(m.AnchorOn, 0)
		var all []cycle
		for n := range 1 + rnd.IntN(6) {
			p := schedule.Period(n)
			all = append(all, cycle{uuid.UUID{byte(n)}, n + 1, p.From, p.Until})
		}
		if rnd.IntN(2) == 0 {
			end := schedule.Period(len(all) + rnd.IntN(3) - 1).Until
			m.EndsOn = &end
		}
		i := rnd.IntN(len(all))
		from, days := all[i].StartsOn, rnd.IntN(50)
		if rnd.IntN(2) == 0 {
			from = from.AddDays(rnd.IntN(from.DaysUntil(all[i].EndsOn)))
		}
		v := m.move(all[i:], from, days)
		frozen := m
		frozen.AnchorOn, frozen.AnchorNumber, frozen.EndsOn = v.anchorOn, v.anchorNumber, v.endsOn
		back := frozen.moveBack(slices.Concat(all[:i], v.cycles), from, days)
		switch {
		case days > 0 && !slices.Equal(back.cycles, all[i:]):
			t.Fatalf("%v from %v for %d days, and back: %v", all, from, days, back.cycles)
		case m.EndsOn != nil && *back.endsOn != *m.EndsOn:
			t.Fatalf("%v from %v for %d days, and back: it ends on %v, not on %v", all, from, days, back.endsOn, m.EndsOn)
		case days == 0:
			continue
		}
		for n := len(all); n < len(all)+5; n++ {
			if got := startBy(m, back, n+1); got != schedule.Period(n).From {
				t.Fatalf("%v from %v for %d days, and back: period %d begins on %v", all, from, days, n+1, got)
			}
		}
	}
}

// startBy returns the first day of a period by the anchor.
func startBy(m Membership, v moved, number int) civil.Date {
	return Validity{Count: m.Count, Unit: rules.Unit(m.Unit)}.schedule(v.anchorOn, 0).Period(number - v.anchorNumber).From
}
