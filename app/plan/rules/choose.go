package rules

import (
	"cmp"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
)

// Rank is the order in which plans pay, the first one first.
type Rank int

// The ranks.
const (
	Unlimited Rank = iota
	Carried        // credits of an earlier period
	Included       // credits of the period of the class
	Gift           // and complimentary credits
	Pack
)

// Scope is what a plan pays for. An empty list is all of them.
type Scope struct {
	Offerings []uuid.UUID
	Kinds     []string
	Tags      []string
	Locations []uuid.UUID
	Excluded  []uuid.UUID // offerings
}

// Limits of a plan; 0: none. A week begins on WeekStart.
type Limits struct {
	PerDay, PerWeek int
	Upcoming        int // bookings at once
	WeekStart       time.Weekday
}

// Source is something with which a customer can pay for seats: a membership in one of its periods, or a grant of
// credits.
type Source struct {
	ID      uuid.UUID
	Rank    Rank
	Scope   Scope
	From    civil.Date        // the first day of classes that it pays for
	Until   civil.Date        // the last one; zero: no end
	Credits int               // left; of Unlimited not read
	Costs   map[uuid.UUID]int // credits for a seat of an offering; of others 1
	Limits  Limits
	Value   int64 // of Of credits, in minor units: of packs that end on one day the cheapest credits pay first
	Of      int
	Since   time.Time // when it was bought
	Stopped Why       // it pays for nothing now; empty: it does
	Frozen  []Period  // days on which it pays for nothing
	// ForGuests pays for seats of guests as for the customer's own, and for several seats of a party.
	ForGuests bool
	// GuestsOnly pays for seats of guests alone: its credits are guest passes. A party with the customer in it is none.
	GuestsOnly bool

	Booked   map[civil.Date]int // seats that it pays for already, by day
	Upcoming int                // of them, in the future
}

// Seat is a seat to be paid for.
type Seat struct {
	Offering, Location uuid.UUID
	Kind               string
	Tags               []string
	On                 civil.Date // day of the class
	Guest              bool       // for an attendee other than the customer
	Party              int        // people; 0: one
	With               uuid.UUID  // the source that the customer chose; uuid.Nil: the first one that pays
}

// Why is the reason that a source does not pay for a seat.
type Why string

// The reasons. PastDue and Suspended are those of Source.Stopped.
const (
	NotCovered    Why = "not_covered"
	NotAtLocation Why = "not_at_location"
	NotStarted    Why = "not_started"
	Ended         Why = "ended" // before the class
	OnFreeze      Why = "frozen"
	PastDue       Why = "past_due"
	Suspended     Why = "suspended"
	NoCredits     Why = "no_credits"
	DayFull       Why = "daily_limit"
	WeekFull      Why = "weekly_limit"
	UpcomingFull  Why = "upcoming_limit"
	NoGuestPass   Why = "no_guest_pass"
	GuestsOnly    Why = "guests_only" // the seat is the customer's own
	Behind        Why = "behind"      // another one pays first
	NotChosen     Why = "not_chosen"
)

// Choice is what pays for a seat, and why the other sources do not.
type Choice struct {
	Source  uuid.UUID // uuid.Nil: none pays
	Credits int       // that it costs; 0 of Unlimited
	Passed  []Passed  // in the order of payment
}

// WhyNot returns the reason that a source does not pay for the seat; empty if it does, or is none that was passed.
func (c Choice) WhyNot(source uuid.UUID) Why {
	for _, p := range c.Passed {
		if p.Source == source {
			return p.Why
		}
	}
	return ""
}

// Passed is a source that does not pay for a seat.
type Passed struct {
	Source uuid.UUID
	Why    Why
}

// Choose returns what pays for each of the seats, in their order: for each the first source, by rank, that covers it
// and has enough left after the seats before it. The day of the class decides, not that of the booking. Equal input
// has an equal result, whatever the order of the sources. Neither slice is changed.
func Choose(seats []Seat, sources []Source) []Choice {
	order := make([]purse, len(sources))
	for i := range sources {
		order[i].open(&sources[i])
	}
	slices.SortFunc(order, before)
	out := make([]Choice, len(seats))
	passed := make([]Passed, 0, len(seats)*len(sources)) // of all seats
	for i := range seats {
		c, from := &out[i], len(passed)
		seat := &seats[i]
		on := number(seat.On)
		for j := range order {
			p := &order[j]
			why := p.refusal(seat, on)
			switch {
			case why == "" && c.Source != uuid.Nil:
				why = Behind
			case why == "" && seat.With != uuid.Nil && seat.With != p.ID:
				why = NotChosen
			}
			if why != "" {
				passed = append(passed, Passed{p.ID, why})
				continue
			}
			c.Source, c.Credits = p.ID, p.take(seat, on)
		}
		c.Passed = passed[from:len(passed):len(passed)]
	}
	return out
}

// purse is a source with what seats of this choice have taken from it. Its days are numbers, which are compared often.
type purse struct {
	*Source
	from, until    int
	booked         []bookedOn
	credits, seats int // taken
}

// bookedOn is a number of seats on a day.
type bookedOn struct{ day, seats int }

// noEnd is after the number of every day.
const noEnd = 1 << 30

func (p *purse) open(s *Source) {
	p.Source, p.from, p.until = s, number(s.From), noEnd
	if !s.Until.IsZero() {
		p.until = number(s.Until)
	}
	for d, n := range s.Booked {
		p.booked = append(p.booked, bookedOn{number(d), n})
	}
}

// number is the number of a day in the Gregorian calendar, from 1 for the first of the year 1, a Monday.
func number(d civil.Date) int {
	y, m := d.Year, int(d.Month)
	if m <= 2 {
		y, m = y-1, m+12
	}
	return 365*y + y/4 - y/100 + y/400 + (153*m-457)/5 + d.Day - 306
}

// before compares sources by the order in which they pay. Of those with one rank and one end guest passes pay first:
// what is left of the others can pay for more.
func before(a, b purse) int {
	if n := cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.until, b.until)); n != 0 {
		return n
	}
	if a.GuestsOnly != b.GuestsOnly {
		if a.GuestsOnly {
			return -1
		}
		return 1
	}
	if a.Rank == Pack {
		if n := cmp.Compare(a.Value*int64(max(1, b.Of)), b.Value*int64(max(1, a.Of))); n != 0 {
			return n
		}
	}
	return cmp.Or(a.Since.Compare(b.Since), slices.Compare(a.ID[:], b.ID[:]))
}

// refusal returns the reason that a source does not pay for a seat on the day of a number; empty if it does.
func (p *purse) refusal(seat *Seat, on int) Why {
	switch {
	case !in(p.Scope.Locations, seat.Location):
		return NotAtLocation
	case !p.Scope.covers(seat):
		return NotCovered
	case p.Stopped != "":
		return p.Stopped
	case on < p.from:
		return NotStarted
	case on > p.until:
		return Ended
	case len(p.Frozen) > 0 && slices.ContainsFunc(p.Frozen, func(f Period) bool { return f.Has(seat.On) }):
		return OnFreeze
	case p.GuestsOnly && !seat.Guest:
		return GuestsOnly
	case seat.guest() && !p.ForGuests && !p.GuestsOnly:
		return NoGuestPass
	case p.Rank != Unlimited && p.Credits-p.credits < p.cost(seat):
		return NoCredits
	}
	return p.limit(on)
}

// limit returns the limit that a seat on a day would exceed; empty for none.
func (p *purse) limit(on int) Why {
	l := &p.Limits
	if l.PerDay > 0 && p.seatsOn(on, 1) >= l.PerDay {
		return DayFull
	}
	if l.PerWeek > 0 && p.seatsOn(on-(on-int(l.WeekStart)+7)%7, 7) >= l.PerWeek {
		return WeekFull
	}
	if l.Upcoming > 0 && p.Upcoming+p.seats >= l.Upcoming {
		return UpcomingFull
	}
	return ""
}

// seatsOn returns the number of seats that the source pays for on so many days from a day.
func (p *purse) seatsOn(from, days int) (n int) {
	for _, b := range p.booked {
		if b.day >= from && b.day < from+days {
			n += b.seats
		}
	}
	return n
}

// take takes a seat, and returns the credits that it costs.
func (p *purse) take(seat *Seat, on int) int {
	p.seats++
	p.booked = append(p.booked, bookedOn{on, 1})
	if p.Rank == Unlimited {
		return 0
	}
	n := p.cost(seat)
	p.credits += n
	return n
}

// guest reports whether a seat is not the customer's alone.
func (s *Seat) guest() bool { return s.Guest || s.Party > 1 }

// cost returns the credits for a seat, for each of its people.
func (s *Source) cost(seat *Seat) int {
	n, ok := s.Costs[seat.Offering]
	if !ok {
		n = 1
	}
	return n * max(1, seat.Party)
}

// covers reports whether the scope has the offering of a seat.
func (c *Scope) covers(seat *Seat) bool {
	if slices.Contains(c.Excluded, seat.Offering) {
		return false
	}
	if len(c.Offerings)+len(c.Kinds)+len(c.Tags) == 0 {
		return true
	}
	return slices.Contains(c.Offerings, seat.Offering) || slices.Contains(c.Kinds, seat.Kind) ||
		slices.ContainsFunc(seat.Tags, func(t string) bool { return slices.Contains(c.Tags, t) })
}

// in reports whether a list has something; an empty list has all.
func in[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }
