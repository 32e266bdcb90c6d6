package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/tenancy"
	"foyer/policy"
)

// Change is one change of a booking, as it was written down.
type Change struct {
	ID        uuid.UUID
	Move      Move
	From      State // empty for the first
	To        State
	Words     string    // that somebody gave for it; may be empty
	FromStart time.Time // of a booking that was moved: when it would have begun; zero otherwise
	Actor     tenancy.Actor
	Surface   tenancy.Surface
	At        time.Time
}

// History returns all changes of a booking, the first one first. It needs booking.view at the booking's location, or for
// the caller's own sessions when this is one. An unknown id is not found.
func (s *Service) History(ctx context.Context, sc tenancy.Scope, id uuid.UUID) ([]Change, error) {
	if err := policy.RequireAny(sc, policy.BookingView); err != nil {
		return nil, err
	}
	v := s.db.View(sc.Tenant)
	e, own, err := find(ctx, v, sc.Person(), id)
	if err != nil {
		return nil, err
	}
	if err := policy.RequireRow(sc, policy.BookingView, e.LocationID, own); err != nil {
		return nil, err
	}
	return history(ctx, v, id)
}
