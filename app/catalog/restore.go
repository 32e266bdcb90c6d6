package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Restore brings an archived offering back as a draft. It needs catalog.manage at the location. What is not archived
// stays as it is.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	if err := policy.RequireAny(sc, policy.CatalogManage); err != nil {
		return Offering{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Offering, error) {
		o, err := s.lock(ctx, tx, sc, id)
		if err != nil || o.State != Archived {
			return o, err
		}
		o.State = Draft
		return o, save(ctx, tx, &o)
	})
}
