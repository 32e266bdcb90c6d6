package checkout

import (
	"context"

	"foyer/app/agreement"
	"foyer/app/crm"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// asking is what the cart asks for agreements with.
func (c *Cart) asking() []agreement.Subject {
	out := make([]agreement.Subject, len(c.Lines))
	for i, l := range c.Lines {
		out[i] = agreement.Subject{ID: l.ItemID, OfferingID: l.OfferingID, CartID: &c.ID, Attendee: l.Attendee}
	}
	return out
}

// Agreements is what a cart asks its caller to agree to, and what of it they have agreed to: on their own record, whoever's the cart is.
// Errors: identity.ErrSignIn, ErrKeyRefused; not found. A172, A179.
func (s *Service) Agreements(ctx context.Context, sc tenancy.Scope, token string) ([]agreement.Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	l, err := s.read(ctx, sc, token)
	if err != nil || l.PersonID != nil && *l.PersonID == person {
		return l.Agreements, err
	}
	return agreement.RequiredOf(ctx, s.db.View(sc.Tenant), person, l.LocationID, l.ID, l.asking())
}

// Accept writes down that the caller agrees to what a cart asks for, all of it or nothing, and returns what is asked then. What they
// have agreed to already stays as it is. It takes no seat, and makes the cart nobody's.
//
// Errors: identity.ErrSignIn, ErrKeyRefused; not found; ErrOther for a cart that somebody else holds; ErrOrdered; what
// agreement.AcceptTx refuses. A184.
func (s *Service) Accept(ctx context.Context, sc tenancy.Scope, token string, in agreement.AcceptInput) ([]agreement.Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	if err := in.Validate(); err != nil {
		return nil, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) ([]agreement.Requirement, error) {
		l, err := s.lock(ctx, tx, token, person, lockToLook)
		if err != nil {
			return nil, err
		}
		if err := s.ordered(l.Cart, person); err != nil {
			return nil, err
		}
		customer, err := crm.EnsureTx(ctx, tx, customerOf(sc))
		if err != nil {
			return nil, err
		}
		return agreement.AcceptTx(ctx, tx, sc, l.LocationID, l.ID, customer.ID, l.asking(), in)
	})
}
