package crm

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/identity"
	"foyer/app/names"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ErrSignsIn is returned for a change of the address of a customer who has verified theirs.
var ErrSignsIn = fault.New(fault.Conflict, "customer_signs_in", "This customer has verified this address. Only they can change it.")

// UpdateInput changes a customer. A nil field is unchanged; an empty Email or Phone is removed.
type UpdateInput struct {
	ID      uuid.UUID
	Version int64 // of the record that was read
	Name    *string
	Email   *string
	Phone   *string
}

// Validate trims and checks what was given. The error names every wrong field.
func (in *UpdateInput) Validate() error {
	var c fault.Checks
	for _, s := range []*string{in.Name, in.Email, in.Phone} {
		if s != nil {
			*s = names.Clean(*s)
		}
	}
	checkText(&c, in.Name, in.Email, in.Phone)
	return c.Err()
}

// Update changes a customer's record. An anonymous walk-in is listed from then on. With another address the record,
// with its bookings and waitlist entries, belongs to the person of that address; a customer with a verified address
// keeps it. It needs crm.manage for this customer, as Get needs crm.view. Errors:
//
//   - policy.ErrMissingFeature
//   - fault.Missing
//   - Validation, also for a record that would have neither a name nor an address
//   - fault.ErrStale
//   - ErrSignsIn
//   - ErrExists for the address of another customer: this does not merge two records
func (s *Service) Update(ctx context.Context, sc tenancy.Scope, in UpdateInput) (Customer, error) {
	cover, err := policy.Where(sc, policy.CRMManage)
	if err != nil {
		return Customer{}, err
	}
	if err := in.Validate(); err != nil {
		return Customer{}, err
	}
	return pg.InTx(ctx, s.o.DB, sc.Tenant, func(tx *pg.Tx) (Customer, error) {
		if err := lock(ctx, tx, in.ID); err != nil {
			return Customer{}, err
		}
		c, open, err := find(ctx, tx, sc.Person(), cover, in.ID)
		if err := fault.When(!open, policy.ErrMissingFeature.With("feature", string(policy.CRMManage)), err); err != nil {
			return Customer{}, err
		}
		if err := fault.Stale(in.Version, c.Version); err != nil {
			return Customer{}, err
		}
		was := c
		patch.Set(&c.Name, in.Name)
		patch.Set(&c.Email, in.Email)
		patch.Set(&c.Phone, in.Phone)
		if c.Name == "" && c.Email == "" {
			return Customer{}, fault.Invalid("name", "Enter a name or an e-mail address.")
		}
		if c.Email != was.Email {
			if err := s.readdress(ctx, tx, &c); err != nil {
				return Customer{}, err
			}
		}
		return save(ctx, tx, c)
	})
}

// readdress assigns the record to the person of its new address.
func (s *Service) readdress(ctx context.Context, tx *pg.Tx, c *Customer) error {
	if c.PersonID != nil {
		proved, err := identity.ProvedTx(ctx, tx, *c.PersonID)
		if err := fault.When(proved, ErrSignsIn, err); err != nil {
			return err
		}
	}
	var err error
	if c.PersonID, err = loginOf(ctx, tx, c.Email, c.Name); err != nil {
		return err
	}
	if c.PersonID != nil {
		id, err := recordOf(ctx, tx, *c.PersonID)
		if err := fault.When(id != uuid.Nil && id != c.ID, ErrExists.With("customerId", id.String()), err); err != nil {
			return err
		}
	}
	return s.o.FollowTx(ctx, tx, c.ID, c.PersonID)
}
