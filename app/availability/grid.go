package availability

import (
	"math"

	"foyer/app/civil"
)

// mark is a start that an opening offers.
type mark struct {
	at  int64
	day int // index of the day of the calendar
}

// marks lists the starts of a resource from a first instant up to, and without, a last, in order: every so many
// minutes on the wall clock, counted from each opening, as long as all of length lies in the hours. So a grid of 15
// minutes has 09:00 and 09:15 on days of 23 and 25 hours too. A time that the wall clock skips is left out, and one
// that it shows twice is there once.
func (n *finder) marks(r *resource, p *readyPart, length int64, from, to int64) []mark {
	var out []mark
	last := int64(math.MinInt64)
	for i := range r.openings {
		o := &r.openings[i]
		if o.to <= from || o.from >= to {
			continue
		}
		day := &n.cal.days[o.day]
		if out == nil {
			out = make([]mark, 0, (len(r.openings)-i)*(int(o.to-o.from)/60/p.step+1))
		}
		for minute := o.minute; minute < minutesPerDay && minute <= p.lastStart; minute += p.step {
			at := day.start + int64(minute)*60
			if !day.plain {
				shown, gap := civil.Resolve(day.date, civil.Clock(minute), n.cal.loc)
				if gap {
					continue
				}
				at = shown
			}
			if at >= to || at >= o.to {
				break
			}
			if at >= from && at >= o.from && at > last && r.hours.covers(at, at+length) {
				out = append(out, mark{at, o.day})
				last = at
			}
		}
	}
	return out
}

// merged goes through the marks of several resources in the order of time. Its turn is the resources with the mark.
type merged struct {
	lists [][]mark
	at    []int
	turn  []int // indices of the lists that have the current mark
}

// next goes to the next mark; ok is false at the end.
func (m *merged) next() (now mark, ok bool) {
	for i, list := range m.lists {
		if m.at[i] < len(list) && (!ok || list[m.at[i]].at < now.at) {
			now, ok = list[m.at[i]], true
		}
	}
	m.turn = m.turn[:0]
	for i, list := range m.lists {
		if m.at[i] < len(list) && list[m.at[i]].at == now.at && ok {
			m.turn = append(m.turn, i)
			m.at[i]++
		}
	}
	return now, ok
}
