package owed

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// Sold is a booking that was made at the desk and paid for at once. Its effects are the booking's: the sale pays all
// that is due of its price.
type Sold struct {
	booking.Did[booking.Made]
	Sale Sale // empty if nothing was due
}

// Sell books for a customer as booking.Book does, and records the payment of its price by one method as RecordPayment
// does, in one transaction: both are done or neither is. It needs booking.manage and payment.take at the location. It
// returns the errors of Book and of RecordPayment.
func (s *Service) Sell(ctx context.Context, sc tenancy.Scope, in booking.BookInput, m tender.Kind) (Sold, error) {
	return pg.InTx(ctx, s.db, sc.Tenant, func(tx *pg.Tx) (Sold, error) {
		made, err := booking.BookTx(ctx, tx, sc, in)
		if err != nil || made.Done.PriceAmount == 0 {
			return Sold{Did: made}, err
		}
		take := PaymentInput{BookingIDs: []uuid.UUID{made.Booking.ID}, Tenders: Pays(m)}
		if err := take.Validate(); err != nil {
			return Sold{}, err
		}
		sale, err := s.takeTx(ctx, tx, sc, take)
		return Sold{made, sale}, err
	})
}
