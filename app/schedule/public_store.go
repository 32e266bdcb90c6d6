package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const placeColumns = `l.id, l.slug, l.name, l.zone, l.currency, b.status <> 'active' as paused`

// open is the condition under which the public sees a location.
const open = `l.archived_at is null and b.status <> 'closed' `

// What all public reads say about a date. A member who has left is not named.
const (
	sessionColumns = `oc.id, oc.starts_at, oc.ends_at, coalesce(m.name, '') as instructor, coalesce(s.name, '') as space,
		greatest(0, least(oc.capacity - oc.taken, oc.online_capacity - oc.taken_online)) as spots`
	sessionNames = `left join members m on m.business_id = oc.business_id and m.id = oc.member_id and m.deactivated_at is null
		left join spaces s on s.business_id = oc.business_id and s.id = oc.space_id `
)

// timetable reads a location and its public dates that start after low and before high, at most one more than
// scheduleRows, and the first start from high on.
func timetable(ctx context.Context, v *pg.View, location uuid.UUID, low, high time.Time) (
	place Place, rows []Session, later *time.Time, found bool, err error) {
	var next time.Time
	var more bool
	b := v.Batch()
	pg.QueueOne(b, &place, &found, `select `+placeColumns+` from locations l join businesses b on b.business_id = l.business_id
		where l.business_id = $1 and l.id = $2 and `+open, v.Business(), location)
	pg.QueueAll(b, &rows, `select `+sessionColumns+`, oc.offering_id, o.kind, o.slug, o.name, o.price_amount
		from occurrences oc join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id `+sessionNames+`
		where oc.business_id = $1 and oc.location_id = $2 and oc.starts_at > $3 and oc.starts_at < $4
			and oc.state = 'scheduled' and o.state = 'published'
		order by oc.starts_at, oc.id limit $5`, v.Business(), location, low, high, scheduleRows+1)
	pg.QueueOne(b, &next, &more, `select oc.starts_at
		from occurrences oc join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id
		where oc.business_id = $1 and oc.location_id = $2 and oc.starts_at >= $3 and oc.state = 'scheduled' and o.state = 'published'
		order by oc.starts_at limit 1`, v.Business(), location, high)
	if err = b.Send(ctx); more {
		later = &next
	}
	return place, rows, later, found, err
}

// chosen is the id of the offering that Times is asked for: $2, or the one with slug $4 at location $3.
const chosen = `coalesce($2::uuid, (select id from offerings where business_id = $1 and location_id = $3 and slug = $4))`

// timesOf reads a published offering with its place and its dates that start after an instant.
func timesOf(ctx context.Context, v *pg.View, in TimesInput, after time.Time, limit int) (t Times, rows []Session, found bool, err error) {
	var head struct {
		Place
		Head
	}
	var id *uuid.UUID
	if in.OfferingID != uuid.Nil {
		id = &in.OfferingID
	}
	var from *Date
	if !in.From.IsZero() {
		from = &in.From
	}
	b := v.Batch()
	pg.QueueOne(b, &head, &found, `select `+placeColumns+`, o.id as offering_id, o.kind, o.slug as offering_slug,
			o.name as offering_name, o.description, o.duration_minutes, o.price_amount
		from offerings o join locations l on l.business_id = o.business_id and l.id = o.location_id
		join businesses b on b.business_id = o.business_id
		where o.business_id = $1 and o.id = `+chosen+` and o.state = 'published' and `+open, v.Business(), id, in.LocationID, in.Slug)
	pg.QueueAll(b, &rows, `select `+sessionColumns+` from occurrences oc `+sessionNames+`
		where oc.business_id = $1 and oc.offering_id = `+chosen+` and oc.starts_at > $5 and oc.state = 'scheduled'
			and ($6::date is null or oc.local_date >= $6)
		order by oc.starts_at, oc.id limit $7`, v.Business(), id, in.LocationID, in.Slug, after, from, limit)
	err = b.Send(ctx)
	return Times{Place: head.Place, Head: head.Head}, rows, found, err
}

// nextTimes reads the next start of each offering that has one.
func nextTimes(ctx context.Context, v *pg.View, offerings []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	type row struct {
		ID       uuid.UUID
		StartsAt time.Time
	}
	rows, err := pg.All[row](ctx, v, `select w.id, n.starts_at from unnest($2::uuid[]) as w (id) cross join lateral (
			select starts_at from occurrences where business_id = $1 and offering_id = w.id and starts_at > $3
				and state = 'scheduled' order by starts_at, id limit 1
		) n`, v.Business(), offerings, v.Now())
	next := make(map[uuid.UUID]time.Time, len(rows))
	for _, r := range rows {
		next[r.ID] = r.StartsAt
	}
	return next, err
}
