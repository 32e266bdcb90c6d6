package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// lockPlaces locks occurrences, in the order of their ids, and then reads the facts about their seats. The reading is
// a statement of its own, because a statement that has waited for a lock still reads its old snapshot. Unknown ones
// are left out.
func lockPlaces(ctx context.Context, tx *pg.Tx, person uuid.UUID, ids ...uuid.UUID) (map[uuid.UUID]place, error) {
	if _, err := tx.Exec(ctx, `select o.id from occurrences o join offerings f on f.business_id = $1 and f.id = o.offering_id
		where o.business_id = $1 and o.id = any($2) order by o.id`+UnderLock, tx.Business(), ids); err != nil {
		return nil, err
	}
	rows, err := pg.All[place](ctx, tx, `select o.id, o.offering_id, o.location_id, o.series_id is not null as in_series, f.kind,
			f.name as offering_name, f.state as offering_state, f.enrolment, f.price_amount, l.currency, l.zone, o.state, o.starts_at,
			o.ends_at, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered, `+schedule.ReservedSQL("$2")+` as awaited,
			l.archived_at is not null as location_archived, s.status as business_status,
			`+schedule.TaughtBySQL("$4")+` as own, coalesce(p.rules, 'null') as rules
		from occurrences o
		join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		join businesses s on s.business_id = o.business_id`+schedule.InstructorJoinSQL("o.business_id", "o.member_id")+`
		left join policies p on p.business_id = o.business_id and p.id = coalesce(f.policy_id, l.policy_id)
		where o.business_id = $1 and o.id = any($3)`, tx.Business(), tx.Now(), ids, person)
	out := make(map[uuid.UUID]place, len(rows))
	for _, p := range rows {
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

// takePlaces counts seats as occupied. The caller has found room under the lock, or may exceed the capacity: then it
// grows by the missing seats, and the date keeps that number when its series is edited.
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

// freePlaces releases the seats of bookings at their occurrences before a rescheduling.
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
	return each(list, func(s subject) uuid.UUID { return s.OccurrenceID })
}

// site is a location, and whether the caller is the instructor.
type site struct {
	LocationID uuid.UUID
	Zone       string
	Kind       catalog.Kind
	Own        bool
}

func dateSite(ctx context.Context, r pg.Reader, person, occurrence uuid.UUID) (site, error) {
	return pg.Found(pg.One[site](ctx, r, `select o.location_id, l.zone, f.kind, `+schedule.TaughtBySQL("$3")+` as own
		from occurrences o join offerings f on f.business_id = o.business_id and f.id = o.offering_id
		join locations l on l.business_id = o.business_id and l.id = o.location_id`+schedule.InstructorJoinSQL("o.business_id", "o.member_id")+`
		where o.business_id = $1 and o.id = $2`, r.Business(), occurrence, person))
}

// offeringSite is dateSite for an offering without dates: it is the caller's own if the caller is the member in the
// input.
func offeringSite(ctx context.Context, r pg.Reader, person, offering uuid.UUID, member *uuid.UUID) (site, error) {
	return pg.Found(pg.One[site](ctx, r, `select f.location_id, l.zone, f.kind, `+schedule.TaughtBySQL("$3")+` as own
		from offerings f join locations l on l.business_id = f.business_id and l.id = f.location_id`+schedule.InstructorJoinSQL("f.business_id", "$4")+`
		where f.business_id = $1 and f.id = $2`, r.Business(), offering, person, member))
}

// datesOf finds the dates of a rule, by their start: one more than RecurringMax when there are too many.
func datesOf(ctx context.Context, tx *pg.Tx, in RecurringInput) ([]uuid.UUID, error) {
	days := make([]int, len(in.Weekdays))
	for i, d := range in.Weekdays {
		days[i] = int(d)
	}
	return pg.All[uuid.UUID](ctx, tx, `select o.id from occurrences o
		where o.business_id = $1 and o.offering_id = $2 and o.series_id is not null and ($3::uuid is null or o.series_id = $3)
			and o.local_date between $4 and $5 and (cardinality($6::integer[]) = 0 or extract(dow from o.local_date)::integer = any($6))
		order by o.starts_at, o.id limit $7`,
		tx.Business(), in.OfferingID, pg.OrNull(in.SeriesID), in.From, in.Until, days, RecurringMax+1)
}

// startOf reads when a date of an offering begins; an unknown one, and one of another offering, is not found.
func startOf(ctx context.Context, tx *pg.Tx, offering, occurrence uuid.UUID) (time.Time, error) {
	return pg.Found(pg.One[time.Time](ctx, tx, `select starts_at from occurrences
		where business_id = $1 and offering_id = $2 and id = $3 and series_id is not null`, tx.Business(), offering, occurrence))
}

// datesAt finds the dates of a class that begin at these instants, by the microseconds of theirs; of two the one that
// is not cancelled.
func datesAt(ctx context.Context, tx *pg.Tx, offering uuid.UUID, starts []time.Time) (map[int64]uuid.UUID, error) {
	type row struct {
		ID       uuid.UUID
		StartsAt time.Time
	}
	rows, err := pg.All[row](ctx, tx, `select id, starts_at from occurrences
		where business_id = $1 and offering_id = $2 and series_id is not null and starts_at = any($3) order by state = 'scheduled', id`,
		tx.Business(), offering, starts)
	out := map[int64]uuid.UUID{}
	for _, r := range rows {
		out[r.StartsAt.UnixMicro()] = r.ID
	}
	return out, err
}

// resourcesOf reads the member and the space of an appointment or a rental.
func resourcesOf(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID) (member, space *uuid.UUID, err error) {
	type row struct{ MemberID, SpaceID *uuid.UUID }
	r, err := pg.One[row](ctx, tx, `select member_id, space_id from occurrences where business_id = $1 and id = $2`, tx.Business(), occurrence)
	return r.MemberID, r.SpaceID, err
}
