package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// endHolds ends the holds of ids that are in state live and releases their seats. The statement changes the bookings
// first and counts its own changes, so that a seat that another transaction has just released is not released twice.
// No booking may be joining one of these holds meanwhile: the caller holds the lock of the cart, or has locked the
// holds in an earlier statement.
func endHolds(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, ids ...uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	state := HoldExpired
	if t == TransitionRelease {
		state = HoldReleased
	}
	freed, err := pg.All[freedSeat](ctx, tx, `with ended as (
			update holds set state = $3 where business_id = $1 and id = any($2) and state = 'live' returning id
		), moved as (
			update bookings b set state = $4, version = b.version + 1, updated_at = $6 from ended e
			where b.business_id = $1 and b.hold_id = e.id and b.state = $5
			returning b.id, b.occurrence_id, b.online, b.party
		), `+free+`
		select id, occurrence_id from moved`,
		tx.Business(), ids, state, t.To(), t.From(), tx.Now())
	if err != nil {
		return err
	}
	return recordFreed(ctx, tx, sc, t, freed)
}

// DropTx releases some seats of a hold: one, or those of a course; the others stay held. Bookings that are not held
// any more are left alone.
func DropTx(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, bookings ...uuid.UUID) error {
	freed, err := pg.All[freedSeat](ctx, tx, `with moved as (
			update bookings b set state = $3, version = b.version + 1, updated_at = $5
			where b.business_id = $1 and b.id = any($2) and b.state = $4
			returning b.id, b.occurrence_id, b.online, b.party
		), `+free+`
		select id, occurrence_id from moved`,
		tx.Business(), bookings, TransitionRelease.To(), TransitionRelease.From(), tx.Now())
	if err != nil {
		return err
	}
	return recordFreed(ctx, tx, sc, TransitionRelease, freed)
}

// freedSeat is a booking that gave its seats back.
type freedSeat struct{ ID, OccurrenceID uuid.UUID }

func recordFreed(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, freed []freedSeat) error {
	list, occurrences := make([]leaving, len(freed)), make([]uuid.UUID, len(freed))
	for i, b := range freed {
		list[i], occurrences[i] = leaving{ID: b.ID, From: t.From()}, b.OccurrenceID
	}
	return record(ctx, tx, sc, t, "", list, occurrences...)
}

// free releases the seats of the bookings in table moved (id, occurrence_id, online, party), in the order of the
// occurrences' ids like every statement that locks several. $1 business. The time of an appointment or a rental
// without a seat ends: its people and spaces become available. A single occurrence is locked by its update alone: a
// lock followed by an update of the statement's snapshot visits an older version of the row, where another
// transaction may wait for this one, and Postgres had to break that deadlock under load. The caller calls record or
// RoundTx next, in the same transaction, so that the waitlists of these dates are run.
const free = `gone as (
	select occurrence_id, sum(party)::integer as seats, coalesce(sum(party) filter (where online), 0)::integer as online
	from moved group by occurrence_id
), queue as (
	select o.id from occurrences o join gone g on g.occurrence_id = o.id
	where o.business_id = $1 and (select count(*) from gone) > 1 order by o.id for no key update of o
), freed as (
	update occurrences o set taken = o.taken - g.seats, taken_online = o.taken_online - g.online,
		state = case when o.series_id is null and o.taken = g.seats then 'cancelled' else o.state end
	from gone g where o.business_id = $1 and o.id = g.occurrence_id
		and ((select count(*) from gone) = 1 or exists (select from queue q where q.id = g.occurrence_id))
	returning o.id, o.series_id is null and o.taken = 0 as over
), shut as (
	delete from claims c using freed e where c.business_id = $1 and c.occurrence_id = e.id and e.over
)`

// makeWay ends holds before seats are occupied in the same transaction: expired ones, and those that release their
// seats for h. Holds are locked before occurrences, as everywhere, h among them if it exists. The seats released and
// the seats occupied are locked together, in the order of the ids.
func makeWay(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, over, others []uuid.UUID, seats []Seat) error {
	ending := slices.Concat(over, others)
	locked, err := pg.All[uuid.UUID](ctx, tx, `select id from holds
		where business_id = $1 and id = any($2) and state = 'live' order by id for update`, tx.Business(), append(ending, h.ID))
	if err != nil || len(locked) == 0 {
		return err
	}
	occurrences := each(seats, func(s Seat) uuid.UUID { return s.OccurrenceID })
	_, err = tx.Exec(ctx, `select id from occurrences where business_id = $1 and (id = any($2) or id in (
			select occurrence_id from bookings where business_id = $1 and hold_id = any($3) and state = 'held'))
		order by id for no key update`, tx.Business(), occurrences, ending)
	if err != nil {
		return err
	}
	if err = endHolds(ctx, tx, sc, TransitionExpire, over...); err != nil {
		return err
	}
	return endHolds(ctx, tx, sc, TransitionRelease, others...)
}

// overdueIn finds the expired holds of a business for an appointment or a rental.
func overdueIn(ctx context.Context, v *pg.View) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.expires_at <= $2
			and exists (select from bookings b join occurrences o on o.business_id = $1 and o.id = b.occurrence_id
				where b.business_id = $1 and b.hold_id = h.id and b.state = 'held' and o.series_id is null)
		order by h.id limit $3`, v.Business(), v.Now(), HoldsSweep)
}

// overdueAt finds the expired holds with a seat of one of these occurrences.
func overdueAt(ctx context.Context, v *pg.View, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.expires_at <= $2
			and exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id and b.state = 'held'
				and b.occurrence_id = any($3))
		order by h.id limit $4`, v.Business(), v.Now(), occurrences, HoldsSweep)
}

// claimOverdue locks the expired holds of ids that are not locked by another process.
func claimOverdue(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from holds
		where business_id = $1 and id = any($2) and state = 'live' and expires_at <= $3
		order by id for update skip locked`, tx.Business(), ids, tx.Now())
}

// dueHolds finds holds past their time, of all businesses.
func dueHolds(ctx context.Context, db *pg.DB, limit int) (map[uuid.UUID][]uuid.UUID, int, error) {
	none := db.View(uuid.Nil)
	rows, err := pg.All[pg.Keyed](ctx, none, `select business_id, id from app.due_holds($1, $2)`, none.Now(), limit)
	return pg.ByBusiness(rows), len(rows), err
}
