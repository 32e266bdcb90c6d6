package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Deactivate takes a member's access away, from their next request on. Their roles stay written for a return, and what
// they taught keeps their name. A deactivated member is returned as they are. Errors: policy.ErrMissingFeature
// (team.manage, or what one of their roles holds and the caller does not), policy.ErrOwnerOnly for an owner,
// fault.Missing, ErrLastOwner.
func (s *Service) Deactivate(ctx context.Context, sc tenancy.Scope, member uuid.UUID) (Member, error) {
	if err := policy.Require(sc, policy.TeamManage); err != nil {
		return Member{}, err
	}
	return s.onMember(ctx, sc, member, func(tx *pg.Tx, m Member) (Member, error) {
		if !m.Active {
			return m, nil
		}
		if err := mayGive(sc, m.Access.Roles); err != nil {
			return Member{}, err
		}
		if m.owns() {
			if err := keepOwner(ctx, tx, m); err != nil {
				return Member{}, err
			}
		}
		now := tx.Now()
		m.Active, m.Access.DeactivatedAt = false, &now
		return saveMember(ctx, tx, m)
	})
}
