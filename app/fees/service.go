package fees

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Service has the verbs of this package that open their own transaction. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db: db} }

// List lists late-cancellation and no-show fees, in review and after it, the latest first. It needs payment.take, and
// lists those at the locations for which the caller has it.
func (s *Service) List(ctx context.Context, sc tenancy.Scope, in ListInput) (out paging.Page[Fee, paging.Moment], err error) {
	cover, err := policy.Where(sc, policy.PaymentTake)
	if err != nil {
		return out, err
	}
	if err := in.Validate(); err != nil {
		return out, err
	}
	return list(ctx, s.db.View(sc.Tenant), in, cover)
}

// WaiveInput waives a fee.
type WaiveInput struct {
	FeeID   uuid.UUID
	Version int64 // that was read
	Reason  string
}

// Validate trims the input and checks it.
func (in *WaiveInput) Validate() error {
	var c fault.Checks
	in.Reason = strings.TrimSpace(in.Reason)
	c.That(utf8.RuneCountInString(in.Reason) <= reasonMax, "reason", "Use at most 500 characters.")
	c.That(in.Reason != "", "reason", "Enter a reason.")
	return c.Err()
}

// reasonMax is the maximum length of a reason, in characters.
const reasonMax = 500

// Waive waives a fee that is due. It needs payment.take at its location, and a reason. Errors: Validation; not found;
// fault.ErrStale with details.version; ErrNotDue with details.state.
func (s *Service) Waive(ctx context.Context, sc tenancy.Scope, in WaiveInput) (Fee, error) {
	if err := policy.RequireAny(sc, policy.PaymentTake); err != nil {
		return Fee{}, err
	}
	if err := in.Validate(); err != nil {
		return Fee{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Fee, error) {
		if err := tx.Because(ctx, in.Reason); err != nil {
			return Fee{}, err
		}
		p, err := lock(ctx, tx, in.FeeID)
		if err != nil {
			return Fee{}, err
		}
		if err := policy.RequireAt(sc, policy.PaymentTake, p.LocationID); err != nil {
			return Fee{}, err
		}
		if err := fault.Stale(in.Version, p.Version); err != nil {
			return Fee{}, err
		}
		if p.State != Due {
			return Fee{}, ErrNotDue.With("state", string(p.State))
		}
		return waive(ctx, tx, p, in.Reason)
	})
}
