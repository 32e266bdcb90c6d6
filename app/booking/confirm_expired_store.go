package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/pg"
	"foyer/app/schedule"
	"foyer/app/tenancy"
)

// lockRoom locks the occurrences of an order's expired bookings, in the order of their ids, and reads their available
// seats. An archived one is not available; one at another time or location now is not the one that was paid for.
func lockRoom(ctx context.Context, tx *pg.Tx, order uuid.UUID) ([]room, error) {
	return pg.All[room](ctx, tx, `with wanted as (
			select occurrence_id, sum(party)::integer as seats from bookings
			where business_id = $1 and order_id = $2 and state = $3 group by occurrence_id
		)
		select o.state = 'cancelled' or f.state = 'archived' as cancelled, o.starts_at, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
			w.seats as wanted,
			exists (select from bookings b where b.business_id = $1 and b.order_id = $2 and b.state = $3 and b.occurrence_id = o.id
				and (b.starts_at, b.ends_at, b.location_id, b.offering_id) is distinct from (o.starts_at, o.ends_at, o.location_id, o.offering_id)) as moved,
			exists (select from bookings b join bookings x on x.business_id = $1 and x.customer_id = b.customer_id
				and x.occurrence_id = b.occurrence_id and `+SameAttendeeSQL("x", "b")+` and x.state in `+ActiveStatesSQL+`
				where b.business_id = $1 and b.order_id = $2 and b.state = $3 and b.occurrence_id = o.id) as again
		from occurrences o join wanted w on w.occurrence_id = o.id
		join offerings f on f.business_id = $1 and f.id = o.offering_id
		where o.business_id = $1 order by o.id for key share of f for no key update of o`,
		tx.Business(), order, TransitionRetake.From())
}

// retakeSeats occupies the seats that lockRoom has seen available and confirms the bookings. Those of offerings with
// approval become requests; it returns them, for the caller to release their seats.
func retakeSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, order uuid.UUID) (requests []uuid.UUID, err error) {
	rows, err := pg.All[seated](ctx, tx, `with moved as (
			update bookings b set state = case when f.approval then $6 else $3 end,
				confirmed_at = case when f.approval then null else $5::timestamptz end, version = b.version + 1, updated_at = $5
			from offerings f
			where b.business_id = $1 and b.order_id = $2 and b.state = $4 and f.business_id = $1 and f.id = b.offering_id
			returning b.id, b.state, b.occurrence_id, b.online, b.party
		), wanted as (
			select occurrence_id, sum(party)::integer as seats, coalesce(sum(party) filter (where online), 0)::integer as online
			from moved group by occurrence_id
		), taken as (
			update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.online
			from wanted w where o.business_id = $1 and o.id = w.occurrence_id
		)
		select id, state from moved`,
		tx.Business(), order, TransitionRetake.To(), TransitionRetake.From(), tx.Now(), TransitionRequest.To())
	if err != nil {
		return nil, err
	}
	confirmed, requests := asks(rows)
	if err := record(ctx, tx, sc, TransitionRetake, "", leavingAll(confirmed, Expired)); err != nil {
		return nil, err
	}
	return requests, record(ctx, tx, sc, TransitionRequest, "", leavingAll(requests, Expired))
}

// timesOf finds the occurrences of an order's expired bookings that belong to no series.
func timesOf(ctx context.Context, tx *pg.Tx, order uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select distinct o.id from bookings b
		join occurrences o on o.business_id = $1 and o.id = b.occurrence_id and o.series_id is null
		where b.business_id = $1 and b.order_id = $2 and b.state = $3`, tx.Business(), order, TransitionRetake.From())
}

// shut ends times without any seat.
func shut(ctx context.Context, tx *pg.Tx, times []uuid.UUID) error {
	over, err := schedule.CancelEmptySinglesTx(ctx, tx, times)
	if err != nil {
		return err
	}
	return claim.ReleaseTx(ctx, tx, over...)
}

// room is the available seats of an occurrence, under its lock, and the number of seats that an order needs there.
type room struct {
	Cancelled bool
	StartsAt  time.Time
	schedule.Seats
	Wanted int
	Moved  bool // it was at another time or location when the order was made
	Again  bool // the customer has one of these seats in another booking
}
