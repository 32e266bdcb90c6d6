package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// EndAheadTx ends all upcoming bookings and requests of the whole business on behalf of the studio: everything is
// refunded and no fee is due. Of a course all upcoming dates end, and its whole price is refunded. Holds end too, and
// a payment in progress for one is refunded when it arrives. Checked-in bookings stay. The caller has the business
// under lock, so that no seat is confirmed meanwhile, and also names the dates with waitlists that it ends: all of
// them are locked in one order.
func (s *Service) EndAheadTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, reason string, also []uuid.UUID) ([]Cancellation, error) {
	dates, err := bookedAhead(ctx, tx)
	if err != nil {
		return nil, err
	}
	dates = append(dates, also...) // entries waiting there may just have been offered a seat
	booked, err := clearDates(ctx, tx, sc, dates, dates)
	if err != nil {
		return nil, err
	}
	list, err := lockCourses(ctx, tx, sc.Person(), each(booked, func(b subject) uuid.UUID { return b.ID }), false)
	if err != nil {
		return nil, err
	}
	var ends []ending
	ended := map[uuid.UUID]bool{}
	for _, b := range booked {
		in := CancelInput{BookingID: b.ID, By: ByStudio, FeeMode: FeePolicy, Reason: reason}
		if b.State == CheckedIn || ended[b.ID] {
			continue
		}
		together, err := in.decide(sc, list, tx.Now())
		if err != nil {
			return nil, err
		}
		for _, e := range together {
			ends, ended[e.ID] = append(ends, e), true
		}
	}
	return s.cancelTx(ctx, tx, sc, ends)
}

// bookedAhead finds the upcoming dates with a booking, a request or a hold.
func bookedAhead(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select distinct occurrence_id from bookings
		where business_id = $1 and starts_at > $2 and state in ('held', 'requested', 'confirmed') order by 1`, tx.Business(), tx.Now())
}

// CountAheadTx returns the number of upcoming bookings in the whole business: held, booked or requested.
func CountAheadTx(ctx context.Context, tx *pg.Tx) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from bookings
		where business_id = $1 and starts_at > $2 and state in ('held', 'requested', 'confirmed')`, tx.Business(), tx.Now())
}
