package availability

import (
	"slices"

	"foyer/app/civil"
)

// A resource is a person or a space, made ready to be asked about many times: when it is open, when it is busy, how many
// seats are taken.
type resource struct {
	index            int // into Facts.People or Facts.Rooms
	openings         []opening
	hours            cursor
	busy             cursor
	seats            occupancy // of a space that is shared
	capacity         int       // of a space, for the offer that asks
	edges            []int64   // where claims begin and end, in order; of offers with Compact only
	left, leftOfWeek []int     // of a person with caps: how many more may be given, by day
}

// personFor prepares a person. Their caps are counted by day of the calendar.
func (n *finder) personFor(index int, o *Offer) *resource {
	p := &n.f.People[index]
	r := &resource{index: index, openings: n.cal.ofPerson(p.Week)}
	r.hours.set = setOf(r.openings)
	r.busy.set = busySet(p.Busy)
	if o.Compact {
		r.edges = edgesOf(p.Busy)
	}
	if p.DailyCap > 0 || p.WeeklyCap > 0 {
		r.left, r.leftOfWeek = n.left(p)
	}
	return r
}

// left is how many more appointments a person may give, on a day of the calendar and in its week.
func (n *finder) left(p *Person) (day, week []int) {
	given := map[civil.Date]int{}
	if p.WeeklyCap > 0 {
		for d, count := range p.Given {
			given[mondayOf(d)] += count
		}
	}
	for _, d := range n.cal.days {
		ofDay, ofWeek := uncapped, uncapped
		if p.DailyCap > 0 {
			ofDay = p.DailyCap - p.Given[d.date]
		}
		if p.WeeklyCap > 0 {
			ofWeek = p.WeeklyCap - given[mondayOf(d.date)]
		}
		day, week = append(day, ofDay), append(week, ofWeek)
	}
	return day, week
}

// uncapped is more than anybody gives.
const uncapped = 1 << 30

// mondayOf is the day on which the week of d begins.
func mondayOf(d civil.Date) civil.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// spaceFor prepares a space for an offer. Whoever takes the whole of it needs it and its parts to be empty; whoever takes
// seats needs seats, and nobody who has the whole of it or of a part. What has the whole that it is a part of, has it.
func (n *finder) spaceFor(index int, o *Offer) *resource {
	space := &n.f.Spaces[index]
	r := &resource{index: index, openings: n.cal.ofSpace(space.Week), capacity: min(space.Capacity, o.Capacity)}
	r.hours.set = setOf(r.openings)
	shared := o.Shared()
	var busy, seats []Busy
	for i := range n.f.Spaces {
		if !n.f.related(i, index) {
			continue
		}
		for _, b := range n.f.Spaces[i].Busy {
			if !shared || b.Kind == Claimed || b.Kind == TimeOffReason {
				busy = append(busy, b)
			}
		}
	}
	if shared {
		for _, b := range space.Busy {
			if b.Kind == ClaimedSeats {
				seats = append(seats, b)
			}
		}
		r.seats = newOccupancy(seats)
	}
	r.busy.set = busySet(busy)
	if o.Compact {
		r.edges = edgesOf(space.Busy)
	}
	return r
}

// related tells whether two spaces are the same, or one is a part of the other, however deep.
func (f *Facts) related(a, b int) bool { return f.within(a, b) || f.within(b, a) }

// within tells whether a space is another, or a part of it. A ring of parts, which nobody can make, ends too.
func (f *Facts) within(part, whole int) bool {
	for range f.Spaces {
		if part == whole {
			return true
		}
		if part = f.Spaces[part].Whole; part < 0 {
			return false
		}
	}
	return false
}

// busySet is when there is anything of a list.
func busySet(list []Busy) []stretch {
	out := make([]stretch, len(list))
	for i, b := range list {
		out[i] = stretch{b.From, b.To}
	}
	return normal(out)
}

// edgesOf lists when claims begin and end.
func edgesOf(list []Busy) []int64 {
	out := make([]int64, 0, 2*len(list))
	for _, b := range list {
		if b.Kind != TimeOffReason {
			out = append(out, b.From, b.To)
		}
	}
	slices.Sort(out)
	return out
}

// touches tells whether a claim ends where a stretch begins, or begins where it ends.
func (r *resource) touches(from, to int64) bool {
	_, before := slices.BinarySearch(r.edges, from)
	_, after := slices.BinarySearch(r.edges, to)
	return before || after
}

// capped tells whether a person who is about to give so many on a day and in its week gives no further one.
func (r *resource) capped(day, today, thisWeek int) bool {
	return r.left != nil && (r.left[day] <= today || r.leftOfWeek[day] <= thisWeek)
}

// vacant is how many people there is room for; busy tells that somebody has the whole of it.
func (r *resource) vacant(from, to int64) (seats int, busy bool) {
	if r.busy.meets(from, to) {
		return 0, true
	}
	return r.capacity - r.seats.peak(from, to), false
}
