package booking

import (
	"context"
	"time"

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

// groupsOf reads the bookings of groups, those of one group after the other.
func groupsOf(ctx context.Context, r pg.Reader, groups []uuid.UUID) (map[uuid.UUID][]Booking, error) {
	rows, err := pg.All[bookingRow](ctx, r, `select `+bookingColumns+` from bookings b
		where b.business_id = $1 and b.group_id = any($2) order by b.starts_at, b.id`, r.Business(), groups)
	out := map[uuid.UUID][]Booking{}
	for _, b := range rows {
		out[*b.GroupID] = append(out[*b.GroupID], b.booking())
	}
	return out, err
}

// bookedAt lists the bookings of a date that are in one of these states.
func bookedAt(ctx context.Context, tx *pg.Tx, date uuid.UUID, states []State) ([]Booking, error) {
	names := make([]string, len(states))
	for i, s := range states {
		names[i] = string(s)
	}
	rows, err := pg.All[bookingRow](ctx, tx, `select `+bookingColumns+` from bookings b
		where b.business_id = $1 and b.occurrence_id = $2 and b.state = any($3) order by b.id`, tx.Business(), date, names)
	out := make([]Booking, len(rows))
	for i, r := range rows {
		out[i] = r.booking()
	}
	return out, err
}

// retime puts the bookings of dates at their dates' time, and returns those that were at another, as they were.
func retime(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]subject, error) {
	type row struct {
		ID       uuid.UUID
		State    State
		StartsAt time.Time
	}
	rows, err := pg.All[row](ctx, tx, `with was as (
			select b.id, b.state, b.starts_at from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
			where b.business_id = $1 and b.occurrence_id = any($2) and b.state in ('held', 'requested', 'confirmed', 'checked_in')
				and (b.starts_at, b.ends_at) is distinct from (o.starts_at, o.ends_at)
			order by b.id for no key update of b
		), moved as (
			update bookings b set starts_at = o.starts_at, ends_at = o.ends_at, version = b.version + 1, updated_at = $3
			from was w, occurrences o where b.business_id = $1 and b.id = w.id and o.business_id = $1 and o.id = b.occurrence_id
		)
		select id, state, starts_at from was order by id`, tx.Business(), dates, tx.Now())
	out := make([]subject, len(rows))
	for i, r := range rows {
		out[i] = subject{Booking: Booking{ID: r.ID, State: r.State, StartsAt: r.StartsAt.UTC()}}
	}
	return out, err
}
