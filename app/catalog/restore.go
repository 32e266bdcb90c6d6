package catalog

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Restore brings an archived offering back as a draft. It needs catalog.manage at the location. What is not archived
// stays as it is.
func (s *Service) Restore(ctx context.Context, sc tenancy.Scope, id uuid.UUID) (Offering, error) {
	return change(ctx, s, sc, id, func(tx *pg.Tx, o Offering) (Offering, error) {
		if o.State != Archived {
			return o, nil
		}
		o.State = Draft
		return o, save(ctx, tx, &o)
	})
}
