package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// EndAheadTx ends everything that is booked or asked for ahead in the whole business, because the studio does: everything that was paid
// goes back, no fee is due, and of a course all dates that are to come end, with its whole price. Holds end too, and money that is on
// its way for them goes back when it comes. Somebody who has been let in already stays. The caller has the business under lock, so that
// nobody confirms a seat meanwhile, and also names the dates whose waitlists it ends: all of them are locked in one order.
func (s *Service) EndAheadTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, reason string, also []uuid.UUID) ([]Cancellation, error) {
	dates, err := bookedAhead(ctx, tx)
	if err != nil {
		return nil, err
	}
	dates = append(dates, also...) // whoever waits there may just have been given a seat
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

// bookedAhead finds the dates to come that somebody has a seat of, asks for one, or is kept one.
func bookedAhead(ctx context.Context, tx *pg.Tx) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select distinct occurrence_id from bookings
		where business_id = $1 and starts_at > $2 and state in ('held', 'requested', 'confirmed') order by 1`, tx.Business(), tx.Now())
}

// CountAheadTx says how many bookings there are ahead in the whole business: held, booked or asked for.
func CountAheadTx(ctx context.Context, tx *pg.Tx) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from bookings
		where business_id = $1 and starts_at > $2 and state in ('held', 'requested', 'confirmed')`, tx.Business(), tx.Now())
}
