package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// subject is a booking that a verb is about, under its lock, with what decides about it.
type subject struct {
	Booking
	Kind         catalog.Kind
	OfferingName string
	Zone         string
	Own          bool // the caller teaches it
}

func (s subject) zone() *time.Location { return civil.ZoneOrUTC(s.Zone) }

// lockBookings locks bookings until the transaction ends, in the order of their ids, and then reads them: those that are
// not there are left out. Verbs lock in one order: customers, holds, bookings, people and spaces, occurrences. Whoever
// counts what a customer has done before locks the customer too.
func lockBookings(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids []uuid.UUID, customers bool) (map[uuid.UUID]subject, error) {
	if customers {
		if _, err := tx.Exec(ctx, `select c.id from customers c where c.business_id = $1 and c.id in (
				select customer_id from bookings where business_id = $1 and id = any($2))
			order by c.id for no key update`, tx.Business(), ids); err != nil {
			return nil, err
		}
	}
	if _, err := tx.Exec(ctx, `select id from bookings where business_id = $1 and id = any($2) order by id for no key update`,
		tx.Business(), ids); err != nil {
		return nil, err
	}
	rows, err := pg.All[bookingRow](ctx, tx, entrySelect+` and b.id = any($3)`, tx.Business(), person, ids)
	out := make(map[uuid.UUID]subject, len(rows))
	for _, r := range rows {
		out[r.ID] = subject{Booking: r.booking(), Kind: r.Kind, OfferingName: r.OfferingName, Zone: r.Zone, Own: r.Own}
	}
	return out, err
}

// step is one booking that makes a move, the state it leaves, and when it would have begun if the move gave it another time.
type step struct {
	ID   uuid.UUID
	From State
	Was  *time.Time
}

// record writes moves as facts, with the words that somebody gave for them. freed are occurrences that got seats back:
// where somebody waits for one, a round of the waitlist is due from now on.
func record(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, move Move, words string, steps []step, freed ...uuid.UUID) error {
	if len(steps) == 0 {
		return nil
	}
	ids, from, to := make([]uuid.UUID, len(steps)), make([]string, len(steps)), make([]string, len(steps))
	was := make([]*time.Time, len(steps))
	for i, s := range steps {
		after, _ := s.From.After(move)
		ids[i], from[i], to[i], was[i] = s.ID, string(s.From), string(after), s.Was
	}
	_, err := tx.Exec(ctx, `insert into booking_moves (id, business_id, booking_id, from_state, to_state, from_starts_at, actor_kind, actor_id,
			actor_name, surface, reason, note, created_at)
		select m.id, $1, m.booking_id, m.from_state, m.to_state, m.was, $7, $8, $9, $10, $11, $12, $13
		from unnest($2::uuid[], $3::uuid[], $4::varchar[], $5::varchar[], $6::timestamptz[]) as m (id, booking_id, from_state, to_state, was)`,
		tx.Business(), NewIDs(len(ids)), ids, from, to, was, sc.Actor.Kind, ActorID(sc), sc.Actor.Name, sc.Surface, move, words, tx.Now())
	if err != nil || len(freed) == 0 {
		return err
	}
	return RoundTx(ctx, tx, freed)
}
