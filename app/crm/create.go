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

// ErrExists refuses a second record of one address; details.customerId is the one that is there.
var ErrExists = fault.New(fault.Conflict, "customer_exists", "There is a customer with this e-mail address already.")

// CreateInput is a customer that the studio writes down: somebody who has booked nothing yet, or who has no e-mail address.
type CreateInput struct {
	Name  string // may be empty when there is an address
	Email string // may be empty
	Phone string // may be empty
	// LocationID is where the customer is added; uuid.Nil: at the only location where the caller may, and at none when there are several.
	LocationID uuid.UUID
}

// home is what a new record says about where it comes from.
type home struct{ Location, By *uuid.UUID }

// homeOf refuses a location at which the caller may not add customers.
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
	c.That(in.Name != "" || in.Email != "", "name", "Write a name, or an e-mail address.")
	checkText(&c, &in.Name, &in.Email, &in.Phone)
	return c.Err()
}

// checkText checks what is given of a customer's name, address and number; any of them may be empty.
func checkText(c *fault.Checks, name, email, phone *string) {
	if name != nil {
		c.That(identity.IsLine(*name, identity.MaxName), "name", "Write a name of at most 120 characters, on one line.")
	}
	if email != nil && *email != "" {
		address, ok := identity.ParseEmail(*email)
		c.That(ok, "email", "Write an e-mail address, like name@example.com.")
		*email = address
	}
	if phone != nil && *phone != "" {
		c.That(identity.KnownPhone(*phone), "phone", "Write a phone number, like +1 555 010 9999.")
	}
}

// Create writes a customer down. With an e-mail address it is the record of the person who can read mail there: when they sign in, what
// the studio has booked for them is theirs. Nothing is sent. It needs crm.manage at the location, or somewhere when none is named. Until
// the customer has booked, the record is open to its author and to the staff of that location. Errors: policy.ErrMissingFeature,
// Validation, ErrExists, fault.Missing for a location that is not there.
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

// loginOf is the person of an address; nil for none.
func loginOf(ctx context.Context, tx *pg.Tx, email, name string) (*uuid.UUID, error) {
	if email == "" {
		return nil, nil
	}
	p, err := identity.EnsurePersonTx(ctx, tx, email, name)
	return &p.ID, err
}

// exists is ErrExists about the record of a person.
func exists(ctx context.Context, tx *pg.Tx, person uuid.UUID) error {
	id, err := recordOf(ctx, tx, person)
	return fault.When(true, ErrExists.With("customerId", id.String()), err)
}
