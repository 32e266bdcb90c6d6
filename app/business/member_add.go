package business

import (
	"context"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// AddMemberInput adds a member to the team.
type AddMemberInput struct {
	Email    string
	Name     string // the member's name in the studio; empty: the local part of the address
	Bookable bool
	Roles    []RoleAt // empty: on the team's page only, without access
}

// Validate trims and checks the input.
func (in *AddMemberInput) Validate() error {
	var c fault.Checks
	_, ok := identity.ParseEmail(in.Email)
	c.That(ok, "email", "Enter an e-mail address, like name@example.com.")
	checkMaybe(&c, "name", &in.Name, MaxName)
	checkRoles(&c, in.Roles)
	return c.Err()
}

// AddMember adds the person of an address to the team and sends them a mail. A known person is unchanged, and the
// response reveals nothing about them; a new one can sign in with that address. Errors:
//
//   - policy.ErrMissingFeature (team.manage, or a feature of a role that the caller does not hold)
//   - policy.ErrOwnerOnly
//   - Validation
//   - fault.Missing for a role's location
//   - ErrMemberExists with details.memberId, also for a deactivated member
func (s *Service) AddMember(ctx context.Context, sc tenancy.Scope, in AddMemberInput) (Member, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.TeamManage), in.Validate, func(tx *pg.Tx) (Member, error) {
		if err := mayGive(sc, in.Roles); err != nil {
			return Member{}, err
		}
		if err := lockTeam(ctx, tx); err != nil {
			return Member{}, err
		}
		if err := placesExist(ctx, tx, in.Roles); err != nil {
			return Member{}, err
		}
		person, err := identity.EnsurePersonTx(ctx, tx, in.Email, in.Name)
		if err != nil {
			return Member{}, err
		}
		there, err := memberOfPerson(ctx, tx, person.ID)
		if err == nil {
			return Member{}, ErrMemberExists.With("memberId", there)
		}
		if !fault.IsKind(err, fault.NotFound) {
			return Member{}, err
		}
		m := Member{
			ID: pg.NewID(), PersonID: person.ID, Name: nameOf(in.Name, person.Email), Bookable: in.Bookable, Active: true,
			Access: &Access{Email: person.Email, Roles: in.Roles}, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		if err := insertMember(ctx, tx, m); err != nil {
			return Member{}, err
		}
		return m, jobs.EnqueueTx(ctx, tx, TeamInviteJob{Business: sc.Tenant, Member: m.ID})
	})
}
