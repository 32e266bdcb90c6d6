package till

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// OpenInput opens the drawer of a location.
type OpenInput struct {
	LocationID  uuid.UUID
	FloatAmount int64 // opening float, counted
}

// Validate checks the input.
func (in OpenInput) Validate() error {
	var c fault.Checks
	checkAmount(&c, "floatAmount", in.FloatAmount, 0)
	return c.Err()
}

// Open opens the drawer of a location. If the float differs from the expected amount, the difference was brought from
// the studio's own account, or taken there. It needs payment.take at the location. It returns a validation error, a
// not found error and ErrOpen.
func (s *Service) Open(ctx context.Context, sc tenancy.Scope, in OpenInput) (Drawer, error) {
	if err := policy.RequireAt(sc, policy.PaymentTake, in.LocationID); err != nil {
		return Drawer{}, err
	}
	if err := in.Validate(); err != nil {
		return Drawer{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Drawer, error) {
		was, err := lockTill(ctx, tx, in.LocationID)
		if err != nil {
			return Drawer{}, err
		}
		if was.Open != nil {
			return Drawer{}, ErrOpen.With("drawerId", was.Open.String())
		}
		d := Drawer{
			ID: pg.NewID(), LocationID: in.LocationID, LocationName: was.LocationName, Zone: was.Zone, Currency: was.Currency,
			FloatAmount: in.FloatAmount, FoundAmount: was.RemainingAmount + was.LooseAmount, OpenedBy: sc.Actor.Name, Version: 1,
			CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
		}
		b := tx.Batch()
		insertDrawerIn(b, tx, d)
		if err := ledger.PostIn(b, tx, ledger.CashTransfer(d.place(tx), d.ID, d.FloatAmount-d.FoundAmount)); err != nil {
			return Drawer{}, err
		}
		return d, b.Send(ctx)
	})
}

func (d Drawer) place(tx *pg.Tx) ledger.Context {
	return ledger.Context{LocationID: d.LocationID, Currency: d.Currency, At: tx.Now()}
}
