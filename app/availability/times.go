package availability

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// The size of a page of computed times.
const (
	slotDays = 14  // days of the first search; if they have none, SearchDays
	slotRows = 300 // a page is whole days, up to this many times
)

// Times returns the times of a published offering, page by page (E51 to E59). Following Next to the end visits every
// time once. An offering that is not public is not found. The dates of a class are rows, see schedule.ClassTimes; for
// the times of appointments and rentals see slotTimes. also adds further reads to the first trip.
func (s *Service) Times(ctx context.Context, business uuid.UUID, in schedule.TimesInput, also ...func(*pg.Batch)) (schedule.Times, error) {
	v := s.db.View(business)
	t, err := schedule.ClassTimes(ctx, v, s.cards, in, also...)
	if err != nil || t.Head.Kind == catalog.Class {
		return t, err
	}
	return s.slotTimes(ctx, v, t, in)
}

// slotTimes returns the times of an appointment or a rental that can be booked now, by that party, for that length:
// those that Find lists as bookable, and that AssignTx accepts, except for a pause of the business, which is in
// Location. It reads once more, and once again when the next two weeks have none. A page is whole days, and has at
// least one time unless the next 62 days have none; Next goes on after it, as far as the policy allows bookings.
func (s *Service) slotTimes(ctx context.Context, v *pg.View, t schedule.Times, in schedule.TimesInput) (schedule.Times, error) {
	from := slotsFrom(&t.Location, in, v.Now())
	end := t.Location.StartOf(civil.LocalDate(from, t.Location.Loc).AddDays(slotDays))
	k, q, err := s.readSlots(ctx, v, t.Head.OfferingID, in, from, end)
	if err != nil {
		return schedule.Times{}, err
	}
	starts := bookable(k.Find(q))
	o := &k.Offers[0]
	last := v.Now().Add(o.window()) // nothing after this can be booked
	if len(starts) == 0 && !end.After(last) {
		more := t.Location.StartOf(civil.LocalDate(from, t.Location.Loc).AddDays(SearchDays))
		if k, q, err = s.readSlots(ctx, v, t.Head.OfferingID, in, end, more); err != nil {
			return schedule.Times{}, err
		}
		end, starts, o = more, bookable(k.Find(q)), &k.Offers[0]
	}
	part := q.Parts[0]
	t.Lengths, t.Minutes, t.Party = lengthsOf(o), part.Minutes, part.Party
	for _, i := range o.People {
		t.Members = append(t.Members, catalog.Named{ID: k.People[i].ID, Name: k.People[i].Name})
	}
	for _, i := range o.Spaces {
		t.Spaces = append(t.Spaces, catalog.Named{ID: k.Spaces[i].ID, Name: k.Spaces[i].Name})
	}
	count := 0
	for date, list := range civil.ByDay(starts, t.Location.Loc, begins) {
		if count > 0 && count+len(list) > slotRows {
			end = t.Location.StartOf(date)
			break
		}
		count += len(list)
		if o.Compact {
			compact(list)
		}
		t.Days = append(t.Days, k.showDay(&t, o, part, StartDay{date, list}))
	}
	if !end.After(last) {
		next := end.Add(-time.Second)
		t.Next = &next
	}
	return t, nil
}

// slotsFrom returns the first instant to search.
func slotsFrom(p *schedule.Location, in schedule.TimesInput, now time.Time) time.Time {
	from := now
	if !in.From.IsZero() {
		from = later(from, p.StartOf(in.From))
	}
	if !in.After.IsZero() {
		from = later(from, in.After.Add(time.Second))
	}
	return from
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// readSlots reads the facts of a window and makes the question. The fields of a refusal are the query's.
func (s *Service) readSlots(ctx context.Context, v *pg.View, offering uuid.UUID, in schedule.TimesInput, from, to time.Time) (known, Question, error) {
	need := factsOf{offerings: []uuid.UUID{offering}, from: from, to: to.Add(visitMax)}
	if in.ExcludeOccurrence != uuid.Nil {
		need.exclude = []uuid.UUID{in.ExcludeOccurrence}
	}
	k, err := readFacts(ctx, v, need)
	if err != nil {
		return k, Question{}, err
	}
	if len(k.Offers) == 0 || !k.public(&k.Offers[0]) {
		return k, Question{}, fault.Missing()
	}
	part, err := k.slotPart(in)
	return k, Question{From: from, To: to, Parts: []Part{part}}, err
}

func (k *known) slotPart(in schedule.TimesInput) (Part, error) {
	var c fault.Checks
	o := &k.Offers[0]
	c.That(in.Minutes == 0 || sells(o, in.Minutes), "minutes", "This length is not available.")
	checkParty(&c, in.Party)
	if err := c.Err(); err != nil {
		return Part{}, err
	}
	part, err := k.part(0, in.Minutes, in.Party, Storefront)
	if e := fault.From(err); e != nil && e.Is(ErrPartySize) {
		c.That(false, "party", fmt.Sprintf("It can be booked for %v to %v people.", e.Details["min"], e.Details["max"]))
	} else if err != nil {
		return Part{}, err
	}
	if in.MemberID != nil && o.NeedsPerson {
		part.People = pointAt(k.who, *in.MemberID)
		c.That(slices.Contains(o.People, part.People[0]), "memberId", "This instructor does not offer this.")
	}
	if in.SpaceID != nil && o.NeedsSpace {
		part.Space = &pointAt(k.space, *in.SpaceID)[0]
		c.That(slices.Contains(o.Spaces, *part.Space), "spaceId", "This is not available in this room.")
	}
	return part, c.Err()
}

func sells(o *Offer, minutes int) bool {
	_, ok := o.Lengths.Price(minutes, 1)
	return ok
}

// lengthsOf are the lengths to choose from.
func lengthsOf(o *Offer) []catalog.Duration {
	if len(o.Lengths.Durations) > 0 {
		return o.Lengths.Durations
	}
	amount, _ := o.Lengths.Price(o.Lengths.Minutes, 1) // none of a draft
	return []catalog.Duration{{Minutes: o.Lengths.Minutes, PriceAmount: amount}}
}

// bookable keeps the starts that nothing but a pause speaks against.
func bookable(starts []Start) []Start {
	return slices.DeleteFunc(starts, func(s Start) bool { return s.Codes&^pausedBit != 0 })
}

// showDay shows a day.
func (k *known) showDay(t *schedule.Times, o *Offer, part Part, d StartDay) schedule.Day {
	out := schedule.Day{Date: d.Date, Ahead: t.Location.Today.DaysUntil(d.Date), Occurrences: make([]schedule.PublicOccurrence, len(d.Starts))}
	offered := &schedule.Offered{
		OfferingID: o.ID, Kind: o.Kind, Slug: t.Head.OfferingSlug, Name: o.Name, PriceAmount: o.Price(part.Minutes, part.Party),
		Party: part.Party, Pricing: t.Head.Pricing,
	}
	payable := t.Location.Payable(offered.PriceAmount, o.Rules)
	for i, s := range d.Starts {
		x := schedule.PublicOccurrence{
			Offered: offered, StartsAt: s.StartsAt, EndsAt: s.EndsAt, Spots: s.Seats,
			Members: positions(o.People, s.Parts[0].People), Spaces: positions(o.Spaces, s.Parts[0].Spaces),
		}
		switch {
		case t.Location.Paused:
			x.Obstacle = schedule.ObstaclePaused
		case !payable:
			x.Obstacle = schedule.ObstaclePayment
		}
		if len(s.Parts[0].People) > 0 && (part.People != nil || len(o.People) == 1) {
			x.Instructor = k.People[s.Parts[0].People[0]].Name
		}
		if len(s.Parts[0].Spaces) > 0 && (part.Space != nil || len(o.Spaces) == 1) {
			x.Space = k.Spaces[s.Parts[0].Spaces[0]].Name
		}
		out.Occurrences[i] = x
	}
	return out
}

// positions are where some stand in a list of all.
func positions(all, some []int) []int {
	out := make([]int, len(some))
	for i, x := range some {
		out[i] = slices.Index(all, x)
	}
	return out
}

// NextFree returns the first time at which each of these appointments and rentals can be booked, for its default
// length and the fewest people, if there is one in the next fourteen days: for the list on the page of a location.
// They are of one location. It is one round trip, and as many small computations as there are offerings.
func (s *Service) NextFree(ctx context.Context, business uuid.UUID, offerings []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	if len(offerings) == 0 {
		return nil, nil
	}
	v := s.db.View(business)
	from := v.Now()
	to := from.AddDate(0, 0, slotDays)
	k, err := readFacts(ctx, v, factsOf{offerings: offerings, from: from, to: to.Add(visitMax)})
	if err != nil {
		return nil, err
	}
	out := make(map[uuid.UUID]time.Time, len(k.Offers))
	for i := range k.Offers {
		o := &k.Offers[i]
		if o.Kind == catalog.Class || !k.public(o) {
			continue
		}
		part, err := k.part(i, 0, 0, Storefront)
		if err != nil {
			continue // it cannot be booked as it is
		}
		if starts := bookable(k.Find(Question{From: from, To: to, Parts: []Part{part}})); len(starts) > 0 {
			out[o.ID] = starts[0].StartsAt
		}
	}
	return out, nil
}
