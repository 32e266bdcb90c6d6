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

// CloseTx closes the waitlists of dates that do not take place any more: whoever waits there is told, seats on
// offer go back, and nobody is asked again. reason is the studio's words for the log; it may be empty.
// It locks the occurrences, in the order of their ids, if the caller has not.
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

// ArchiveOfferingTx counts what is still to come of an offering and, when nobody is booked, closes the waitlists of its dates:
// catalog.Ports.PutAwayTx.
func ArchiveOfferingTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, offering uuid.UUID) (catalog.Ahead, error) {
	a, awaited, err := ahead(ctx, tx, offering)
	if err != nil || a.Bookings > 0 {
		return a, err
	}
	return a, CloseTx(ctx, tx, sc, awaited, "")
}

// GoOnTx lets what lies ahead of offerings go on at another location, what is booked and what is waited for: catalog.Ports.GoOnTx.
func GoOnTx(b *booking.Service) func(context.Context, *pg.Tx, tenancy.Scope, catalog.GoingOn) (business.Moved, error) {
	return func(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, m catalog.GoingOn) (business.Moved, error) {
		dates, booked, err := b.GoOnTx(ctx, tx, sc, m)
		if err != nil {
			return business.Moved{}, err
		}
		waiting, err := follow(ctx, tx, dates)
		return business.Moved{Dates: len(dates), Bookings: booked, Waiting: waiting}, err
	}
}

// EndAheadTx ends what lies ahead of a business that closes, what is booked and what is waited for: business.Ports.EndAheadTx.
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

// back is what goes back, by currency and in their order.
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

// Calendar is what package schedule asks of bookings and waitlists when dates are cancelled, moved or given to somebody else.
func Calendar(b *booking.Service) schedule.Bookings {
	c := b.Calendar()
	c.CloseWaitlistTx = CloseTx
	return c
}
