package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// place gives the times of appointments and rentals in the cart their occurrences, so that they can be held like seats of
// a class. All of them are placed together: two services in a row, or two people who want anyone at ten, see each other.
//
// What the person keeps of the same times in another cart, or kept in this one until its hold was over, makes way first.
func (l *loaded) place(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, customer uuid.UUID) error {
	var asks []availability.SlotAsk
	var lines []int
	for i, line := range l.Lines {
		if line.Slot != nil && line.BookingID == nil {
			asks, lines = append(asks, line.Slot.ask()), append(lines, i)
		}
	}
	if len(asks) == 0 {
		return nil
	}
	if err := booking.YieldTx(ctx, tx, sc, l.ID, customer, spans(asks)); err != nil {
		return err
	}
	placed, err := availability.PlaceTx(ctx, tx, asks, availability.Storefront)
	if err != nil {
		return err
	}
	occurrences, err := availability.OpenTx(ctx, tx, placed)
	if err != nil {
		return err
	}
	items := make([]uuid.UUID, len(lines))
	for i, at := range lines {
		items[i] = l.Lines[at].ItemID
		l.Lines[at].OccurrenceID = occurrences[i]
	}
	return setOccurrences(ctx, tx, l.ID, items, occurrences)
}

func spans(asks []availability.SlotAsk) []booking.Span {
	out := make([]booking.Span, len(asks))
	for i, a := range asks {
		out[i] = booking.Span{OfferingID: a.OfferingID, StartsAt: a.StartsAt, Minutes: a.Minutes}
	}
	return out
}
