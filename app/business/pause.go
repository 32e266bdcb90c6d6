package business

import (
	"context"
	"time"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// ReturnLife is the time within which a closed business can be reopened.
const ReturnLife = 30 * 24 * time.Hour

// Errors about a closed business.
var (
	ErrClosed = fault.New(fault.Conflict, "business_closed", "This business is closed.")
	// ErrClosedForGood is returned when the time to reopen has expired.
	ErrClosedForGood = fault.New(fault.Conflict, "closed_for_good", "This business was closed more than 30 days ago. It cannot be reopened.")
)

// ReturnUntil returns the end of the time in which a closed business can be reopened; nil for one that is not closed,
// or cannot be reopened.
func (b Business) ReturnUntil() *time.Time {
	if b.ClosedAt == nil {
		return nil
	}
	until := b.ClosedAt.Add(ReturnLife)
	return &until
}

// Pause stops new bookings by customers in the whole business, walk-ins and waitlists included. Public pages remain,
// without a way to book (E48), except the bar of live spots, which is empty (E109). Existing bookings remain, and
// customers may cancel them; the desk may still book. Pausing a paused business changes nothing. Errors:
// policy.ErrMissingFeature (business.manage), ErrClosed.
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

// Resume accepts bookings again, after a pause or within 30 days after closing. Only an owner may reverse closing.
// Cancelled bookings are not restored. Resuming an active business changes nothing. Errors: policy.ErrMissingFeature
// (business.manage), policy.ErrOwnerOnly, ErrClosedForGood.
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
