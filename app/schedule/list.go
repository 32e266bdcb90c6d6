package schedule

import (
	"cmp"
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// OccurrencesInput chooses the occurrences of one offering, or of one location when OfferingID is Nil, by their
// start.
type OccurrencesInput struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID // read only if OfferingID is Nil
	From       time.Time // the earliest start; zero: from the first on
	To         time.Time // starts before this; zero: to the last
	Page       paging.In[paging.Moment]
}

// Validate checks the input.
func (in OccurrencesInput) Validate() error {
	var checks fault.Checks
	checks.That(in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	in.Page.Check(&checks)
	return checks.Err()
}

// Occurrences returns dates with their counts, past and cancelled ones too, in one round trip. It needs location.view
// at the location; an unknown offering or location is not found. Walking the pages yields every date once, also while
// others are written (A94).
func (s *Service) Occurrences(ctx context.Context, sc tenancy.Scope, in OccurrencesInput) (paging.Page[Occurrence, paging.Moment], error) {
	return pageOf(ctx, s.db.View(sc.Tenant), sc, in.Validate(), in.Page, func(b *pg.Batch, p *part[Occurrence]) {
		queueOccurrences(b, sc.Tenant, in, p)
	}, func(o Occurrence) paging.Moment { return paging.Moment{At: o.StartsAt, ID: o.ID} })
}

// SeriesOfInput chooses the series of an offering, by their first date.
type SeriesOfInput struct {
	OfferingID uuid.UUID
	Page       paging.In[SeriesKey]
}

// SeriesKey is the end of a page of series.
type SeriesKey struct {
	Start civil.Date
	ID    uuid.UUID
}

// SeriesOf returns the series of an offering, ended ones too, in one round trip. It needs location.view at the
// offering's location; an unknown offering is not found.
func (s *Service) SeriesOf(ctx context.Context, sc tenancy.Scope, in SeriesOfInput) (paging.Page[Series, SeriesKey], error) {
	return pageOf(ctx, s.db.View(sc.Tenant), sc, nil, in.Page, func(b *pg.Batch, p *part[Series]) {
		queueSeries(b, sc.Tenant, in, p)
	}, func(s Series) SeriesKey { return SeriesKey{s.Rule.Start, s.ID} })
}

// EditsInput chooses the edits of a series, including those of its single dates and the one that split it off: the
// newest come first.
type EditsInput struct {
	OfferingID   uuid.UUID
	SeriesID     uuid.UUID  // Nil: all series of the offering
	Undoable     bool       // only those that can be undone now
	OccurrenceID *uuid.UUID // only those that changed this date; nil: all
	Page         paging.In[paging.Moment]
}

// Edit is one edit of a series.
type Edit struct {
	ID        uuid.UUID
	SeriesID  uuid.UUID // the series for UndoEdit: of a split, the old one
	CreatedAt time.Time
	UndoUntil time.Time
	UndoneAt  *time.Time
	Undoable  bool // now; changes of the rows since are checked on undoing
	Added     int  // dates
	Removed   int
	Moved     int
	Changed   int // dates with another instructor, space or number of seats
	Split     bool
}

// Edits returns the edits of a series, in one round trip. It needs location.view at the location; an unknown series
// is not found.
func (s *Service) Edits(ctx context.Context, sc tenancy.Scope, in EditsInput) (paging.Page[Edit, paging.Moment], error) {
	v := s.db.View(sc.Tenant)
	return pageOf(ctx, v, sc, nil, in.Page, func(b *pg.Batch, p *part[Edit]) {
		queueEdits(b, sc.Tenant, in, v.Now(), p)
	}, func(e Edit) paging.Moment { return paging.Moment{At: e.CreatedAt, ID: e.ID} })
}

// part is the content of a list: rows, and the location of their parent.
type part[T any] struct {
	rows     []T
	location uuid.UUID
	found    bool
}

// pageOf reads a page of rows of one location, with location.view there. wrong has the problems of the input besides
// the page.
func pageOf[T, K any](ctx context.Context, v *pg.View, sc tenancy.Scope, wrong error, in paging.In[K], queue func(*pg.Batch, *part[T]),
	key func(T) K) (paging.Page[T, K], error) {
	var none paging.Page[T, K]
	if err := policy.RequireAny(sc, policy.LocationView); err != nil {
		return none, err
	}
	var checks fault.Checks
	in.Check(&checks)
	if err := cmp.Or(wrong, checks.Err()); err != nil {
		return none, err
	}
	var p part[T]
	b := v.Batch()
	queue(b, &p)
	if err := b.Send(ctx); err != nil {
		return none, err
	}
	if !p.found {
		return none, fault.Missing()
	}
	if err := policy.RequireAt(sc, policy.LocationView, p.location); err != nil {
		return none, err
	}
	return paging.Of(p.rows, in.Size(), key), nil
}
