package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// RevokeKey ends an API key: its next use is refused. Errors: identity.ErrKeyRefused, policy.ErrMissingFeature
// (business.manage), fault.Missing for an unknown or revoked one. A51.
func (s *Service) RevokeKey(ctx context.Context, sc tenancy.Scope, id uuid.UUID) error {
	if _, err := identity.PersonOf(sc.Principal); err != nil {
		return err
	}
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return err
	}
	_, err := pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (struct{}, error) {
		n, err := endKey(ctx, tx, id)
		if err == nil && n == 0 {
			err = fault.Missing()
		}
		return struct{}{}, err
	})
	return err
}
