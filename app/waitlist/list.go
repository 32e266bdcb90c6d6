package waitlist

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput chooses a part of the waitlist of a date.
type ListInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Ended        bool // also who is not on the list any more
	After        *Key // nil: from the beginning
	Limit        int  // 0: PageDefault
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
	Entries []StudioEntry // in their order
	Next    *Key
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
// for the caller's own sessions when this is one. An unknown date is not found.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (List, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return List{}, err
	}
	size, ok := booking.PageSize(in.Limit)
	if !ok {
		return List{}, fault.Invalid("limit", "Ask for 1 to 200.")
	}
	v := s.db.View(sc.Tenant)
	head, err := waitlistHead(ctx, v, in.OfferingID, in.OccurrenceID, sc.Person())
	if err != nil {
		return List{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, head.LocationID, head.Own); err != nil {
		return List{}, err
	}
	rules, err := catalog.RulesOf(ctx, v, []uuid.UUID{in.OfferingID})
	if err != nil {
		return List{}, err
	}
	entries, err := waitEntries(ctx, v, in, size+1)
	if err != nil {
		return List{}, err
	}
	out := head.list(rules[in.OfferingID])
	if out.Entries = entries; len(entries) > size {
		last := entries[size-1]
		out.Entries, out.Next = entries[:size], &Key{last.Rank, last.ID}
	}
	return out, logInto(ctx, v, out.Entries)
}

// entryOf reads one entry as the studio sees it.
func (s *Service) entryOf(ctx context.Context, business, id uuid.UUID) (StudioEntry, error) {
	v := s.db.View(business)
	entries, err := waitEntry(ctx, v, id)
	if err == nil && len(entries) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return StudioEntry{}, err
	}
	return entries[0], logInto(ctx, v, entries)
}
