package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// PenaltiesInput chooses fees; a filter that is not set chooses all.
type PenaltiesInput struct {
	State      FeeState
	Kind       PenaltyKind
	CustomerID uuid.UUID
	After      *Key // nil: from the beginning
	Limit      int  // 0: PageDefault
}

// Validate checks the input. The error names every wrong field.
func (in PenaltiesInput) Validate() error {
	var c fault.Checks
	_, ok := PageSize(in.Limit)
	c.That(ok, "limit", "Ask for 1 to 200.")
	c.That(in.State == "" || in.State.Valid(), "state", "Use due, waived, forgiven or withdrawn.")
	c.That(in.Kind == "" || in.Kind.Valid(), "kind", "Use late_cancel or no_show.")
	return c.Err()
}

// PenaltyPage is a part of a list of fees, the latest first.
type PenaltyPage struct {
	Items []Penalty
	Next  *Key
}

// Penalties lists fees for cancelling late and for not coming, in review and after it. It needs payment.take, and shows
// those at the locations for which the caller holds it.
func (s *Service) Penalties(ctx context.Context, sc tenancy.Scope, in PenaltiesInput) (PenaltyPage, error) {
	cover, err := policy.Where(sc, policy.PaymentTake)
	if err != nil {
		return PenaltyPage{}, err
	}
	if err := in.Validate(); err != nil {
		return PenaltyPage{}, err
	}
	size, _ := PageSize(in.Limit)
	rows, err := penalties(ctx, s.db.View(sc.Tenant), in, cover, size+1)
	if err != nil {
		return PenaltyPage{}, err
	}
	items, next := Cut(rows, size, func(p Penalty) Key { return Key{p.CreatedAt, p.ID} })
	return PenaltyPage{items, next}, nil
}

// WaiveInput lets a fee pass.
type WaiveInput struct {
	PenaltyID uuid.UUID
	Version   int64 // that was read
	Reason    string
}

// Validate trims the input and checks it.
func (in *WaiveInput) Validate() error {
	var c fault.Checks
	in.Reason = checkWords(&c, "reason", in.Reason)
	c.That(in.Reason != "", "reason", "Say why.")
	return c.Err()
}

// Waive lets a fee pass that is due. It needs payment.take at its location, and a reason. Errors: Validation; not found;
// fault.ErrStale with details.version; ErrPenaltyOver with details.state.
func (s *Service) Waive(ctx context.Context, sc tenancy.Scope, in WaiveInput) (Penalty, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Penalty{}, err
	}
	if err := in.Validate(); err != nil {
		return Penalty{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Penalty, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return Penalty{}, err
		}
		p, err := lockPenalty(ctx, tx, in.PenaltyID)
		if err != nil {
			return Penalty{}, err
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, p.LocationID); err != nil {
			return Penalty{}, err
		}
		switch {
		case p.Version != in.Version:
			return Penalty{}, fault.ErrStale.With("version", p.Version)
		case p.State != FeeDue:
			return Penalty{}, ErrPenaltyOver.With("state", string(p.State))
		}
		return waivePenalty(ctx, tx, p, in.Reason)
	})
}
