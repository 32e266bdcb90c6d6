package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/policy"
)

// The size of a page.
const (
	PageDefault = 50
	PageMax     = 200
)

// ListInput chooses events; a filter that is not set chooses all.
type ListInput struct {
	Actor      uuid.UUID // a person or a key
	Record     string
	RecordID   uuid.UUID
	LocationID uuid.UUID
	Surface    tenancy.Surface
	From, To   time.Time // at or after From and before To
	After      *int64    // Seq of the last event of the page before; nil: from the newest
	Limit      int       // 0: PageDefault
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	c.That(in.Limit >= 0 && in.Limit <= PageMax, "limit", "Ask for 1 to 200.")
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// Page is a part of the log, the newest event first. Next is what After takes for the next one; nil at the end.
type Page struct {
	Items []Event
	Next  *int64
}

// List returns events in one round trip. It needs audit.view, and shows the events of the whole business or those at the
// locations where the caller holds it.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (Page, error) {
	cover, err := policy.Where(sc, policy.AuditView)
	if err != nil {
		return Page{}, err
	}
	if err := in.Validate(); err != nil {
		return Page{}, err
	}
	if in.Limit == 0 {
		in.Limit = PageDefault
	}
	events, err := list(ctx, s.db.View(sc.Tenant), in, cover, in.Limit+1)
	if err != nil || len(events) <= in.Limit {
		return Page{Items: events}, err
	}
	events = events[:in.Limit]
	return Page{events, &events[in.Limit-1].Seq}, nil
}
