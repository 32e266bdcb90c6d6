package waitlist

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// CloseTx closes the waitlists of cancelled dates: their customers are notified, offered seats are released, and no
// further offer is made. reason is the studio's reason for the log; it may be empty. It locks the occurrences, in the
// order of their ids, if the caller has not.
func CloseTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, occurrences []uuid.UUID, reason string) error {
	if len(occurrences) == 0 {
		return nil
	}
	entries, err := listsOf(ctx, tx, occurrences)
	if err != nil || len(entries) == 0 {
		return err
	}
	why := "the date was cancelled"
	if reason != "" {
		why += ": " + reason
	}
	closed, err := transit(ctx, tx, sc, TransitionClose, why, entries...)
	if err != nil {
		return err
	}
	for _, e := range closed {
		if err := enqueueLetter(ctx, tx, e.ID, LetterCancelled); err != nil {
			return err
		}
	}
	return booking.DropRoundsTx(ctx, tx, occurrences...)
}

// ArchiveOfferingTx counts the upcoming dates, bookings and entries of an offering and, without a booking, closes the
// waitlists of its dates: catalog.Ports.ArchiveOfferingTx.
func ArchiveOfferingTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (catalog.Ahead, error) {
	a, awaited, err := ahead(ctx, tx, offering)
	if err != nil || a.Bookings > 0 {
		return a, err
	}
	return a, CloseTx(ctx, tx, sc, awaited, "")
}

// GoOnTx relocates the upcoming bookings and waitlist entries of offerings to another location: catalog.Ports.GoOnTx.
func GoOnTx(b *booking.Service) func(context.Context, *pg.Tx, tenancy.Scope, catalog.GoingOn) (business.Transferred, error) {
	return func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m catalog.GoingOn) (business.Transferred, error) {
		dates, booked, err := b.GoOnTx(ctx, tx, sc, m)
		if err != nil {
			return business.Transferred{}, err
		}
		waiting, err := follow(ctx, tx, dates)
		return business.Transferred{Dates: len(dates), Bookings: booked, Waiting: waiting}, err
	}
}

// EndAheadTx ends the upcoming bookings and waitlist entries of a business that closes: business.Ports.EndAheadTx.
func EndAheadTx(b *booking.Service) func(context.Context, *pg.Tx, tenancy.Scope, business.CloseInput) (business.Ended, error) {
	return func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, in business.CloseInput) (business.Ended, error) {
		n, err := booking.CountAheadTx(ctx, tx)
		if err := fault.When(n > 0 && !in.CancelBookings, business.ErrFutureBookings.With("bookings", n), err); err != nil {
			return business.Ended{}, err
		}
		waiting, awaited, err := awaitedAhead(ctx, tx)
		if err != nil {
			return business.Ended{}, err
		}
		cancelled, err := b.EndAheadTx(ctx, tx, sc, in.Reason, awaited)
		if err != nil {
			return business.Ended{}, err
		}
		return business.Ended{Bookings: len(cancelled), Waiting: waiting, Refunds: back(cancelled)}, CloseTx(ctx, tx, sc, awaited, "")
	}
}

// back returns the refunds, by currency and in their order.
func back(list []booking.Cancellation) []business.Amount {
	sums := map[money.Currency]int64{}
	for _, c := range list {
		if c.RefundAmount > 0 {
			sums[c.Currency] += c.RefundAmount
		}
	}
	out := make([]business.Amount, 0, len(sums))
	for _, currency := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, business.Amount{Currency: currency, Amount: sums[currency]})
	}
	return out
}

// Calendar returns the functions of bookings and waitlists that package schedule calls when dates are cancelled,
// rescheduled or assigned to another instructor.
func Calendar(b *booking.Service) schedule.Bookings {
	c := b.Calendar()
	c.CloseWaitlistTx = CloseTx
	return c
}
