package till

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Service manages cash drawers and settlements. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db: db} }

// ListInput selects drawers.
type ListInput struct {
	LocationID uuid.UUID // uuid.Nil: all of the caller's
	Open       bool      // open ones only
	Page       paging.In[paging.Moment]
}

// Validate checks the input.
func (in ListInput) Validate() error {
	var c fault.Checks
	in.Page.Check(&c)
	return c.Err()
}

// List lists drawers, the latest first, of the caller's locations with payment.take.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (out paging.Page[Drawer, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.PaymentTake)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	return listDrawers(ctx, s.db.View(sc.Tenant), in, cover)
}

// Get returns a drawer of a location with its transactions, in the order of time. It needs payment.take there. It
// returns a not found error.
func (s *Service) Get(ctx context.Context, sc tenancy.Scope, of Of) (Drawer, []Transaction, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, of.LocationID); err != nil {
		return Drawer{}, nil, err
	}
	return readDrawer(ctx, s.db.View(sc.Tenant), of)
}

// Of names a drawer.
type Of struct {
	LocationID uuid.UUID
	DrawerID   uuid.UUID
}

// lockFor locks an open drawer for a caller with payment.take at its location. It returns a not found error and
// ErrClosed.
func lockFor(ctx context.Context, tx *pg.Tx, of Of) (Drawer, error) {
	d, err := lockDrawer(ctx, tx, of)
	if err == nil && d.Count != nil {
		err = ErrClosed
	}
	return d, err
}
