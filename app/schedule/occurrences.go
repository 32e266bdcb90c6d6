package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OccurrenceKey is where a page of occurrences ended: they are in the order of their start, then id.
type OccurrenceKey struct {
	StartsAt time.Time
	ID       uuid.UUID
}

// OccurrencesInput chooses the occurrences of one offering, or of one location when OfferingID is Nil.
type OccurrencesInput struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID      // asked only when OfferingID is Nil
	From       time.Time      // the earliest start; zero: from the first on
	To         time.Time      // starts before this; zero: to the last
	After      *OccurrenceKey // nil: from the beginning
	Limit      int            // 0: PageDefault
}

// Validate checks the input.
func (in OccurrencesInput) Validate() error {
	var checks fault.Checks
	checks.That(in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	CheckLimit(&checks, in.Limit)
	return checks.Err()
}

// OccurrencePage is a part of a list. Next is nil on the last page, and only there.
type OccurrencePage struct {
	Items []Occurrence
	Next  *OccurrenceKey
}

// Occurrences returns dates with their counts, past and cancelled ones too, in one round trip. It needs location.view at
// the location; an unknown offering or location is not found. Walking the pages gives every date once, also while others
// are written (A94).
func (s *Service) Occurrences(ctx context.Context, sc tenancy.Scope, in OccurrencesInput) (OccurrencePage, error) {
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return OccurrencePage{}, err
	}
	if err := in.Validate(); err != nil {
		return OccurrencePage{}, err
	}
	limit := LimitOf(in.Limit)
	rows, location, found, err := listOccurrences(ctx, s.db.View(sc.Tenant), in, limit+1)
	if err != nil {
		return OccurrencePage{}, err
	}
	if !found {
		return OccurrencePage{}, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, location); err != nil {
		return OccurrencePage{}, err
	}
	page := OccurrencePage{Items: rows}
	if len(rows) > limit {
		page.Items = rows[:limit]
		last := rows[limit-1]
		page.Next = &OccurrenceKey{last.StartsAt, last.ID}
	}
	return page, nil
}
