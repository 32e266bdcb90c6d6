package schedule

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// Single is an occurrence that belongs to no series: the time of an appointment or a rental.
type Single struct {
	OfferingID uuid.UUID
	LocationID uuid.UUID
	StartsAt   time.Time
	EndsAt     time.Time
	MemberID   *uuid.UUID
	SpaceID    *uuid.UUID
	Seats      int // the party
}

// AddSinglesTx writes singles, in their order, without occupied seats, and returns their ids.
func AddSinglesTx(ctx context.Context, tx *pg.Tx, singles []Single) ([]uuid.UUID, error) {
	n := len(singles)
	ids, offerings, locations := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]uuid.UUID, n)
	members, spaces := make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	starts, ends, seats := make([]time.Time, n), make([]time.Time, n), make([]int, n)
	for i, s := range singles {
		ids[i], offerings[i], locations[i], members[i], spaces[i] = pg.NewID(), s.OfferingID, s.LocationID, s.MemberID, s.SpaceID
		starts[i], ends[i], seats[i] = s.StartsAt, s.EndsAt, s.Seats
	}
	_, err := tx.Exec(ctx, `insert into occurrences (id, business_id, location_id, offering_id, local_date, starts_at, ends_at,
			member_id, space_id, state, capacity, online_capacity, taken, taken_online, version, created_at, updated_at)
		select s.id, @business, s.location_id, s.offering_id, (s.starts_at at time zone l.zone)::date, s.starts_at, s.ends_at,
			s.member_id, s.space_id, 'scheduled', s.seats, s.seats, 0, 0, 1, @now, @now
		from unnest(@ids::uuid[], @locations::uuid[], @offerings::uuid[], @members::uuid[], @spaces::uuid[],
			@starts::timestamptz[], @ends::timestamptz[], @seats::int[])
			as s (id, location_id, offering_id, member_id, space_id, starts_at, ends_at, seats)
		join locations l on l.business_id = @business and l.id = s.location_id`, pg.Named{
		"business": tx.Business(), "now": tx.Now(), "ids": ids, "locations": locations, "offerings": offerings, "members": members,
		"spaces": spaces, "starts": starts, "ends": ends, "seats": seats,
	})
	return ids, err
}

// RescheduleSingleTx changes time, space and member of a single; it keeps its id and its seats.
func RescheduleSingleTx(ctx context.Context, tx *pg.Tx, id uuid.UUID, to Single) error {
	n, err := tx.Exec(ctx, `update occurrences o set starts_at = $3, ends_at = $4, member_id = $5, space_id = $6,
			local_date = ($3::timestamptz at time zone l.zone)::date, version = o.version + 1, updated_at = $7
		from locations l where l.business_id = $1 and l.id = o.location_id and o.business_id = $1 and o.id = $2`,
		tx.Business(), id, to.StartsAt, to.EndsAt, to.MemberID, to.SpaceID, tx.Now())
	return allOf(1, n, err)
}

// CancelledSingle is a released single.
type CancelledSingle struct {
	ID uuid.UUID
	Single
}

// CancelledSinglesTx reads the released singles among these occurrences, in the order of their ids.
func CancelledSinglesTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]CancelledSingle, error) {
	return pg.All[CancelledSingle](ctx, tx, `select id, offering_id, location_id, starts_at, ends_at, member_id, space_id, capacity as seats
		from occurrences where business_id = $1 and id = any($2) and series_id is null and state = 'cancelled' order by id`,
		tx.Business(), ids)
}

// RestoreSinglesTx restores released singles.
func RestoreSinglesTx(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	n, err := tx.Exec(ctx, `update occurrences set state = 'scheduled', cancel_reason = '', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2)`, tx.Business(), ids, tx.Now())
	return allOf(len(ids), n, err)
}

// ResizeSingleTx changes the party of the time of an appointment or a rental, which occupies all of its seats.
func ResizeSingleTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, party int) error {
	_, err := tx.Exec(ctx, `update occurrences set capacity = $3, online_capacity = $3, taken = case when taken > 0 then $3 else 0 end,
			taken_online = case when taken_online > 0 then $3 else 0 end, version = version + 1, updated_at = $4
		where business_id = $1 and id = $2`, tx.Business(), occurrence, party, tx.Now())
	return err
}

// CancelEmptySinglesTx cancels those of these singles that have no seat, and returns them.
func CancelEmptySinglesTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID) ([]uuid.UUID, error) {
	if len(occurrences) == 0 {
		return nil, nil
	}
	return pg.All[uuid.UUID](ctx, tx, `update occurrences set state = 'cancelled', version = version + 1, updated_at = $3
		where business_id = $1 and id = any($2) and series_id is null and taken = 0 returning id`, tx.Business(), occurrences, tx.Now())
}

// errGone: an occurrence does not exist any more.
var errGone = errors.New("schedule: an occurrence is gone")

// allOf refuses a change of fewer rows than it is about.
func allOf(want int, changed int64, err error) error {
	if err == nil && changed != int64(want) {
		err = errGone
	}
	return err
}
