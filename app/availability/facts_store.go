package availability

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// factRows are the facts as they come.
type factRows struct {
	offers   []offerRow
	people   []giverRow
	spaces   []spaceRow
	hours    []hoursRow
	closures []SpecialDays
	busy     []busyRow
	given    []givenRow
	dates    []dateFact
}

type offerRow struct {
	Offer
	spot
}

type giverRow struct {
	OfferingID uuid.UUID
	Person
}

type spaceRow struct {
	Space
	ParentID   *uuid.UUID
	Archived   bool
	OfferingID *uuid.UUID // nil: only a relative
}

// The owners of hours.
const (
	ofLocation = iota
	ofMember
	ofSpace
)

type hoursRow struct {
	Of int
	ID uuid.UUID
	business.Interval
}

type busyRow struct {
	ID               uuid.UUID // of the person or the space
	Kind             int32     // a BusyKind
	StartsAt, EndsAt time.Time
	Seats            int32
}

type givenRow struct {
	ID        *uuid.UUID // of the person; nil: the location
	LocalDate civil.Date
	Given     int
}

// $1 is the business and $2 the offerings throughout.
const (
	// factPlace is the location of the first offering.
	factPlace = `(select location_id from offerings where business_id = $1 and id = ($2::uuid[])[1])`

	selectOffers = `select o.id, o.name, o.kind, o.state, o.duration_minutes as minutes, o.price_amount as amount, o.sold_as, o.durations,
			o.buffer_before_minutes as before, o.buffer_after_minutes as after, coalesce(o.grid_minutes, 0) as grid,
			o.last_start_minute as last_start, o.compact, o.capacity, coalesce(p.rules, 'null') as rules,
			o.kind = 'appointment' or o.needs_member as needs_person,
			o.location_id, l.zone, coalesce(l.daily_cap, 0) as daily_cap, l.archived_at is not null as archived, b.status
		from unnest($2::uuid[]) with ordinality w (id, n)
		join offerings o on o.business_id = $1 and o.id = w.id
		join locations l on l.business_id = $1 and l.id = o.location_id
		join businesses b on b.business_id = $1
		left join policies p on p.business_id = $1 and p.id = coalesce(o.policy_id, l.policy_id)
		order by w.n`

	// $3 limits the people; null does not.
	selectGivers = `select om.offering_id, m.id, m.name, coalesce(m.daily_cap, 0) as daily_cap, coalesce(m.weekly_cap, 0) as weekly_cap
		from offering_members om join members m on m.business_id = $1 and m.id = om.member_id
		where om.business_id = $1 and om.offering_id = any($2) and ($3::uuid[] is null or om.member_id = any($3))
			and m.deactivated_at is null and m.bookable
		order by om.offering_id, om.position, m.id`
	factPeople = `(select om.member_id from offering_members om where om.business_id = $1 and om.offering_id = any($2)
		and ($3::uuid[] is null or om.member_id = any($3)))`

	// The spaces of the offerings, and those of their locations that have parts or are parts, which may conflict with
	// them.
	factSpaces = ` from spaces s where s.business_id = $1
		and s.location_id in (select location_id from offering_spaces where business_id = $1 and offering_id = any($2))
		and (s.parent_id is not null or exists (select from spaces p where p.business_id = $1 and p.parent_id = s.id)
			or exists (select from offering_spaces os where os.business_id = $1 and os.offering_id = any($2) and os.space_id = s.id))`
	selectSpaces = `select r.*, os.offering_id from (select s.id, s.name, s.parent_id, s.capacity, s.archived_at is not null as archived` +
		factSpaces + `) r left join offering_spaces os on os.business_id = $1 and os.space_id = r.id and os.offering_id = any($2)
		order by os.position, r.id`

	selectHours = `select 0 as of, location_id as id, weekday, opens, closes from location_hours
			where business_id = $1 and location_id = ` + factPlace + `
		union all select 1, member_id, weekday, opens, closes from member_hours
			where business_id = $1 and location_id = ` + factPlace + ` and member_id = any(array` + factPeople + `)
		union all select 2, space_id, weekday, opens, closes from space_hours
			where business_id = $1 and space_id = any(array(select space_id from offering_spaces where business_id = $1 and offering_id = any($2)))
		order by of, id, weekday, opens`

	factClosures = `select name, starts_on as "from", ends_on as "to", hours from closures
		where business_id = $1 and location_id = ` + factPlace + ` and ends_on >= $3::date and starts_on <= $4::date order by starts_on, id`
)

// selectBusy reads busy times that touch $4 to $5, by the member or the space they occupy. Claims end before $6.
// Those of the occurrences $7 are left out, when there are any: the plain form is answered from the indexes alone.
func selectBusy(excluding bool) string {
	not := ""
	if excluding {
		not = ` and not (c.occurrence_id = any($7))`
	}
	return `with people as materialized (select distinct member_id as id from ` + factPeople + ` p),
			wanted as materialized (select s.id` + factSpaces + `)
		select w.id, 0 as kind, c.starts_at, c.ends_at, 0 as seats
		from people w cross join lateral (select c.starts_at, c.ends_at from claims c
			where c.business_id = $1 and c.member_id = w.id and c.ends_at > $4 and c.ends_at < $6 and c.starts_at < $5` + not + `) c
		union all select w.id, 3, t.starts_at, t.ends_at, 0
		from people w join time_off t on t.business_id = $1 and t.member_id = w.id and t.ends_at > $4 and t.starts_at < $5
		union all select w.id, case when c.exclusive then 0 when c.direct then 1 else 2 end, c.starts_at, c.ends_at, c.seats
		from wanted w cross join lateral (select c.starts_at, c.ends_at, c.exclusive, c.direct, c.seats from claims c
			where c.business_id = $1 and c.space_id = w.id and c.ends_at > $4 and c.ends_at < $6 and c.starts_at < $5` + not + `) c
		union all select w.id, 3, k.starts_at, k.ends_at, 0
		from wanted w join space_blocks k on k.business_id = $1 and k.space_id = w.id and k.ends_at > $4 and k.starts_at < $5`
}

var busyPlain, busyExcluding = selectBusy(false), selectBusy(true)

// selectGiven counts the appointments of people with caps and of a location with a cap, by day, from $4 to $5,
// without the occurrences $7. The members with caps are found first, mostly none: the planner would begin with all
// claims.
const selectGiven = `with capped as materialized (select id from members where business_id = $1 and id = any(array` + factPeople + `)
			and (daily_cap is not null or weekly_cap is not null))
	select c.member_id as id, oc.local_date, count(*)::int as given
	from capped m cross join lateral (select c.member_id, c.occurrence_id from claims c
			where c.business_id = $1 and c.member_id = m.id and c.ends_at > $4 and c.ends_at < $6 and c.starts_at < $5) c
	join occurrences oc on oc.business_id = $1 and oc.id = c.occurrence_id and oc.series_id is null
	where not (oc.id = any($7))
	group by c.member_id, oc.local_date
	union all select null, oc.local_date, count(*)::int
	from locations l join occurrences oc on oc.business_id = $1 and oc.location_id = l.id and oc.starts_at > $4 and oc.starts_at < $5
		and oc.series_id is null and oc.state = 'scheduled' and oc.taken > 0 and not (oc.id = any($7))
	where l.business_id = $1 and l.id = ` + factPlace + ` and l.daily_cap is not null
	group by oc.local_date`

// selectDates reads the dates of classes that start from $3 and before $4; $5 is the time.
var selectDates = `select o.id, o.offering_id, o.starts_at, o.ends_at, o.member_id, o.space_id,
		` + schedule.InstructorAndSpaceSQL + `, o.capacity, o.online_capacity, o.taken, o.taken_online, o.offered,
		` + schedule.ReservedSQL("$5") + ` as reserved
	from occurrences o` + schedule.InstructorAndSpaceJoinSQL("$1", "o") + `
	where o.business_id = $1 and o.offering_id = any($2) and o.starts_at >= $3 and o.starts_at < $4
		and o.series_id is not null and o.state = 'scheduled'
		and exists (select from offerings where business_id = $1 and id = any($2) and kind = 'class')
	order by o.starts_at, o.id`

// occurrenceOf is the occurrence of a booking of an appointment or a rental; Nil when it is one of a class.
func occurrenceOf(ctx context.Context, r pg.Reader, booking uuid.UUID) (uuid.UUID, error) {
	return pg.Found(pg.One[uuid.UUID](ctx, r, `select case when oc.series_id is null then oc.id else $3 end
		from bookings b join occurrences oc on oc.business_id = $1 and oc.id = b.occurrence_id
		where b.business_id = $1 and b.id = $2`, r.Business(), booking, uuid.Nil))
}

// factsBehind reads everything in one trip, behind the statements of a batch.
func factsBehind(ctx context.Context, b *pg.Batch, r pg.Reader, in factsOf) (known, error) {
	var rows factRows
	rows.queue(b, r, in)
	if err := b.Send(ctx); err != nil {
		return known{}, fmt.Errorf("availability: facts: %w", err)
	}
	return rows.known(r.Now(), in)
}

// queue adds the reads of everything to a batch.
func (f *factRows) queue(b *pg.Batch, r pg.Reader, in factsOf) {
	id := r.Business()
	from, to := in.from.Add(-bufferMax), in.to.Add(bufferMax)
	exclude := in.exclude
	if exclude == nil {
		exclude = []uuid.UUID{}
	}
	pg.QueueAll(b, &f.offers, selectOffers, id, in.offerings)
	pg.QueueAll(b, &f.people, selectGivers, id, in.offerings, in.members)
	pg.QueueAll(b, &f.spaces, selectSpaces, id, in.offerings)
	pg.QueueAll(b, &f.hours, selectHours, id, in.offerings, in.members)
	pg.QueueAll(b, &f.closures, factClosures, id, in.offerings, civil.DateOf(in.from.UTC()).AddDays(-1), civil.DateOf(in.to.UTC()).AddDays(1))
	if len(exclude) == 0 {
		pg.QueueAll(b, &f.busy, busyPlain, id, in.offerings, in.members, from, to, to.Add(lookBack))
	} else {
		pg.QueueAll(b, &f.busy, busyExcluding, id, in.offerings, in.members, from, to, to.Add(lookBack), exclude)
	}
	if !in.uncapped { // whole weeks of the location, in any zone
		const week = 8 * 24 * time.Hour
		from, to := in.from.Add(-week), in.to.Add(week)
		pg.QueueAll(b, &f.given, selectGiven, id, in.offerings, in.members, from, to, to.Add(lookBack), exclude)
	}
	if in.dates {
		pg.QueueAll(b, &f.dates, selectDates, id, in.offerings, in.from, in.to, r.Now())
	}
}
