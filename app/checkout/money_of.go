package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
)

// Money is what a booking has to do with money, in minor units of its currency.
type Money struct {
	Paid          int64 // by card for this booking, tax included
	OrderTotal    int64 // of the order that it was sold with
	OrderRefunded int64 // of that order, gone back or on its way
	Due           int64 // to be paid at the studio
	FeesDue       int64 // for cancelling late or not coming
}

// MoneyOf sums up what was paid for a booking and what is due; of a date of a course, for all of it. The caller may see the
// booking.
func (s *Service) MoneyOf(ctx context.Context, business uuid.UUID, b booking.Booking) (Money, error) {
	if b.Course() {
		return courseMoney(ctx, s.db.View(business), *b.GroupID)
	}
	m, err := moneyOf(ctx, s.db.View(business), b.ID)
	if b.OrderID == nil && booking.TakesSeat(b.State) && b.State != booking.Held {
		m.Due = b.PriceAmount
	}
	return m, err
}
