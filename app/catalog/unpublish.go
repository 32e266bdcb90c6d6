package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Unpublish takes an offering from the public: nobody can book it any more, and bookings that exist stay. It needs
// catalog.manage at the location. A draft stays a draft; an archived offering is ErrArchived.
func (s *Service) Unpublish(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Offering{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Offering, error) {
		o, err := s.lock(ctx, tx, sc, id)
		if err != nil || o.State == Draft {
			return o, err
		}
		if o.State == Archived {
			return Offering{}, ErrArchived
		}
		o.State, o.PublishedAt = Draft, nil
		return o, save(ctx, tx, &o)
	})
}
