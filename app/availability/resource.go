package availability

import (
	"slices"

	"foyer/app/civil"
)

// A resource is a person or a space, prepared for many lookups: opening times, busy times, occupied seats.
type resource struct {
	index            int // into Facts.People or Facts.Spaces
	openings         []opening
	hours            cursor
	busy             cursor
	seats            occupancy // of a space that is shared
	capacity         int       // of a space, for the present offer
	edges            []int64   // where claims begin and end, in order; of offers with Compact only
	left, leftOfWeek []int     // of a person with caps: number of further appointments, by day
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

// uncapped is more than any member has appointments.
const uncapped = 1 << 30

// mondayOf returns the first day of the week of d.
func mondayOf(d civil.Date) civil.Date { return d.AddDays(-(int(d.Weekday()) + 6) % 7) }

// spaceFor prepares a space for an offer. An offer of the whole space needs it and its parts to be empty; an offer of
// seats needs seats, and no occupant of the whole space or of a part. An occupant of the whole that it is a part of,
// occupies it.
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

// related reports whether two spaces are the same, or one is a part of the other, at any depth.
func (f *Facts) related(a, b int) bool { return f.within(a, b) || f.within(b, a) }

// within reports whether a space is another, or a part of it. A ring of parts, which cannot be made, ends too.
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

// touches reports whether a claim ends where a stretch begins, or begins where it ends.
func (r *resource) touches(from, to int64) bool {
	_, before := slices.BinarySearch(r.edges, from)
	_, after := slices.BinarySearch(r.edges, to)
	return before || after
}

// capped reports whether a person with so many appointments on a day and in its week has reached a cap.
func (r *resource) capped(day, today, thisWeek int) bool {
	return r.left != nil && (r.left[day] <= today || r.leftOfWeek[day] <= thisWeek)
}

// vacant returns the number of available seats; busy reports that the whole space is occupied.
func (r *resource) vacant(from, to int64) (seats int, busy bool) {
	if r.busy.meets(from, to) {
		return 0, true
	}
	return r.capacity - r.seats.peak(from, to), false
}
