package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// endHolds ends the holds of ids that are in state live, frees their seats, and returns how many seats that were. The
// statement changes the bookings first and counts what it changed, so that a seat that somebody else freed a moment ago
// is not freed twice. No booking may be joining one of these holds meanwhile: the caller holds the lock of the cart, or
// has locked the holds in an earlier statement.
func endHolds(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, move Move, ids ...uuid.UUID) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	state := HoldExpired
	if move == MoveRelease {
		state = HoldReleased
	}
	freed, err := pg.All[uuid.UUID](ctx, tx, `with ended as (
			update holds set state = $3 where business_id = $1 and id = any($2) and state = 'live' returning id
		), moved as (
			update bookings b set state = $4, version = b.version + 1, updated_at = $6 from ended e
			where b.business_id = $1 and b.hold_id = e.id and b.state = $5
			returning b.id, b.occurrence_id, b.online, b.party
		), `+free+`
		select id from moved`,
		tx.Business(), ids, state, move.To(), move.From(), tx.Now())
	if err != nil {
		return 0, err
	}
	return len(freed), note(ctx, tx, sc, move, freed)
}

// dropSeats ends held bookings and frees their seats.
func dropSeats(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, ids []uuid.UUID) error {
	freed, err := pg.All[uuid.UUID](ctx, tx, `with moved as (
			update bookings b set state = $3, version = b.version + 1, updated_at = $5
			where b.business_id = $1 and b.id = any($2) and b.state = $4
			returning b.id, b.occurrence_id, b.online, b.party
		), `+free+`
		select id from moved`,
		tx.Business(), ids, MoveRelease.To(), MoveRelease.From(), tx.Now())
	if err != nil {
		return err
	}
	return note(ctx, tx, sc, MoveRelease, freed)
}

// free gives the seats of the bookings in table moved (id, occurrence_id, online, party) back, in the order of the
// occurrences' ids like everything that locks several. $1 business. The time of an appointment or a rental that nobody
// has a seat of any more is over: its people and spaces are free again. A single occurrence is locked by its update alone: to
// lock it first and then to update what the statement's snapshot saw visits an older version of the row, where somebody may
// wait for us, and Postgres had to break that ring when many came at once. Whoever frees seats calls note next, in the same
// transaction: it has the waitlists of these dates looked at.
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

// takesSeat are the states in which a booking counts in its occurrence's seats, as State.Counts says.
const takesSeat = `('held', 'confirmed', 'checked_in', 'no_show', 'completed')`

// note writes what happened to these bookings, as facts. Where some of them gave their seats back and somebody waits for
// one, a round of the waitlist is due from now on (see reserved). That somebody waits is asked here and not in the
// statement that frees: it may have waited for the occurrence while somebody joined, and would not see them.
func note(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, move Move, bookings []uuid.UUID) error {
	if len(bookings) == 0 {
		return nil
	}
	freed, err := pg.All[uuid.UUID](ctx, tx, `with noted as (
			insert into booking_moves (id, business_id, booking_id, from_state, to_state, actor_kind, actor_id,
				actor_name, surface, reason, created_at)
			select m.id, $1, m.booking_id, $4, $5, $6, $7, $8, $9, $10, $11 from unnest($2::uuid[], $3::uuid[]) as m (id, booking_id)
		)
		select distinct b.occurrence_id from bookings b
		where b.business_id = $1 and b.id = any($3) and b.state not in `+takesSeat+`
			and exists (select from waitlist_entries e
				where e.business_id = $1 and e.occurrence_id = b.occurrence_id and e.state = 'waiting')`,
		tx.Business(), NewIDs(len(bookings)), bookings, move.From(), move.To(),
		sc.Actor.Kind, ActorID(sc), sc.Actor.Name, sc.Surface, move, tx.Now())
	if err != nil || len(freed) == 0 {
		return err
	}
	return RoundTx(ctx, tx, freed)
}

func NewIDs(n int) []uuid.UUID {
	ids := make([]uuid.UUID, n)
	for i := range ids {
		ids[i] = pg.NewID()
	}
	return ids
}

// makeWay ends holds before seats are taken in the same transaction: those that are over by their time, and those that
// give their seats up to h. Holds are locked before occurrences, as everywhere, h among them when it is there already;
// and what is given back and what is taken is locked as one, in the order of the ids.
func makeWay(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, h Hold, over, others []uuid.UUID, seats []Seat) error {
	ending := slices.Concat(over, others)
	locked, err := pg.All[uuid.UUID](ctx, tx, `select id from holds
		where business_id = $1 and id = any($2) and state = 'live' order by id for update`, tx.Business(), append(ending, h.ID))
	if err != nil || len(locked) == 0 {
		return err
	}
	occurrences := make([]uuid.UUID, len(seats))
	for i, s := range seats {
		occurrences[i] = s.OccurrenceID
	}
	_, err = tx.Exec(ctx, `select id from occurrences where business_id = $1 and (id = any($2) or id in (
			select occurrence_id from bookings where business_id = $1 and hold_id = any($3) and state = 'held'))
		order by id for no key update`, tx.Business(), occurrences, ending)
	if err != nil {
		return err
	}
	if _, err = endHolds(ctx, tx, sc, MoveExpire, over...); err != nil {
		return err
	}
	_, err = endHolds(ctx, tx, sc, MoveRelease, others...)
	return err
}

// overdueAt finds the holds that are past their time and keep a seat of one of these occurrences.
func overdueAt(ctx context.Context, v *pg.View, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, v, `select h.id from holds h
		where h.business_id = $1 and h.state = 'live' and h.expires_at <= $2
			and exists (select from bookings b where b.business_id = $1 and b.hold_id = h.id and b.state = 'held'
				and b.occurrence_id = any($3))
		order by h.id limit $4`, v.Business(), v.Now(), occurrences, HoldsSweep)
}

// claimOverdue locks the holds of ids that are past their time and that nobody else is working on.
func claimOverdue(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, tx, `select id from holds
		where business_id = $1 and id = any($2) and state = 'live' and expires_at <= $3
		order by id for update skip locked`, tx.Business(), ids, tx.Now())
}

// dueHolds finds holds past their time, of all businesses.
func dueHolds(ctx context.Context, db *pg.DB, limit int) (map[uuid.UUID][]uuid.UUID, int, error) {
	type row struct{ BusinessID, ID uuid.UUID }
	none := db.View(uuid.Nil)
	rows, err := pg.All[row](ctx, none, `select business_id, id from app.due_holds($1, $2)`, none.Now(), limit)
	due := map[uuid.UUID][]uuid.UUID{}
	for _, r := range rows {
		due[r.BusinessID] = append(due[r.BusinessID], r.ID)
	}
	return due, len(rows), err
}
