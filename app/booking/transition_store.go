package booking

import (
	"context"
	"maps"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Noted is the one insert of transitions, a part of a statement: it writes a row for each row of table transitions
// (id, booking_id, from_state, to_state, was, reason, note), defined before it. Its names are Noting's.
const Noted = `noted as (
	insert into booking_transitions (id, business_id, booking_id, from_state, to_state, from_starts_at, actor_kind, actor_id, actor_name,
		surface, reason, note, created_at)
	select id, @business, booking_id, from_state, to_state, was, @actor_kind, @actor_id, @actor_name, @surface, reason, note, @now
	from transitions
)`

// Noting adds the business, the time and the actor to the arguments of a statement that notes transitions.
func Noting(tx *pg.Tx, sc tenancy.Scope, args pg.Named) pg.Named {
	var id *uuid.UUID // null for visitors and the system
	if sc.Actor.ID != uuid.Nil {
		id = &sc.Actor.ID
	}
	maps.Copy(args, pg.Named{
		"business": tx.Business(), "now": tx.Now(), "actor_kind": sc.Actor.Kind, "actor_id": id, "actor_name": sc.Actor.Name,
		"surface": sc.Surface,
	})
	return args
}

// leaving is one booking with a transition, the state it leaves, and its former start if it is rescheduled.
type leaving struct {
	ID   uuid.UUID
	From State
	Was  *time.Time
}

func leavingAll(ids []uuid.UUID, from State) []leaving {
	return each(ids, func(id uuid.UUID) leaving { return leaving{ID: id, From: from} })
}

// record notes a transition of bookings, with its reason. freed are occurrences with released seats: a round is due
// from now on for those with a waitlist (see reserved). The waitlist is read here and not in the releasing statement:
// that one may have waited for the occurrence while an entry was added, and would not see it.
func record(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, words string, list []leaving, freed ...uuid.UUID) error {
	if len(list) == 0 {
		return nil
	}
	n := len(list)
	ids, from, to, was := make([]uuid.UUID, n), make([]string, n), make([]string, n), make([]*time.Time, n)
	for i, b := range list {
		after, _ := b.From.After(t)
		ids[i], from[i], to[i], was[i] = b.ID, string(b.From), string(after), b.Was
	}
	awaited, err := pg.All[uuid.UUID](ctx, tx, `with transitions as (
			select x.*, @reason::text as reason, @words::text as note
			from unnest(@ids::uuid[], @bookings::uuid[], @from::varchar[], @to::varchar[], @was::timestamptz[])
				as x (id, booking_id, from_state, to_state, was)
		), `+Noted+`
		select distinct f.id from unnest(@freed::uuid[]) as f (id)
		where exists (select from waitlist_entries e where e.business_id = @business and e.occurrence_id = f.id and e.state = 'waiting')`,
		Noting(tx, sc, pg.Named{
			"ids": pg.NewIDs(n), "bookings": ids, "from": from, "to": to, "was": was, "reason": t, "words": words, "freed": freed,
		}))
	if err != nil || len(awaited) == 0 {
		return err
	}
	return RoundTx(ctx, tx, awaited)
}

// recordTimes is record for bookings that got another time: it keeps when each would have begun.
func recordTimes(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, t Transition, words string, list []subject, freed ...uuid.UUID) error {
	was := each(list, func(b subject) leaving { return leaving{b.ID, b.State, &b.StartsAt} })
	return record(ctx, tx, sc, t, words, was, freed...)
}

// historyMax is more than any booking has.
const historyMax = 500

// HistoryOf reads all transitions of a booking, the first one first.
func HistoryOf(ctx context.Context, r pg.Reader, booking uuid.UUID) ([]Change, error) {
	return pg.All[Change](ctx, r, `select id, from_state as "from", to_state as "to", actor_kind, actor_name, surface,
			reason as transition, note as words, from_starts_at as from_start, created_at as at
		from booking_transitions where business_id = $1 and booking_id = $2 order by created_at, id limit $3`, r.Business(), booking, historyMax)
}
