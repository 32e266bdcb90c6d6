package crm

import (
	"context"
	"strings"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ErrExists is returned for a second record of one address; details.customerId is the existing one.
var ErrExists = fault.New(fault.Conflict, "customer_exists", "A customer with this e-mail address already exists.")

// CreateInput creates a customer: one without bookings so far, or without an e-mail address.
type CreateInput struct {
	Name  string // may be empty if there is an address
	Email string // may be empty
	Phone string // may be empty
	// LocationID is the location of the new record. uuid.Nil: the only location where the caller may add one, or none
	// if there are several.
	LocationID uuid.UUID
}

// home is the origin of a new record: its location and author.
type home struct{ Location, By *uuid.UUID }

// homeOf returns an error for a location at which the caller may not add customers.
func homeOf(sc tenancy.Scope, location uuid.UUID) (h home, err error) {
	if by := sc.Person(); by != uuid.Nil {
		h.By = &by
	}
	if location != uuid.Nil {
		h.Location = &location
		return h, policy.RequireAt(sc, policy.CRMManage, location)
	}
	cover, err := policy.Where(sc, policy.CRMManage)
	if len(cover.Locations) == 1 {
		h.Location = &cover.Locations[0]
	}
	return h, err
}

// Validate trims and checks the input. The error names every wrong field.
func (in *CreateInput) Validate() error {
	var c fault.Checks
	in.Name, in.Email, in.Phone = names.Clean(in.Name), strings.TrimSpace(in.Email), names.Clean(in.Phone)
	c.That(in.Name != "" || in.Email != "", "name", "Enter a name or an e-mail address.")
	checkText(&c, &in.Name, &in.Email, &in.Phone)
	return c.Err()
}

// checkText checks a customer's name, address and number, if given; any of them may be empty.
func checkText(c *fault.Checks, name, email, phone *string) {
	if name != nil {
		c.That(identity.IsLine(*name, identity.MaxName), "name", "Enter a name of at most 120 characters, on one line.")
	}
	if email != nil && *email != "" {
		address, ok := identity.ParseEmail(*email)
		c.That(ok, "email", "Enter an e-mail address, like name@example.com.")
		*email = address
	}
	if phone != nil && *phone != "" {
		c.That(identity.KnownPhone(*phone), "phone", "Enter a phone number, like +1 555 010 9999.")
	}
}

// Create creates a customer's record. One with an e-mail address belongs to the person of that address: after they
// sign in, the studio's bookings for them are theirs. Nothing is sent. It needs crm.manage at the location, or at any
// location when none is given. Until the customer has booked, the record is visible to its author and to the staff of
// that location. Errors:
//
//   - policy.ErrMissingFeature
//   - Validation
//   - ErrExists
//   - fault.Missing for an unknown location
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Customer, error) {
	at, err := homeOf(sc, in.LocationID)
	if err != nil {
		return Customer{}, err
	}
	if err := in.Validate(); err != nil {
		return Customer{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Customer, error) {
		person, err := loginOf(ctx, tx, in.Email, in.Name)
		if err != nil {
			return Customer{}, err
		}
		c, made, err := insert(ctx, tx, person, in, at)
		if err != nil || made {
			return c, err
		}
		return Customer{}, exists(ctx, tx, *person)
	})
}

// loginOf returns the person of an address; nil for none.
func loginOf(ctx context.Context, tx *pg.Tx, email, name string) (*uuid.UUID, error) {
	if email == "" {
		return nil, nil
	}
	p, err := identity.EnsurePersonTx(ctx, tx, email, name)
	return &p.ID, err
}

// exists returns ErrExists with the record of a person.
func exists(ctx context.Context, tx *pg.Tx, person uuid.UUID) error {
	id, err := recordOf(ctx, tx, person)
	return fault.When(true, ErrExists.With("customerId", id.String()), err)
}
