package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Unpublish takes an offering from the public: nobody can book it any more, and bookings that exist stay. It needs
// catalog.manage at the location. A draft stays a draft; an archived offering is ErrArchived.
func (s *Service) Unpublish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State == Draft {
			return o, nil
		}
		if o.State == Archived {
			return Offering{}, ErrArchived
		}
		o.State, o.PublishedAt = Draft, nil
		return o, save(ctx, tx, &o)
	})
}
