package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Reactivate gives a deactivated member their roles back. It is giving these roles, so the caller must be able to. An
// active member is returned as they are. Errors: policy.ErrMissingFeature (team.manage, or what one of the roles holds
// and the caller does not), policy.ErrOwnerOnly for an owner, fault.Missing.
func (s *Service) Reactivate(ctx context.Context, sc tenancy.Scope, member uuid.UUID) (Member, error) {
	if err := policy.Require(sc, policy.TeamManage); err != nil {
		return Member{}, err
	}
	return s.onMember(ctx, sc, member, func(tx *pg.Tx, m Member) (Member, error) {
		if m.Active {
			return m, nil
		}
		if err := mayGive(sc, m.Access.Roles); err != nil {
			return Member{}, err
		}
		m.Active, m.Access.DeactivatedAt = true, nil
		return saveMember(ctx, tx, m)
	})
}
