package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// UpdateMemberInput changes a member. A nil field is unchanged.
type UpdateMemberInput struct {
	MemberID            uuid.UUID
	Version             int64 // of the member that was read
	Name                *string
	Bookable            *bool
	DailyCap, WeeklyCap patch.Field[int] // maximum appointments
	Roles               *[]RoleAt        // the full list: a role that is not in it is revoked
}

// Validate trims and checks what was given.
func (in *UpdateMemberInput) Validate() error {
	var c fault.Checks
	checkLine(&c, "name", in.Name, MaxName)
	checkCap(&c, "dailyCap", in.DailyCap, MaxMemberCap)
	checkCap(&c, "weeklyCap", in.WeeklyCap, MaxMemberCap)
	if in.Roles != nil {
		checkRoles(&c, *in.Roles)
	}
	return c.Err()
}

// UpdateMember changes a member and returns them. Unchanged roles need no right; added and removed ones need the
// right to grant them. A revoked role has no effect from the member's next request on. Errors:
//
//   - policy.ErrMissingFeature (team.manage, or a feature of a role that the caller does not hold)
//   - policy.ErrOwnerOnly for an owner
//   - Validation
//   - fault.Missing for the member or a role's location
//   - fault.ErrStale
//   - ErrLastOwner
func (s *Service) UpdateMember(ctx context.Context, sc tenancy.Scope, in UpdateMemberInput) (Member, error) {
	return s.onMember(ctx, sc, in.MemberID, in.Validate, func(tx *pg.Tx, m Member) (Member, error) {
		if err := fault.Stale(in.Version, m.Version); err != nil {
			return Member{}, err
		}
		if in.Roles != nil {
			if err := exchangeRoles(ctx, sc, tx, &m, *in.Roles); err != nil {
				return Member{}, err
			}
		}
		patch.Set(&m.Name, in.Name)
		patch.Set(&m.Bookable, in.Bookable)
		in.DailyCap.To(&m.DailyCap)
		in.WeeklyCap.To(&m.WeeklyCap)
		return saveMember(ctx, tx, m)
	})
}

// onMember changes one member under the team's lock, after the checks common to all changes.
func (s *Service) onMember(ctx context.Context, sc tenancy.Scope, id uuid.UUID, valid func() error,
	do func(*pg.Tx, Member) (Member, error)) (Member, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.TeamManage), valid, func(tx *pg.Tx) (Member, error) {
		if err := lockTeam(ctx, tx); err != nil {
			return Member{}, err
		}
		m, err := MemberOf(ctx, tx, id)
		if err != nil {
			return Member{}, err
		}
		if m.owns() && !granter(sc).Owner {
			return Member{}, policy.ErrOwnerOnly
		}
		return do(tx, m)
	})
}

// exchangeRoles replaces the roles of a member.
func exchangeRoles(ctx context.Context, sc tenancy.Scope, tx *pg.Tx, m *Member, wanted []RoleAt) error {
	added, removed := without(wanted, m.Access.Roles), without(m.Access.Roles, wanted)
	if err := mayGive(sc, added); err != nil {
		return err
	}
	if err := mayGive(sc, removed); err != nil {
		return err
	}
	if err := placesExist(ctx, tx, added); err != nil {
		return err
	}
	was := *m
	m.Access = &Access{Email: was.Access.Email, Roles: wanted, DeactivatedAt: was.Access.DeactivatedAt}
	if was.Active && was.owns() && !m.owns() {
		if err := keepOwner(ctx, tx, was); err != nil {
			return err
		}
	}
	return changeRoles(ctx, tx, m.ID, added, removed)
}

// Deactivate revokes a member's access, from their next request on. Their roles are kept for reactivation, and past
// dates keep their name. Deactivating a deactivated member changes nothing. Errors:
//
//   - policy.ErrMissingFeature (team.manage, or a feature of a role of theirs that the caller does not hold)
//   - policy.ErrOwnerOnly for an owner
//   - fault.Missing
//   - ErrLastOwner
func (s *Service) Deactivate(ctx context.Context, sc tenancy.Scope, member uuid.UUID) (Member, error) {
	return s.onMember(ctx, sc, member, nil, func(tx *pg.Tx, m Member) (Member, error) {
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

// Reactivate restores a deactivated member's roles. The caller needs the right to grant them. Reactivating an active
// member changes nothing. Errors:
//
//   - policy.ErrMissingFeature (team.manage, or a feature of one of the roles that the caller does not hold)
//   - policy.ErrOwnerOnly for an owner
//   - fault.Missing
func (s *Service) Reactivate(ctx context.Context, sc tenancy.Scope, member uuid.UUID) (Member, error) {
	return s.onMember(ctx, sc, member, nil, func(tx *pg.Tx, m Member) (Member, error) {
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
