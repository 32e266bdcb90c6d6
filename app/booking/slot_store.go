package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// yielding finds the customer's holds that YieldTx ends: those past their time, and those that give way.
func yielding(ctx context.Context, tx *pg.Tx, cart, customer uuid.UUID, spans []Span) (over, others []uuid.UUID, err error) {
	n := len(spans)
	offerings, starts, ends := make([]uuid.UUID, n), make([]time.Time, n), make([]time.Time, n)
	for i, s := range spans {
		offerings[i], starts[i], ends[i] = s.OfferingID, s.StartsAt, s.StartsAt.Add(time.Duration(s.Minutes)*time.Minute)
	}
	type row struct {
		ID   uuid.UUID
		Over bool
	}
	rows, err := pg.All[row](ctx, tx, `select h.id, h.expires_at <= $4 as over from holds h
		where h.business_id = $1 and h.customer_id = $3 and h.state = 'live' and (
			h.cart_id = $2 and h.expires_at <= $4
			or h.cart_id <> $2 and exists (
				select from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id and o.series_id is null
				join unnest($5::uuid[], $6::timestamptz[], $7::timestamptz[]) as s (offering_id, starts_at, ends_at)
					on s.offering_id = b.offering_id and b.starts_at < s.ends_at and b.ends_at > s.starts_at
				where b.business_id = $1 and b.hold_id = h.id and b.state = 'held' and (b.order_id is null or h.expires_at <= $4)))
		order by h.id`, tx.Business(), cart, customer, tx.Now(), offerings, starts, ends)
	for _, r := range rows {
		if r.Over {
			over = append(over, r.ID)
		} else {
			others = append(others, r.ID)
		}
	}
	return over, others, err
}

// overdueIn finds the holds of a business that are past their time and keep an appointment or a rental.
func overdueIn(ctx context.Context, v *pg.View) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.expires_at <= $2
			and exists (select from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
				where b.business_id = $1 and b.hold_id = h.id and b.state = 'held' and o.series_id is null)
		order by h.id limit $3`, v.Business(), v.Now(), HoldsSweep)
}

// renameSeats changes the attendee of held bookings, but of none where the same customer has the same seat for that person.
// It counts those that it changed, and those that are held at all.
func renameSeats(ctx context.Context, tx *pg.Tx, ids []uuid.UUID, attendee string) (renamed, held int, err error) {
	type answer struct{ Renamed, Held int }
	a, err := pg.One[answer](ctx, tx, `with renamed as (
			update bookings b set attendee = $3, version = version + 1, updated_at = $4
			where b.business_id = $1 and b.id = any($2) and b.state = 'held' and not exists (
				select from bookings x where x.business_id = $1 and x.customer_id = b.customer_id
					and x.occurrence_id = b.occurrence_id and x.attendee = $3 and x.state in `+Standing+`)
			returning b.id
		)
		select (select count(*) from renamed) as renamed,
			(select count(*) from bookings where business_id = $1 and id = any($2) and state = 'held') as held`,
		tx.Business(), ids, attendee, tx.Now())
	return a.Renamed, a.Held, err
}

// timesOf finds the occurrences of an order's expired bookings that belong to no series.
func timesOf(ctx context.Context, tx *pg.Tx, order uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select distinct o.id from bookings b
		join occurrences o on o.business_id = $1 and o.id = b.occurrence_id and o.series_id is null
		where b.business_id = $1 and b.order_id = $2 and b.state = $3`, tx.Business(), order, MoveRetake.From())
}

// shut ends times that nobody has a seat of.
func shut(ctx context.Context, tx *pg.Tx, times []uuid.UUID) error {
	over, err := schedule.CancelEmptySinglesTx(ctx, tx, times)
	if err != nil {
		return err
	}
	return claim.ReleaseTx(ctx, tx, over...)
}
