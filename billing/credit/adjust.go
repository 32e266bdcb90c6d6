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

// Service has the verbs of this package. It is safe for concurrent use.
type Service struct{ db *pg.DB }

// New returns a Service.
func New(db *pg.DB) *Service { return &Service{db} }

// AdjustInput changes by hand what a customer has, in the currency of a location, in whose books it is.
type AdjustInput struct {
	CustomerID uuid.UUID
	LocationID uuid.UUID
	Amount     int64 // minor units; less than nothing takes away
	Note       string
}

// adjustMost bounds an amount, in minor units: more is a slip of the finger.
const adjustMost = 1_000_000_000_000

// Validate trims the input and checks it. The error names every wrong field.
func (in *AdjustInput) Validate() error {
	var c fault.Checks
	c.That(in.LocationID != uuid.Nil, "locationId", "Say at which location.")
	c.That(in.Amount != 0, "amount", "Say how much: more than nothing gives credit, less takes it away.")
	c.That(in.Amount >= -adjustMost && in.Amount <= adjustMost, "amount", "This is too much.")
	money.CheckNote(&c, "note", &in.Note, true)
	return c.Err()
}

// Adjust grants credit to a customer, or takes some away, with a reason. What is granted is the studio's cost from then on. It needs
// balance.adjust at the location.
//
// Errors: policy.ErrMissingFeature; Validation; not found, for an unknown location or customer; ErrShort.
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
		was, err := LockTx(ctx, tx, in.CustomerID, at.Currency)
		if err != nil {
			return Transaction{}, err
		}
		if in.Amount < 0 && was.Free()+in.Amount < 0 {
			return Transaction{}, ErrShort.With("creditAmount", was.Free())
		}
		m := Transaction{
			ID: pg.NewID(), CustomerID: in.CustomerID, LocationID: in.LocationID, Currency: at.Currency, Kind: Granted, Amount: in.Amount,
			Balance: was.Balance + in.Amount, Note: in.Note, ActorKind: sc.Actor.Kind, ActorName: sc.Actor.Name, CreatedAt: tx.Now(),
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
