package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/policy"
)

// WaitlistInput chooses a part of the waitlist of a date.
type WaitlistInput struct {
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID
	Ended        bool     // also who is not on the list any more
	After        *WaitKey // nil: from the beginning
	Limit        int      // 0: PageDefault
}

// WaitKey is where a page of a waitlist ended: entries are ordered by rank and id.
type WaitKey struct {
	Rank int64
	ID   uuid.UUID
}

// Waitlist is who waits for a date, as the studio sees it.
type Waitlist struct {
	OccurrenceID uuid.UUID
	OfferingID   uuid.UUID
	LocationID   uuid.UUID
	StartsAt     time.Time
	Zone         string // IANA: the wall clock of the times
	State        schedule.State
	Mode         catalog.WaitlistMode
	AsksUntil    time.Time // from then on nobody is added or asked
	schedule.Seats
	Entries []WaitEntry // in their order
	Next    *WaitKey
}

// WaitEntry is an entry with who it is and why it stands where it stands.
type WaitEntry struct {
	Waiter
	CustomerName  string // may be empty
	CustomerEmail string
	CustomerPhone string
	Position      int        // 1 is first; 0 for who does not wait
	Log           []WaitMove // the oldest first
}

// WaitMove is one change of an entry, and why. From and To are the same for a remark.
type WaitMove struct {
	From    WaitState // empty for the first
	To      WaitState
	Actor   tenancy.Actor
	Surface tenancy.Surface
	Reason  string
	At      time.Time
}

// WaitlistOf returns the waitlist of an offering's date with each entry's log. It needs booking.view at its location, or
// for the caller's own sessions when this is one. An unknown date is not found.
func (s *Service) WaitlistOf(ctx context.Context, sc tenancy.Scope, in WaitlistInput) (Waitlist, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return Waitlist{}, err
	}
	size, ok := pageSize(in.Limit)
	if !ok {
		return Waitlist{}, fault.Invalid("query.limit", "Ask for 1 to 200.")
	}
	v := s.db.View(sc.Tenant)
	head, err := waitlistHead(ctx, v, in.OfferingID, in.OccurrenceID, sc.Person())
	if err != nil {
		return Waitlist{}, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, head.LocationID, head.Own); err != nil {
		return Waitlist{}, err
	}
	rules, err := catalog.RulesOf(ctx, v, []uuid.UUID{in.OfferingID})
	if err != nil {
		return Waitlist{}, err
	}
	entries, err := waitEntries(ctx, v, in, size+1)
	if err != nil {
		return Waitlist{}, err
	}
	out := head.list(rules[in.OfferingID])
	if out.Entries = entries; len(entries) > size {
		last := entries[size-1]
		out.Entries, out.Next = entries[:size], &WaitKey{last.Rank, last.ID}
	}
	return out, logInto(ctx, v, out.Entries)
}

// entryOf reads one entry as the studio sees it.
func (s *Service) entryOf(ctx context.Context, business, id uuid.UUID) (WaitEntry, error) {
	v := s.db.View(business)
	entries, err := waitEntry(ctx, v, id)
	if err == nil && len(entries) == 0 {
		err = fault.Missing()
	}
	if err != nil {
		return WaitEntry{}, err
	}
	return entries[0], logInto(ctx, v, entries)
}
