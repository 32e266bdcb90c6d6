package checkout

import (
	"context"

	"foyer/app/agreement"
	"foyer/app/crm"
	"foyer/app/identity"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// agreementSubjects returns the cart's items as subjects of agreements.
func (c *Cart) agreementSubjects() []agreement.Subject {
	out := make([]agreement.Subject, len(c.Lines))
	for i, l := range c.Lines {
		out[i] = agreement.Subject{ID: l.ItemID, OfferingID: l.OfferingID, CartID: &c.ID, Attendee: l.Attendee}
	}
	return out
}

// Agreements returns the required agreements of a cart, with the acceptances on the caller's own record, for any
// cart. It returns identity.ErrSignIn, ErrKeyRefused, and a not found error. A172, A179.
func (s *Service) Agreements(ctx context.Context, sc tenancy.Scope, token string) ([]agreement.Requirement, error) {
	person, err := identity.PersonOf(sc.Principal)
	if err != nil {
		return nil, err
	}
	l, err := s.read(ctx, sc, token)
	if err != nil || l.PersonID != nil && *l.PersonID == person {
		return l.Agreements, err
	}
	return agreement.RequiredOf(ctx, s.db.View(sc.Tenant), person, l.LocationID, l.ID, l.agreementSubjects())
}

// Accept records that the caller accepts the required agreements of a cart, all of them or none, and returns the
// requirements as they are then. Earlier acceptances stay as they are. It holds no seat, and does not claim the cart.
// It returns:
//
//   - identity.ErrSignIn, ErrKeyRefused
//   - a not found error
//   - ErrOther for a cart held by another person
//   - ErrOrdered
//   - the errors of agreement.AcceptTx. A184.
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
		return agreement.AcceptTx(ctx, tx, sc, l.LocationID, l.ID, customer.ID, l.agreementSubjects(), in)
	})
}
