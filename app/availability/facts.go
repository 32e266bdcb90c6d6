package availability

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
)

// factsOf selects the facts to read: everything about these offerings that are at one location, and busy times that
// touch a window.
type factsOf struct {
	offerings []uuid.UUID // of one location, each once
	members   []uuid.UUID // only these people; nil: all instructors of the offerings
	from, to  time.Time   // first start, and the latest end
	exclude   []uuid.UUID // occurrences of appointments and rentals that take nothing
	uncapped  bool        // caps are not read
	dates     bool        // the dates of classes, too
}

// The reads exceed the window: by the buffers, and by the longest time before it that can end in it.
const (
	bufferMax = 4 * time.Hour
	lookBack  = 48 * time.Hour // claims are never longer
)

// spot is the location of the facts.
type spot struct {
	LocationID uuid.UUID
	Zone       string
	DailyCap   int
	Archived   bool
	Status     business.Status
}

// known is facts with the index of each offering in them, and their location.
type known struct {
	Facts
	spot    spot
	offer   map[uuid.UUID]int
	who     map[uuid.UUID]int // people by id
	space   map[uuid.UUID]int // spaces by id
	classes []dateFact        // if requested, in the order of their start
}

// readFacts reads facts in one round trip. Offerings that there are not, and those of another location than the first
// one's, are missing in the answer.
func readFacts(ctx context.Context, r pg.Reader, in factsOf) (known, error) {
	return factsBehind(ctx, r.Batch(), r, in)
}

// factsAt reads facts of offerings that all have to be at a location. The times of a named booking of an appointment
// or a rental count as free.
func factsAt(ctx context.Context, r pg.Reader, location uuid.UUID, booking *uuid.UUID, in factsOf) (known, error) {
	if booking != nil {
		occurrence, err := occurrenceOf(ctx, r, *booking)
		if err != nil {
			return known{}, err
		}
		in.exclude = []uuid.UUID{occurrence}
	}
	k, err := readFacts(ctx, r, in)
	if err == nil && (k.spot.LocationID != location || len(k.offer) < len(in.offerings)) {
		err = fault.Missing()
	}
	return k, err
}

// known puts the rows together.
func (rows factRows) known(now time.Time, in factsOf) (k known, err error) {
	k = known{offer: map[uuid.UUID]int{}, who: map[uuid.UUID]int{}, space: map[uuid.UUID]int{}}
	k.Now = now
	if len(rows.offers) == 0 {
		k.Zone = time.UTC
		return k, nil
	}
	k.spot = rows.offers[0].spot
	if k.Zone, err = civil.LoadZone(k.spot.Zone); err != nil {
		return known{}, err
	}
	k.Paused = k.spot.Status == business.Paused
	k.addSpaces(rows.spaces)
	for _, p := range rows.people {
		k.addPerson(p.Person)
	}
	for _, o := range rows.offers {
		if o.LocationID != k.spot.LocationID {
			continue
		}
		k.offer[o.ID] = len(k.Offers)
		k.Offers = append(k.Offers, o.Offer)
	}
	k.link(rows.people, rows.spaces)
	k.addHours(rows.hours)
	k.addBusy(rows.busy)
	k.Special = rows.closures
	k.addDates(rows.dates)
	if !in.uncapped {
		k.addGiven(rows.given)
	}
	return k, nil
}

// addPerson keeps a person, once.
func (k *known) addPerson(p Person) {
	if _, is := k.who[p.ID]; !is {
		k.who[p.ID] = len(k.People)
		k.People = append(k.People, p)
	}
}

// addSpace keeps a space, once, as one that is a part of nothing.
func (k *known) addSpace(s Space) {
	if _, is := k.space[s.ID]; !is {
		s.Whole = -1
		k.space[s.ID] = len(k.Spaces)
		k.Spaces = append(k.Spaces, s)
	}
}

func (k *known) addSpaces(rows []spaceRow) {
	for _, s := range rows {
		k.addSpace(s.Space)
	}
	for _, s := range rows {
		if s.ParentID == nil {
			continue
		}
		if whole, is := k.space[*s.ParentID]; is {
			k.Spaces[k.space[s.ID]].Whole = whole
		}
	}
}

// link connects the offers to their instructors and spaces. Rows are in the order of choice.
func (k *known) link(people []giverRow, spaces []spaceRow) {
	for _, p := range people {
		if i, is := k.offer[p.OfferingID]; is {
			k.Offers[i].People = append(k.Offers[i].People, k.who[p.ID])
		}
	}
	for _, s := range spaces {
		if s.OfferingID == nil || s.Archived {
			continue
		}
		if i, is := k.offer[*s.OfferingID]; is {
			k.Offers[i].Spaces = append(k.Offers[i].Spaces, k.space[s.ID])
		}
	}
	for i := range k.Offers {
		o := &k.Offers[i]
		// An appointment has a space only if its offering has spaces.
		o.NeedsSpace = o.Kind == catalog.Rental || slices.ContainsFunc(spaces, func(s spaceRow) bool { return s.OfferingID != nil && *s.OfferingID == o.ID })
	}
}

func (k *known) addHours(rows []hoursRow) {
	for _, h := range rows {
		switch h.Of {
		case ofLocation:
			k.Week = append(k.Week, h.Interval)
		case ofMember:
			if i, is := k.who[h.ID]; is {
				k.People[i].Week = append(k.People[i].Week, h.Interval)
			}
		case ofSpace:
			if i, is := k.space[h.ID]; is {
				k.Spaces[i].Week = append(k.Spaces[i].Week, h.Interval)
			}
		}
	}
}

// addBusy puts busy times into the facts. Whole seconds: a beginning within a second begins with it, an end within
// one ends after it.
func (k *known) addBusy(rows []busyRow) {
	var last uuid.UUID
	var list *[]Busy
	for i := range rows {
		b := &rows[i]
		if list == nil || b.ID != last {
			last, list = b.ID, nil
			if at, is := k.who[b.ID]; is {
				list = &k.People[at].Busy
			} else if at, is := k.space[b.ID]; is {
				list = &k.Spaces[at].Busy
			}
		}
		if list != nil {
			*list = append(*list, Busy{From: floor(b.StartsAt), To: ceil(b.EndsAt), Kind: BusyKind(b.Kind), Seats: int(b.Seats)})
		}
	}
}

func (k *known) addGiven(rows []givenRow) {
	if k.DailyCap = k.spot.DailyCap; k.DailyCap > 0 {
		k.Given = map[civil.Date]int{}
	}
	for _, g := range rows {
		if g.ID == nil {
			k.Given[g.LocalDate] = g.Given
		} else if i, is := k.who[*g.ID]; is {
			if k.People[i].Given == nil {
				k.People[i].Given = map[civil.Date]int{}
			}
			k.People[i].Given[g.LocalDate] = g.Given
		}
	}
}

// uncap takes the caps away.
func (k *known) uncap() {
	k.DailyCap = 0
	for i := range k.People {
		k.People[i].DailyCap, k.People[i].WeeklyCap = 0, 0
	}
}

// public reports whether an offer is public.
func (k *known) public(o *Offer) bool {
	return o.State == catalog.Published && !k.spot.Archived && k.spot.Status != business.Closed
}

// uniqueIDs sorts ids and keeps each once.
func uniqueIDs(ids []uuid.UUID) []uuid.UUID {
	byID := func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }
	return slices.Compact(slices.SortedFunc(slices.Values(ids), byID))
}
