package walkin

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/fault"
	"foyer/app/patch"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PauseMax is the longest pause; for a longer one, walk-ins are switched off.
const PauseMax = 366 * 24 * time.Hour

// SwitchInput changes the walk-ins of a location; nil leaves a field unchanged.
type SwitchInput struct {
	LocationID  uuid.UUID
	Version     int64 // of the location that was read
	On          *bool
	PausedUntil patch.Field[time.Time]
}

// Switch switches walk-ins on or off, pauses them until an instant, or ends a pause. Present stays continue.
//
// Errors:
//   - fault.Missing
//   - policy.ErrMissingFeature (booking.manage there)
//   - fault.ErrStale
//   - Validation for a pause that does not end within a year
func (s *Service) Switch(ctx context.Context, sc tenancy.Scope, in SwitchInput) (Desk, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return Desk{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Desk, error) {
		version, err := lockDoor(ctx, tx, in.LocationID)
		if err != nil {
			return Desk{}, err
		}
		if err := policy.RequireAt(sc, policy.BookingManage, in.LocationID); err != nil {
			return Desk{}, err
		}
		if err := in.validate(tx.Now()); err != nil {
			return Desk{}, err
		}
		if err := fault.Stale(in.Version, version); err != nil {
			return Desk{}, err
		}
		if err := business.SetWalkinsTx(ctx, tx, in.LocationID, in.On, in.PausedUntil); err != nil {
			return Desk{}, err
		}
		p, err := walkinFacts(ctx, tx, in.LocationID, 0)
		if err != nil {
			return Desk{}, err
		}
		return p.desk(tx.Now())
	})
}

func (in SwitchInput) validate(now time.Time) error {
	var c fault.Checks
	if in.PausedUntil.Value != nil {
		until := *in.PausedUntil.Value
		c.That(until.After(now) && until.Sub(now) <= PauseMax, "pausedUntil", "End the pause within the next year.")
	}
	return c.Err()
}
