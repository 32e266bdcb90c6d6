package business

import (
	"cmp"
	"context"
	"strings"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// CreateInput creates a business.
type CreateInput struct {
	InviteToken string
	Name        string
	Slug        string         // empty: derived from the name
	Currency    money.Currency // empty: the first location's
	Zone        string         // empty: the first location's
	Location    *LocationInput // the first location; nil: none yet
	// OwnerTeaches makes the owner a bookable instructor from the start.
	OwnerTeaches bool
}

// Created is a new business, with its first location if the input had one.
type Created struct {
	Business Business
	Location *Location
}

// Validate fills in defaults that business and first location share, and checks the input.
func (in *CreateInput) Validate() error {
	var c fault.Checks
	if l := in.Location; l != nil {
		in.Currency = cmp.Or(in.Currency, l.Currency)
		in.Zone = cmp.Or(in.Zone, l.Zone)
		l.Currency = cmp.Or(l.Currency, in.Currency)
		l.Zone = cmp.Or(l.Zone, in.Zone)
		c.That(l.TaxRateID == nil, "location.taxRateId", "A new business has no tax rates yet.")
		l.check(&c, "location.")
	}
	checkLine(&c, "name", &in.Name, MaxName)
	if in.Slug != "" {
		under(&c, "slug", tenancy.CheckSlug(in.Slug))
	}
	checkCurrency(&c, "currency", in.Currency)
	checkZone(&c, "zone", in.Zone)
	return c.Err()
}

// Create creates a business for the signed-in person, its owner, and consumes the invite in the same transaction. Of
// parallel calls with one invite, one succeeds. The invite is checked before the input: without one the response
// reveals nothing else (A31, A57). Errors (A227):
//
//   - identity.ErrSignIn
//   - identity.ErrKeyRefused (A50)
//   - identity.ErrInvite (A31)
//   - Validation
//   - ErrSlugTaken
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Created, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return Created{}, err
	}
	id := pg.NewID()
	return pg.InTx(ctx, s.o.DB, id, func(tx *pg.Tx) (Created, error) {
		owner, err := identity.ConsumeInviteTx(ctx, tx, in.InviteToken, person, id)
		if err != nil {
			return Created{}, err
		}
		if err := in.Validate(); err != nil {
			return Created{}, err
		}
		return open(ctx, tx, owner, in)
	})
}

// open writes the rows of a new business. A24: the fee starts at 2 %, paid by the studio.
func open(ctx context.Context, tx *pg.Tx, owner identity.Person, in CreateInput) (Created, error) {
	b := Business{
		ID: tx.Business(), Name: in.Name, Currency: in.Currency, Zone: in.Zone, FeeMode: FeeAbsorb,
		FeePPM: defaultFeePPM, SplitPPM: defaultSplitPPM, Words: defaultWords, Status: Active, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := insertBusiness(ctx, tx, b); err != nil {
		return Created{}, err
	}
	var err error
	if b.Slug, err = takeSlug(ctx, tx, nil, in.Slug, in.Name, ""); err != nil {
		return Created{}, err
	}
	m := Member{
		ID: pg.NewID(), PersonID: owner.ID, Name: nameOf(owner.Name, owner.Email), Bookable: in.OwnerTeaches, Active: true, Version: 1, CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		Access: &Access{Email: owner.Email, Roles: []RoleAt{{Role: policy.Owner}}},
	}
	if err := insertMember(ctx, tx, m); err != nil {
		return Created{}, err
	}
	out := Created{Business: b}
	if in.Location != nil {
		place, err := openLocation(ctx, tx, *in.Location)
		if err != nil {
			return Created{}, err
		}
		out.Location = &place
	}
	return out, nil
}

// nameOf returns the default name of a member: the given one, or the local part of the address.
func nameOf(name, email string) string {
	front, _, _ := strings.Cut(email, "@")
	return cmp.Or(name, front)
}
