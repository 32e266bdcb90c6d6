package credit

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
	"foyer/policy"
)

// Service changes account credit by hand. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db} }

// AdjustInput changes a customer's credit by hand, in the currency of a location. The change is in that location's
// books.
type AdjustInput struct {
	CustomerID uuid.UUID
	LocationID uuid.UUID
	Amount     int64 // minor units; a negative amount removes credit
	Note       string
}

// adjustMost bounds an amount, in minor units: more is a typing mistake.
const adjustMost = 1_000_000_000_000

// Validate trims the input and checks it. The error names every invalid field.
func (in *AdjustInput) Validate() error {
	var c fault.Checks
	c.That(in.LocationID != uuid.Nil, "locationId", "Select a location.")
	c.That(in.Amount != 0, "amount", "Enter an amount: a positive one grants credit, a negative one removes it.")
	c.That(in.Amount >= -adjustMost && in.Amount <= adjustMost, "amount", "This amount is too large.")
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// Adjust grants credit to a customer, or removes some, with a reason. Granted credit is the studio's cost from then
// on. It needs balance.adjust at the location. It returns:
//
//   - policy.ErrMissingFeature
//   - a validation error
//   - a not found error for an unknown location or customer
//   - ErrShort
func (s *Service) Adjust(ctx context.Context, sc tenancy.Scope, in AdjustInput) (Transaction, error) {
	if err := policy.RequireAny(sc, policy.BalanceAdjust); err != nil {
		return Transaction{}, err
	}
	if err := in.Validate(); err != nil {
		return Transaction{}, err
	}
	if err := policy.RequireAt(sc, policy.BalanceAdjust, in.LocationID); err != nil {
		return Transaction{}, err
	}
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Transaction, error) {
		if err := tx.Because(ctx, in.Note); err != nil {
			return Transaction{}, err
		}
		at, err := findPlace(ctx, tx, in.LocationID, in.CustomerID)
		if err != nil {
			return Transaction{}, err
		}
		balance, free, err := lock(ctx, tx, in.CustomerID, at.Currency)
		if err != nil {
			return Transaction{}, err
		}
		if in.Amount < 0 && free+in.Amount < 0 {
			return Transaction{}, Source{}.Short(free)
		}
		m := Transaction{
			ID: pg.NewID(), CustomerID: in.CustomerID, LocationID: in.LocationID, Currency: at.Currency, Kind: Granted, Amount: in.Amount,
			Balance: balance + in.Amount, Note: in.Note, ActorKind: sc.Actor.Kind, ActorName: sc.Actor.Name, CreatedAt: tx.Now(),
		}
		if m.Amount < 0 {
			m.Kind = Removed
		}
		b := tx.Batch()
		RecordIn(b, tx, sc.Actor, m)
		err = ledger.PostIn(b, tx, ledger.Credited(ledger.Context{LocationID: m.LocationID, Currency: m.Currency, At: m.CreatedAt}, m.ID, m.Amount))
		if err != nil {
			return Transaction{}, err
		}
		return m, b.Send(ctx)
	})
}
