package audit

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ListInput chooses events; a filter that is not set chooses all.
type ListInput struct {
	Actor      uuid.UUID // a person or a key
	Record     string
	RecordID   uuid.UUID
	LocationID uuid.UUID
	Surface    tenancy.Surface
	From, To   time.Time        // at or after From and before To
	Page       paging.In[int64] // by Seq, the newest first
}

// Validate checks the input. The error names every wrong field.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	c.That(in.From.IsZero() || in.To.IsZero() || in.From.Before(in.To), "to", "The end must be after the beginning.")
	return c.Err()
}

// List returns events in one round trip, the newest first. It needs audit.view, and shows the events of the whole business or those at the
// locations where the caller holds it.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (page paging.Page[Event, int64], err error) {
	cover, err := policy.Where(sc, policy.AuditView)
	if err != nil {
		return page, err
	}
	if err := in.Validate(); err != nil {
		return page, err
	}
	events, err := list(ctx, s.db.View(sc.Tenant), in, cover)
	return paging.Of(events, in.Page.Size(), func(e Event) int64 { return e.Seq }), err
}
