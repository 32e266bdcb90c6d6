package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// AddInput adds a customer to the waitlist of a date.
type AddInput struct {
	JoinInput
	CustomerID uuid.UUID
	Reason     string // written into the entry's log
}

// Add adds a customer to the end of the waitlist of a date that is full for their party, and notifies them. It needs
// booking.manage at the location, or for the caller's own occurrence. Errors: as Join; not found for an unknown
// customer.
func (s *Service) Add(ctx context.Context, sc tenancy.Scope, in AddInput) (StudioEntry, error) {
	if err := policy.RequireAny(sc, policy.BookingManage); err != nil {
		return StudioEntry{}, err
	}
	words := EntryInput{Reason: in.Reason}
	if err := words.Validate(); err != nil {
		return StudioEntry{}, err
	}
	if err := in.JoinInput.Validate(); err != nil {
		return StudioEntry{}, err
	}
	id, err := pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (uuid.UUID, error) {
		if err := tx.Because(ctx, words.Reason); err != nil {
			return uuid.Nil, err
		}
		customer, err := lockCustomer(ctx, tx, in.CustomerID)
		if err != nil {
			return uuid.Nil, err
		}
		r := &listRound{tx: tx, sc: sc}
		if r.d, err = lockDate(ctx, tx, in.OccurrenceID); err != nil {
			return uuid.Nil, err
		}
		if err := r.mayManage(); err != nil {
			return uuid.Nil, err
		}
		return s.joinTx(ctx, tx, sc, r.d, customer, in.JoinInput, words.because("added by the studio"))
	})
	if err != nil {
		return StudioEntry{}, err
	}
	return s.entryOf(ctx, sc.Tenant, id)
}
