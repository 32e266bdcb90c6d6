package availability

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/schedule"
)

// dateFact is one date of a class with the facts that decide about a booking.
type dateFact struct {
	ID         uuid.UUID
	OfferingID uuid.UUID
	StartsAt   time.Time
	EndsAt     time.Time
	MemberID   *uuid.UUID
	Instructor string
	SpaceID    *uuid.UUID
	Space      string
	schedule.Seats
	Reserved bool // available seats are about to be offered to the waitlist
}

// dates returns the dates of a class before an instant, as starts. Staff see all seats, not only those that are sold
// online.
func (k *known) dates(o *Offer, g Segment, party int, to time.Time) []Start {
	var out []Start
	for _, d := range k.classes {
		if !d.StartsAt.Before(to) {
			break
		}
		if d.OfferingID != o.ID || g.Minutes != 0 && d.EndsAt.Sub(d.StartsAt) != time.Duration(g.Minutes)*time.Minute {
			continue
		}
		if g.SpaceID != nil && (d.SpaceID == nil || *d.SpaceID != *g.SpaceID) || !g.taughtBy(d.MemberID) {
			continue
		}
		out = append(out, k.date(o, d, max(1, party)))
	}
	return out
}

// taughtBy reports whether the people of a segment include the instructor.
func (g Segment) taughtBy(member *uuid.UUID) bool {
	if len(g.MemberIDs) == 0 {
		return true
	}
	named := member != nil && slices.Contains(g.MemberIDs, *member)
	switch g.Match {
	case MatchNone:
		return !named
	case MatchAll:
		return named && len(uniqueIDs(g.MemberIDs)) == 1
	}
	return named
}

// date weighs a date for a party.
func (k *known) date(o *Offer, d dateFact, party int) Start {
	s := Start{
		OccurrenceID: d.ID, StartsAt: d.StartsAt, EndsAt: d.EndsAt, Date: civil.LocalDate(d.StartsAt, k.Zone), Seats: d.Free(),
		Parts: []StartPart{{StartsAt: d.StartsAt, EndsAt: d.EndsAt, People: indexOf(k.who, d.MemberID), Spaces: indexOf(k.space, d.SpaceID)}},
	}
	n := finder{f: &k.Facts}
	p := n.limits(o)
	s.Codes = n.policy(&p, floor(d.StartsAt))
	switch {
	case d.Capacity-d.Taken < party:
		s.Codes |= fullBit
	case !d.Room(party, false) || d.Reserved:
		s.Codes, s.Seats = s.Codes|waitlistBit, 0
	}
	return s
}

func indexOf(index map[uuid.UUID]int, id *uuid.UUID) []int {
	if id == nil {
		return nil
	}
	return []int{index[*id]}
}

// addDates stores the dates of classes, and the members and spaces they name.
func (k *known) addDates(rows []dateFact) {
	k.classes = rows
	for _, d := range rows {
		if d.MemberID != nil {
			k.addPerson(Person{ID: *d.MemberID, Name: d.Instructor})
		}
		if d.SpaceID != nil {
			k.addSpace(Space{ID: *d.SpaceID, Name: d.Space})
		}
	}
}
