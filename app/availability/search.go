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
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The limits of a search.
const (
	SearchDays  = 62   // the longest page; a longer range continues at Next
	searchRows  = 2000 // a page with more ends sooner, after a whole day
	searchPast  = 366  // days back in a search
	searchAhead = 800  // days ahead: the longest window of a policy, and a page
	SegmentsMax = 8
	filterMax   = 100
)

// MemberMatch is the meaning of the people of a segment.
type MemberMatch string

// The matches.
const (
	MatchAny  MemberMatch = "any"  // one of them is free
	MatchAll  MemberMatch = "all"  // all of them are
	MatchNone MemberMatch = "none" // any other member
)

// All lists them.
func (MemberMatch) All() []MemberMatch { return []MemberMatch{MatchAny, MatchAll, MatchNone} }

// Segment is one service of a search: an offering of the location, with length, people and space.
type Segment struct {
	OfferingID uuid.UUID
	Minutes    int         // 0: the offering's default length
	MemberIDs  []uuid.UUID // none: any member
	Match      MemberMatch // meaning of MemberIDs; empty: any
	SpaceID    *uuid.UUID  // nil: anywhere
}

// SearchInput searches the starts of one service, or of several in a row, each beginning where the one before ends. A
// class is searched alone.
type SearchInput struct {
	LocationID       uuid.UUID
	From             time.Time // the first start
	To               time.Time // starts are before this
	Segments         []Segment
	Party            int        // 0: one person
	TimeZone         string     // IANA name of the zone for grouping the starts by day; empty: the location's
	ExcludeBookingID *uuid.UUID // the times of this booking of an appointment or a rental count as free
	After            *time.Time // Next of the page before; nil: from the beginning
}

// SearchPage is the starts of a part of the range. People and spaces of starts are indices into People and Spaces.
type SearchPage struct {
	Zone   string // of the days
	People []catalog.Named
	Spaces []catalog.Named
	Days   []StartDay // those with starts, in order
	Next   *time.Time // beginning of the next page; nil on the last one, and only there
}

// StartDay is the starts of one day of a zone, in order; those of an offering with Compact that touch another booking
// come first.
type StartDay struct {
	Date   civil.Date
	Starts []Start
}

// Search returns the starts of a range with the codes against each: Available reports whether people and spaces are
// free, Bookable whether the policy allows it, too. It is the computation of the storefront and of AssignTx, in one
// round trip; a booking to leave out costs another. A page covers up to 62 days. It needs location.view. Errors:
// Validation; not found for an unknown location, offering or booking, and for an offering of another location.
func (s *Service) Search(ctx context.Context, sc tenancy.Scope, in SearchInput) (SearchPage, error) {
	if err := policy.RequireAt(sc, policy.LocationView, in.LocationID); err != nil {
		return SearchPage{}, err
	}
	v := s.db.View(sc.Tenant)
	if err := in.check(v.Now()); err != nil {
		return SearchPage{}, err
	}
	from, to, next := in.page()
	need := factsOf{from: from, to: to.Add(visitMax), dates: true}
	for _, g := range in.Segments {
		need.offerings = append(need.offerings, g.OfferingID)
	}
	need.offerings = uniqueIDs(need.offerings)
	k, err := factsAt(ctx, v, in.LocationID, in.ExcludeBookingID, need)
	if err != nil {
		return SearchPage{}, err
	}
	starts, err := k.search(in, from, to)
	if err != nil {
		return SearchPage{}, err
	}
	return k.page(in, starts, next), nil
}

// check validates the input; the fields of a refusal are the body's.
func (in SearchInput) check(now time.Time) error {
	var c fault.Checks
	checkTime(&c, "from", in.From, now)
	c.That(in.From.Before(in.To), "to", "The end must be after the beginning.")
	c.That(!in.To.After(now.AddDate(0, 0, searchAhead)), "to", fmt.Sprintf("Use a time up to %d days ahead.", searchAhead))
	c.That(in.After == nil || !in.After.Before(in.From) && in.After.Before(in.To), "cursor", "This is not a cursor of this list.")
	checkParty(&c, in.Party)
	c.That(len(in.Segments) > 0 && len(in.Segments) <= SegmentsMax, "segments", fmt.Sprintf("Name 1 to %d services.", SegmentsMax))
	total := 0
	for i, g := range in.Segments {
		field := fmt.Sprintf("segments[%d]", i)
		checkMinutes(&c, field+".minutes", g.Minutes)
		c.That(len(g.MemberIDs) <= filterMax, field+".memberIds", fmt.Sprintf("Name at most %d people.", filterMax))
		c.That(g.Match == "" || g.Match == MatchAny || g.Match == MatchAll || g.Match == MatchNone, field+".match", "Use any, all or none.")
		total += g.Minutes
	}
	c.That(total <= schedule.MinutesMax, "segments", "A visit is at most a day.")
	if in.TimeZone != "" {
		_, err := civil.LoadZone(in.TimeZone)
		c.That(err == nil, "timeZone", civil.ErrUnknownZone.Message)
	}
	return c.Err()
}

// checkTime refuses a time that cannot be booked.
func checkTime(c *fault.Checks, field string, at, now time.Time) {
	c.That(at.After(now.AddDate(0, 0, -searchPast)) && at.Before(now.AddDate(0, 0, searchAhead)), field,
		fmt.Sprintf("Use a time from %d days ago to %d days ahead.", searchPast, searchAhead))
}

// page is the part of the range that this page is about, and where the next one begins; nil when it is the last.
func (in SearchInput) page() (from, to time.Time, next *time.Time) {
	from, to = in.From, in.To
	if in.After != nil {
		from = *in.After
	}
	if end := from.AddDate(0, 0, SearchDays); end.Before(to) {
		return from, end, &end
	}
	return from, to, nil
}

// search finds the starts.
func (k *known) search(in SearchInput, from, to time.Time) ([]Start, error) {
	q := Question{From: from, To: to}
	for i, g := range in.Segments {
		at := k.offer[g.OfferingID]
		o := &k.Offers[at]
		if o.Kind == catalog.Class {
			if len(in.Segments) > 1 {
				return nil, fault.Invalid(fmt.Sprintf("segments[%d].offeringId", i), "A class has fixed dates and cannot follow another service.")
			}
			return k.dates(o, g, in.Party, to), nil
		}
		part, err := k.part(at, g.Minutes, in.Party, Staff)
		if e := fault.From(err); e != nil && e.Is(ErrPartySize) {
			return nil, fault.Invalid("party", fmt.Sprintf("It can be booked for %v to %v people.", e.Details["min"], e.Details["max"]))
		}
		if err != nil {
			return nil, err
		}
		k.narrow(&part, o, g)
		q.Parts = append(q.Parts, part)
	}
	return k.Find(q), nil
}

// narrow limits a part to the people and the space that are wanted.
func (k *known) narrow(p *Part, o *Offer, g Segment) {
	if g.SpaceID != nil && o.NeedsSpace {
		p.Space = &pointAt(k.space, *g.SpaceID)[0]
	}
	if len(g.MemberIDs) == 0 || !o.NeedsPerson {
		return
	}
	p.People = []int{}
	if g.Match == MatchNone {
		for _, i := range o.People {
			if !slices.Contains(g.MemberIDs, k.People[i].ID) {
				p.People = append(p.People, i)
			}
		}
		return
	}
	for _, id := range uniqueIDs(g.MemberIDs) {
		p.People = append(p.People, pointAt(k.who, id)...)
	}
	p.Together = g.Match == MatchAll
}

// page groups starts by the day of a zone. When there are more than a page has, it ends after a whole day.
func (k *known) page(in SearchInput, starts []Start, next *time.Time) SearchPage {
	out := SearchPage{Zone: k.spot.Zone, Next: next, People: make([]catalog.Named, len(k.People)), Spaces: make([]catalog.Named, len(k.Spaces))}
	loc := k.Zone
	if in.TimeZone != "" {
		out.Zone = in.TimeZone
		loc, _ = civil.LoadZone(in.TimeZone) // it exists: check has loaded it
	}
	for i, p := range k.People {
		out.People[i] = catalog.Named{ID: p.ID, Name: p.Name}
	}
	for i, r := range k.Spaces {
		out.Spaces[i] = catalog.Named{ID: r.ID, Name: r.Name}
	}
	count := 0
	for date, list := range civil.ByDay(starts, loc, begins) {
		if count > 0 && count+len(list) > searchRows {
			out.Next = new(civil.StartOfDay(date, loc))
			break
		}
		count += len(list)
		if len(in.Segments) == 1 && k.Offers[k.offer[in.Segments[0].OfferingID]].Compact {
			compact(list)
		}
		out.Days = append(out.Days, StartDay{date, list})
	}
	return out
}

func begins(s Start) time.Time { return s.StartsAt }

// compact puts the starts that touch another booking before the others.
func compact(starts []Start) {
	slices.SortStableFunc(starts, func(a, b Start) int { return compareBool(b.Touches, a.Touches) })
}
