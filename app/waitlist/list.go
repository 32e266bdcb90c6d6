package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput chooses a part of the waitlist of a date.
type ListInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Ended        bool // also who is not on the list any more
	Page         paging.In[Key]
}

// Key is where a page of a waitlist ended: entries are ordered by rank and id.
type Key struct {
	Rank int64
	ID   uuid.UUID
}

// List is who waits for a date, as the studio sees it.
type List struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	LocationID   uuid.UUID
	StartsAt     time.Time
	Zone         string // IANA: the wall clock of the times
	State        schedule.State
	Mode         catalog.WaitlistMode
	AsksUntil    time.Time // from then on nobody is added or asked
	schedule.Seats
	Entries paging.Page[StudioEntry, Key] // in their order
}

// StudioEntry is an entry with who it is and why it stands where it stands.
type StudioEntry struct {
	Entry
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
	Position      int      // 1 is first; 0 for who does not wait
	Log           []Change // the oldest first
}

// Change is one change of an entry, and why. From and To are the same for a remark.
type Change struct {
	From    State // empty for the first
	To      State
	Actor   tenancy.Actor
	Surface tenancy.Surface
	Reason  string
	At      time.Time
}

// List returns the waitlist of an offering's date with each entry's log. It needs booking.view at its location, or
// for the caller's own occurrences when this is one. An unknown date is not found.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (List, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return List{}, err
	}
	var c fault.Checks
	if in.Page.Check(&c); c.Err() != nil {
		return List{}, c.Err()
	}
	v := s.db.View(sc.Tenant)
	out, own, err := listHead(ctx, v, in.OfferingID, in.OccurrenceID, sc.Person())
	if err != nil {
		return List{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, out.LocationID, own); err != nil {
		return List{}, err
	}
	rules, err := catalog.RulesOf(ctx, v, []uuid.UUID{in.OfferingID})
	if err != nil {
		return List{}, err
	}
	out.Mode, out.AsksUntil = rules[in.OfferingID].Waitlist.Mode, rules[in.OfferingID].AsksUntil(out.StartsAt).UTC()
	if out.Entries, err = listEntries(ctx, v, in); err != nil {
		return List{}, err
	}
	return out, logInto(ctx, v, out.Entries.Items)
}

// entryOf reads one entry as the studio sees it.
func (s *Service) entryOf(ctx context.Context, business, id uuid.UUID) (StudioEntry, error) {
	v := s.db.View(business)
	e, err := studioEntry(ctx, v, id)
	if err != nil {
		return StudioEntry{}, err
	}
	list := []StudioEntry{e}
	err = logInto(ctx, v, list)
	return list[0], err
}
