package booking

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/schedule"
)

var placeAwaited = schedule.ReservedSQL("$3")

// lockPlaces locks occurrences, in the order of their ids, and then reads what decides about their seats: the reading is a
// statement of its own, because one that has waited for a lock still looks at the time before. Unknown ones are left out.
func lockPlaces(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]place, error) {
	if _, err := tx.Exec(ctx, `select o.id from occurrences o join offerings f on f.business_id = $1 and f.id = o.offering_id
		where o.business_id = $1 and o.id = any($2) order by o.id`+placesLocked, tx.Business(), ids); err != nil {
		return nil, err
	}
	rows, err := pg.All[place](ctx, tx, `select o.id, o.offering_id, o.location_id, o.series_id is not null as in_series, f.kind,
			f.name as offering_name, f.state as offering_state, f.enrolment, f.price_amount, l.currency, l.zone, o.state, o.starts_at,
			o.ends_at, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered, `+placeAwaited+` as awaited,
			l.archived_at is not null as location_archived, s.status as business_status,
			coalesce(m.person_id = $4 and m.deactivated_at is null, false) as own, p.rules as policy
		from occurrences o
		join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		join businesses s on s.business_id = o.business_id
		left join members m on m.business_id = o.business_id and m.id = o.member_id
		left join policies p on p.business_id = o.business_id and p.id = coalesce(f.policy_id, l.policy_id)
		where o.business_id = $1 and o.id = any($2)`, tx.Business(), ids, tx.Now(), person)
	out := make(map[uuid.UUID]place, len(rows))
	for _, p := range rows {
		p.Rules = KeptRules(p.Policy)
		out[p.ID] = p
	}
	return out, err
}

// taking is seats to take of one occurrence.
type taking struct {
	ID     uuid.UUID
	Seats  int
	Online bool
}

// takePlaces counts seats as taken. The caller has found room under the lock, or may make it: then the capacity grows by
// what is missing, and the date keeps that number when its series is edited.
func takePlaces(ctx context.Context, tx *pg.Tx, list []taking, grow bool) error {
	ids, seats, online := make([]uuid.UUID, len(list)), make([]int, len(list)), make([]int, len(list))
	for i, t := range list {
		ids[i], seats[i] = t.ID, t.Seats
		if t.Online {
			online[i] = t.Seats
		}
	}
	if grow {
		if err := schedule.MakeRoomTx(ctx, tx, ids, seats); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, `update occurrences o set taken = o.taken + w.seats, taken_online = o.taken_online + w.online
		from (select id, sum(seats)::integer as seats, sum(online)::integer as online
			from unnest($2::uuid[], $3::integer[], $4::integer[]) as x (id, seats, online) group by id) w
		where o.business_id = $1 and o.id = w.id`, tx.Business(), ids, seats, online)
	return err
}

// freePlaces gives the seats of bookings back that are of these occurrences as they are before they move.
func freePlaces(ctx context.Context, tx *pg.Tx, list []subject) error {
	if len(list) == 0 {
		return nil
	}
	ids, occurrences := make([]uuid.UUID, len(list)), make([]uuid.UUID, len(list))
	online, parties := make([]bool, len(list)), make([]int, len(list))
	for i, s := range list {
		ids[i], occurrences[i], online[i], parties[i] = s.ID, s.OccurrenceID, s.Online, s.Party
	}
	_, err := tx.Exec(ctx, `with moved as (
			select * from unnest($2::uuid[], $3::uuid[], $4::boolean[], $5::integer[]) as m (id, occurrence_id, online, party)
		), `+free+`
		select id from moved`, tx.Business(), ids, occurrences, online, parties)
	return err
}

func occurrencesOf(list []subject) []uuid.UUID {
	out := make([]uuid.UUID, len(list))
	for i, s := range list {
		out[i] = s.OccurrenceID
	}
	slices.SortFunc(out, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	return slices.Compact(out)
}
