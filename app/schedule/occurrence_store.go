package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
)

// insertDates writes dates of a series in one statement, in any number. A date without an id gets one. The row of the
// series is locked, so that no other transaction writes the same dates meanwhile: then the key refuses them.
func insertDates(ctx context.Context, tx *pg.Tx, s Series, dates []placed) error {
	n := len(dates)
	if n == 0 {
		return nil
	}
	ids, rule, local := make([]uuid.UUID, n), make([]time.Time, n), make([]time.Time, n)
	starts, ends := make([]time.Time, n), make([]time.Time, n)
	for i, d := range dates {
		if dates[i].id == uuid.Nil {
			dates[i].id = pg.NewID()
		}
		ids[i], rule[i], local[i], starts[i], ends[i] = dates[i].id, d.Date.Utc(), d.local.Utc(), d.StartsAt, d.EndsAt
	}
	_, err := tx.Exec(ctx, `insert into occurrences (id, business_id, location_id, offering_id, series_id, rule_date, local_date,
			starts_at, ends_at, member_id, space_id, capacity, online_capacity, created_at, updated_at)
		select d.id, @business, @location_id, @offering_id, @id, d.rule_date, d.local_date, d.starts_at, d.ends_at,
			@member_id, @space_id, @capacity, @online_capacity, @now, @now
		from unnest(@ids::uuid[], @rule::date[], @local::date[], @starts::timestamptz[], @ends::timestamptz[])
			as d (id, rule_date, local_date, starts_at, ends_at)`, pg.Named{
		"business": tx.Business(), "location_id": s.LocationID, "offering_id": s.OfferingID, "id": s.ID, "member_id": s.MemberID,
		"space_id": s.SpaceID, "capacity": s.Capacity, "online_capacity": s.OnlineCapacity, "now": tx.Now(), "ids": ids,
		"rule": rule, "local": local, "starts": starts, "ends": ends,
	})
	return err
}

var occurrenceColumns = `oc.id, oc.location_id, oc.offering_id, o.name as offering_name, oc.series_id, oc.local_date,
	oc.starts_at, oc.ends_at, oc.member_id, oc.space_id, ` + InstructorAndSpaceSQL + `,
	oc.state, oc.capacity, oc.online_capacity, oc.taken, oc.taken_online, oc.offered, oc.version, oc.overrides, oc.cancel_reason,
	exists (select from claims c where c.business_id = $1 and c.occurrence_id = oc.id and c.forced) as double_booked,
	(select count(*) from waitlist_entries e where e.business_id = $1 and e.occurrence_id = oc.id
		and e.state in ('waiting', 'offered')) as waiting`

var occurrenceFrom = ` from occurrences oc
	join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id` + InstructorAndSpaceJoinSQL("oc.business_id", "oc") + ` `

// forever is later than any date that is written.
var forever = time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)

func queueOccurrences(b *pg.Batch, business uuid.UUID, in OccurrencesInput, p *part[Occurrence]) {
	place, of, id := `select location_id from offerings where business_id = $1 and id = $2`, "offering_id", in.OfferingID
	if id == uuid.Nil {
		place, of, id = `select id from locations where business_id = $1 and id = $2`, "location_id", in.LocationID
	}
	to := in.To
	if to.IsZero() {
		to = forever
	}
	// The key is after every row that has its start and no greater id, so one comparison serves the first page too.
	after := paging.Moment{At: in.From}
	if in.Page.After != nil && !in.Page.After.At.Before(in.From) {
		after = *in.Page.After
	}
	pg.QueueOne(b, &p.location, &p.found, place, business, id)
	pg.QueueAll(b, &p.rows, `select `+occurrenceColumns+occurrenceFrom+`
		where oc.business_id = $1 and oc.`+of+` = $2 and oc.series_id is not null and (oc.starts_at, oc.id) > ($3, $4) and oc.starts_at < $5
		order by oc.starts_at, oc.id limit $6`, business, id, after.At, after.ID, to, in.Page.Size()+1)
}

func occurrenceByID(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Occurrence, error) {
	return pg.One[Occurrence](ctx, tx, `select `+occurrenceColumns+occurrenceFrom+`where oc.business_id = $1 and oc.id = $2`,
		tx.Business(), id)
}

// HasDatesTx reports whether a location has an upcoming date or a series with further ones:
// business.Ports.HasDatesTx.
func HasDatesTx(ctx context.Context, tx *pg.Tx, location uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "location_id", location)
}

// DatesOfOfferingTx is HasDatesTx for an offering.
func DatesOfOfferingTx(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "offering_id", offering)
}

// DatesInSpaceTx is HasDatesTx for a space.
func DatesInSpaceTx(ctx context.Context, tx *pg.Tx, space uuid.UUID) (bool, error) {
	return hasDates(ctx, tx, "space_id", space)
}

func hasDates(ctx context.Context, tx *pg.Tx, column string, id uuid.UUID) (bool, error) {
	return pg.One[bool](ctx, tx, `select exists (select from occurrences where business_id = $1 and `+column+` = $2
			and starts_at > $3 and state = 'scheduled')
		or exists (select from series where business_id = $1 and `+column+` = $2 and due_at is not null)`,
		tx.Business(), id, tx.Now())
}

// kept is the new overrides of a date with a capacity of its own: edits of the series do not change it.
const kept = `case when o.overrides ? 'capacity' then o.overrides else o.overrides || '["capacity"]' end`

// RaiseTx adds so many seats to a date, as many of them sold online. The date keeps its number when its series is
// edited.
func RaiseTx(ctx context.Context, tx *pg.Tx, occurrence uuid.UUID, seats, online int) error {
	_, err := tx.Exec(ctx, `update occurrences o set capacity = o.capacity + $3, online_capacity = o.online_capacity + $4,
			version = o.version + 1, updated_at = $5, overrides = `+kept+`
		where o.business_id = $1 and o.id = $2`, tx.Business(), occurrence, seats, online, tx.Now())
	return err
}

// MakeRoomTx raises the capacity of full occurrences to fit so many additional seats beside the occupied and offered
// ones. seats and occurrences have the same length; occurrences may repeat. Dates keep their number when their series
// is edited.
func MakeRoomTx(ctx context.Context, tx *pg.Tx, occurrences []uuid.UUID, seats []int) error {
	_, err := tx.Exec(ctx, `update occurrences o set capacity = o.taken + o.offered + w.seats, version = o.version + 1,
			updated_at = $4, overrides = `+kept+`
		from (select id, sum(seats)::integer as seats from unnest($2::uuid[], $3::integer[]) as x (id, seats) group by id) w
		where o.business_id = $1 and o.id = w.id and o.taken + o.offered + w.seats > o.capacity`,
		tx.Business(), occurrences, seats, tx.Now())
	return err
}
