package business

import (
	"context"
	"time"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ReturnLife is how long a business that was closed can return.
const ReturnLife = 30 * 24 * time.Hour

// The refusals of a business that is closed.
var (
	ErrClosed = fault.New(fault.Conflict, "business_closed", "This business is closed.")
	// ErrClosedForGood: the time to return is over.
	ErrClosedForGood = fault.New(fault.Conflict, "closed_for_good", "This business was closed more than 30 days ago. It cannot return.")
)

// ReturnUntil is until when a closed business can return; nil for one that is not closed, or cannot.
func (b Business) ReturnUntil() *time.Time {
	if b.ClosedAt == nil {
		return nil
	}
	until := b.ClosedAt.Add(ReturnLife)
	return &until
}

// Pause stops new bookings of customers in the whole business, walk-ins and waitlists included. What is shown stays on show, without
// a way to book it (E48), except the bar of live spots, which shows nothing (E109). What is booked stays booked, and its customers may
// cancel it; the desk may still book. Pausing what is paused changes nothing. Errors: policy.ErrMissingFeature (business.manage),
// ErrClosed.
func (s *Service) Pause(ctx context.Context, sc tenancy.Scope) (Business, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), nil, func(tx *pg.Tx) (Business, error) {
		b, err := lockBusiness(ctx, tx)
		switch {
		case err != nil || b.Status == Paused:
			return b, err
		case b.Status == Closed:
			return Business{}, ErrClosed
		}
		b.Status = Paused
		return saveBusiness(ctx, tx, b)
	})
}

// Resume takes bookings again: after a pause, or, within 30 days, after closing, which only an owner may take back. Nothing that was
// cancelled comes back. Resuming what is active changes nothing. Errors: policy.ErrMissingFeature (business.manage),
// policy.ErrOwnerOnly, ErrClosedForGood.
func (s *Service) Resume(ctx context.Context, sc tenancy.Scope) (Business, error) {
	return change(ctx, s, sc, policy.Require(sc, policy.BusinessManage), nil, func(tx *pg.Tx) (Business, error) {
		b, err := lockBusiness(ctx, tx)
		if err != nil || b.Status == Active {
			return b, err
		}
		if b.Status == Closed {
			if err := policy.RequireOwner(sc); err != nil {
				return Business{}, err
			}
			if until := b.ReturnUntil(); until == nil || !tx.Now().Before(*until) {
				return Business{}, ErrClosedForGood
			}
		}
		b.Status, b.ClosedAt = Active, nil
		return saveBusiness(ctx, tx, b)
	})
}
