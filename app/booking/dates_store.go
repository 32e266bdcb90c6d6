package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// lockHoldsAt locks the live holds that keep a seat on one of these dates, in the order of their ids, and adds them to
// those that are known.
func lockHoldsAt(ctx context.Context, tx *pg.Tx, dates []uuid.UUID, known ...uuid.UUID) ([]uuid.UUID, error) {
	found, err := pg.All[uuid.UUID](ctx, tx, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.id <> all($3::uuid[]) and h.id in (select b.hold_id from bookings b
			where b.business_id = $1 and b.occurrence_id = any($2) and b.state = 'held')
		order by h.id for update`, tx.Business(), dates, append([]uuid.UUID{uuid.Nil}, known...))
	return append(known, found...), err
}

// lockLiveAt locks the bookings and requests of these dates, in the order of their ids, and with them those that are of one
// course with them: what becomes of a course is decided from all of its dates.
func lockLiveAt(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `with here as (
			select id, group_id from bookings where business_id = $1 and occurrence_id = any($2) and state in ('requested', 'confirmed', 'checked_in')
		)
		select b.id from bookings b where b.business_id = $1 and b.id in (
			select id from here
			union select g.id from here h join bookings g on g.business_id = $1 and g.group_id = h.group_id
				join offerings f on f.business_id = $1 and f.id = g.offering_id and f.enrolment = 'series')
		order by b.id for no key update of b`, tx.Business(), dates)
}

// bookedAt lists the bookings of a date that are in one of these states.
func bookedAt(ctx context.Context, tx *pg.Tx, date uuid.UUID, states []State) ([]Booking, error) {
	rows, err := pg.All[bookingRow](ctx, tx, `select `+bookingColumns+` from bookings b
		where b.business_id = $1 and b.occurrence_id = $2 and b.state = any($3) order by b.id`, tx.Business(), date, states)
	return each(rows, bookingRow.read), err
}

// retime puts the bookings of dates at their dates' time, and returns those that were at another, as they were.
func retime(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]subject, error) {
	return pg.All[subject](ctx, tx, `with was as (
			select b.id, b.state, b.starts_at from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
			where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('held', 'requested', 'confirmed', 'checked_in')
				and (b.starts_at, b.ends_at) is distinct from (o.starts_at, o.ends_at)
			order by b.id for no key update of b
		), moved as (
			update bookings b set starts_at = o.starts_at, ends_at = o.ends_at, version = b.version + 1, updated_at = $3
			from was w, occurrences o where b.business_id = $1 and b.id = w.id and o.business_id = $1 and o.id = b.occurrence_id
		)
		select id, state, starts_at from was order by id`, tx.Business(), dates, tx.Now())
}
