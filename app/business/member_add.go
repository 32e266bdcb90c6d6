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

// AddMemberInput puts somebody on the team.
type AddMemberInput struct {
	Email    string
	Name     string // what the studio calls them; empty: the front of the address
	Bookable bool
	Roles    []RoleAt // none: on the team's page only, without access
}

// Validate trims and checks the input.
func (in *AddMemberInput) Validate() error {
	var c fault.Checks
	_, ok := identity.ParseEmail(in.Email)
	c.That(ok, "email", "Write an e-mail address, like name@example.com.")
	checkMaybe(&c, "name", &in.Name, MaxName)
	checkRoles(&c, in.Roles)
	return c.Err()
}

// AddMember puts the person of an address on the team and mails them. A person who is known already stays who they are,
// and the answer tells nothing about them that the caller did not say; one who is not can sign in with that address. Errors: policy.ErrMissingFeature (team.manage, or what a role holds and
// the caller does not), policy.ErrOwnerOnly, Validation, fault.Missing for a role's location, ErrMemberExists with
// details.memberId, also for a deactivated member.
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
