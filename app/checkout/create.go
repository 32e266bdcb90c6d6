package checkout

import (
	"context"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// CreateInput begins a cart.
type CreateInput struct {
	LocationID uuid.UUID
	Ref        string // the page the customer came from; may be empty
}

// Validate checks the input. The error names every wrong field.
func (in CreateInput) Validate() error {
	var c fault.Checks
	c.That(len(in.Ref) <= RefMax && utf8.ValidString(in.Ref), "ref", "This address is too long or not valid.")
	return c.Err()
}

// Created is a new cart with its token, which is shown here and nowhere else: the database has its SHA-256 only.
type Created struct {
	Cart
	Token string
}

// Create begins an empty cart at a location. Nobody need be signed in. The token is the right to the cart. Errors:
// Validation on body.ref; not found for a location that is not open to the public.
func (s *Service) Create(ctx context.Context, sc tenancy.Scope, in CreateInput) (Created, error) {
	if err := in.Validate(); err != nil {
		return Created{}, err
	}
	at, known, err := s.db.LocationOf(ctx, in.LocationID)
	if err != nil {
		return Created{}, err
	}
	if !known || sc.Tenant != uuid.Nil && sc.Tenant != at.Business {
		return Created{}, fault.Missing()
	}
	type made struct{ Sealed []byte } // kept for a repeated request; the token itself is in no table
	m, err := pg.InTx(ctx, s.db, at.Business, func(tx *pg.Tx) (made, error) {
		token := newToken()
		hash, _ := hashOf(token, cartTokenChars)
		open, err := insertCart(ctx, tx, pg.NewID(), in.LocationID, hash, in.Ref)
		if err == nil && !open {
			err = fault.Missing()
		}
		return made{s.seal.Hide(token)}, err
	})
	if err != nil {
		return Created{}, err
	}
	token, err := s.seal.Show(m.Sealed)
	if err != nil {
		return Created{}, err
	}
	sc.Tenant = at.Business
	c, err := s.Cart(ctx, sc, token)
	return Created{c, token}, err
}
