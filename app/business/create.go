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

// CreateInput opens a business.
type CreateInput struct {
	InviteToken string
	Name        string
	Slug        string         // empty: made from the name
	Currency    money.Currency // empty: the first location's
	Zone        string         // empty: the first location's
	Location    *LocationInput // the first location; nil: none yet
	// OwnerTeaches makes the owner an instructor from the start: they can be booked.
	OwnerTeaches bool
}

// Created is a new business with its first location, if one was asked for.
type Created struct {
	Business Business
	Location *Location
}

// Validate fills in what the business and its first location may leave to each other, and checks the rest.
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

// Create opens a business for the signed-in person, who becomes its owner, and uses up the invite in the same
// transaction; of parallel calls with one invite, one opens a business. The invite comes before the input: somebody
// without one learns nothing about the rest (A31, A57).
//
// Errors: identity.ErrSignIn, identity.ErrKeyRefused (A50), identity.ErrInvite (A31), Validation, ErrSlugTaken. A227.
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

// open writes the rows of a new business. A24: the fee starts at 2 %, borne by the studio.
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

// nameOf is what the team calls somebody who gave no name: the front of their address.
func nameOf(name, email string) string {
	front, _, _ := strings.Cut(email, "@")
	return cmp.Or(name, front)
}
