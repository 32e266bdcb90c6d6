package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// WalkinPauseMax is the longest pause: who wants more switches walk-ins off.
const WalkinPauseMax = 366 * 24 * time.Hour

// SwitchWalkinsInput changes whether a location takes walk-ins. A nil member stays as it is.
type SwitchWalkinsInput struct {
	LocationID  uuid.UUID
	Version     int64 // of the location that was read
	On          *bool
	PausedUntil *business.OrNone[time.Time]
}

// SwitchWalkins switches walk-ins on or off, pauses them until an instant, or ends a pause. Who is inside stays. Errors:
// fault.Missing, policy.ErrMissingFeature (booking.manage there), fault.ErrStale; Validation when a pause does not end in the
// next year.
func (s *Service) SwitchWalkins(ctx context.Context, sc tenancy.Scope, in SwitchWalkinsInput) (WalkinDesk, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return WalkinDesk{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (WalkinDesk, error) {
		version, err := lockDoor(ctx, tx, in.LocationID)
		if err != nil {
			return WalkinDesk{}, err
		}
		if err := policy.RequireAt(sc, policy.BookingManage, in.LocationID); err != nil {
			return WalkinDesk{}, err
		}
		if err := in.validate(tx.Now()); err != nil {
			return WalkinDesk{}, err
		}
		if err := fault.Stale(in.Version, version); err != nil {
			return WalkinDesk{}, err
		}
		if err := switchDoor(ctx, tx, in); err != nil {
			return WalkinDesk{}, err
		}
		p, err := walkinFacts(ctx, tx, in.LocationID, 0)
		if err != nil {
			return WalkinDesk{}, err
		}
		return p.desk(tx.Now())
	})
}

func (in SwitchWalkinsInput) validate(now time.Time) error {
	var c fault.Checks
	if in.PausedUntil != nil && in.PausedUntil.Value != nil {
		until := *in.PausedUntil.Value
		c.That(until.After(now) && until.Sub(now) <= WalkinPauseMax, "body.pausedUntil", "End the pause within the next year.")
	}
	return c.Err()
}
