package walkin

import (
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/civil"
)

// door is Facts at one moment, with the hours of each room put into real time.
type door struct {
	f     *Facts
	start time.Time                // of a stay
	hours [][]availability.Opening // by room
}

// doorAhead is the range of the search for the next opening.
const doorAhead = 15 * 24 * time.Hour

func (f *Facts) door(now time.Time) door {
	d := door{f: f, start: minuteOf(now), hours: make([][]availability.Opening, len(f.Rooms))}
	for i, r := range f.Rooms {
		d.hours[i] = availability.OpenHours(f.Zone, f.Week, f.Special, r.Week, d.start, d.start.Add(doorAhead))
	}
	return d
}

// minuteOf returns the current minute. Walk-ins come and go in whole minutes: a seat that is released in one is
// available in the same one.
func minuteOf(now time.Time) time.Time { return now.UTC().Truncate(time.Minute) }

// stay is the offer of a room for a walk-in now.
type stay struct {
	open     bool // the room is
	closes   time.Time
	capacity int   // seats, occupied or not
	free     int   // the largest party that can come in
	why      error // reason without a seat: ErrClosed, ErrLastEntry or ErrFull
}

// stay returns the seats of a room for a stay of an offer of so many minutes. A room that closes before the end of
// the stay has no seats: the last-entry rule, E65. It is counted in elapsed time, so a day on which the clocks change
// has its real length.
func (d *door) stay(o Listing, room, minutes int) stay {
	r := d.f.Rooms[room]
	s := stay{capacity: min(r.Capacity, o.Capacity), why: ErrClosed}
	for _, h := range d.hours[room] {
		if !d.start.Before(h.From) && d.start.Before(h.To) {
			s.open, s.closes = true, h.To
		}
	}
	if !s.open {
		return s
	}
	ends := d.start.Add(time.Duration(minutes) * time.Minute)
	late := o.LastStart != nil && civil.LocalClock(d.start, d.f.Zone) > *o.LastStart
	if late || ends.After(s.closes) {
		s.why = ErrLastEntry.With("closesAt", s.closes)
		return s
	}
	s.why = nil
	if s.free = s.capacity - r.peak(d.start, ends.Add(time.Duration(o.After)*time.Minute)); s.free <= 0 {
		s.free, s.why = 0, ErrNoSeats
	}
	return s
}

// bestOf returns the seats of a room for a stay of the default length of any of these offers: it is one room, however
// many of them it hosts. E69. hosts is false when it hosts none.
func (d *door) bestOf(offers []Listing, room int) (best stay, hosts bool) {
	for _, o := range offers {
		if !slices.Contains(o.Rooms, room) {
			continue
		}
		s := d.stay(o, room, o.Lengths.Default())
		hosts = true
		best.open, best.closes = s.open, s.closes
		best.capacity, best.free = max(best.capacity, s.capacity), max(best.free, s.free)
	}
	return best, hosts
}

// choose finds the first room of an offer, in its order, with room for a party for so many minutes. Without one the
// error is the reason of the room that comes nearest to it.
func (d *door) choose(o Listing, minutes, party int) (room int, err error) {
	most, err := 0, error(ErrClosed)
	for _, i := range o.Rooms {
		s := d.stay(o, i, minutes)
		if s.free >= party {
			return i, nil
		}
		most = max(most, s.free)
		if s.why == nil {
			s.why = ErrNoSeats
		}
		if nearness(s.why) > nearness(err) {
			err = s.why
		}
	}
	if nearness(err) == nearness(ErrNoSeats) {
		err = ErrNoSeats.With("spots", most)
	}
	return -1, err
}

// nearness orders refusals: open and full is nearer to yes than too late, and that nearer than closed.
func nearness(err error) int {
	return slices.IndexFunc([]error{ErrClosed, ErrLastEntry, ErrNoSeats}, func(e error) bool { return errors.Is(err, e) })
}

// peak returns the number of occupied seats at the fullest moment of a stretch; all of them when the whole room is
// occupied.
func (r Room) peak(from, to time.Time) int {
	most := r.taken(from)
	for _, b := range r.Busy {
		if b.From.After(from) && b.From.Before(to) {
			most = max(most, r.taken(b.From))
		}
	}
	return most
}

// taken returns the number of occupied seats at a moment.
func (r Room) taken(at time.Time) int {
	n := 0
	for _, b := range r.Busy {
		if at.Before(b.From) || !at.Before(b.To) {
			continue
		}
		if b.Seats == 0 {
			return everySeat
		}
		n += b.Seats
	}
	return n
}

// everySeat is more than any room has.
const everySeat = 1 << 30

// inside returns the number of people in the room; zero if the whole room is booked, as their number is unknown.
func (r Room) inside(at time.Time) int {
	if n := r.taken(at); n < everySeat {
		return n
	}
	return 0
}

// opens is when the first of these rooms opens next; nil when that is not within doorAhead.
func (d *door) opens(rooms []Spots) *time.Time {
	counted := map[uuid.UUID]bool{}
	for _, r := range rooms {
		counted[r.SpaceID] = true
	}
	var first *time.Time
	for i, list := range d.hours {
		for _, h := range list {
			if counted[d.f.Rooms[i].ID] && h.From.After(d.start) && (first == nil || h.From.Before(*first)) {
				first = &h.From
			}
		}
	}
	return first
}
