package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
	"foyer/app/pg"
)

// Detail is an occurrence with the facts that a booking of it needs: offering, price, location.
type Detail struct {
	ID         uuid.UUID
	SeriesID   uuid.UUID  // Nil: of an appointment or a rental
	LocalDate  civil.Date // on the location's wall clock
	EndsAt     time.Time
	MemberID   *uuid.UUID
	Instructor string // empty: no instructor is named
	SpaceID    *uuid.UUID
	Space      string // empty: none is named
	Facts
	Version int64

	OfferingID   uuid.UUID
	OfferingName string
	OfferingSlug string
	PriceAmount  *int64 // minor units of Currency; nil only for a draft

	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	Currency     money.Currency
	BusinessName string
}

var detailQuery = `select oc.id, coalesce(oc.series_id, '00000000-0000-0000-0000-000000000000') as series_id, oc.series_id is not null as in_series,
	oc.local_date, oc.starts_at, oc.ends_at, oc.state,
	oc.member_id, oc.space_id, ` + InstructorAndSpaceSQL + `,
	oc.capacity, oc.online_capacity, oc.taken, oc.taken_online, oc.offered, oc.version,
	oc.offering_id, o.name as offering_name, o.slug as offering_slug, o.state as offering_state, o.kind, o.enrolment, o.price_amount,
	oc.location_id, l.name as location_name, l.slug as location_slug, l.archived_at is not null as location_archived,
	l.zone, l.currency, b.name as business_name, b.status as business_status` + occurrenceFrom + `
	join locations l on l.business_id = oc.business_id and l.id = oc.location_id
	join businesses b on b.business_id = oc.business_id
	where oc.business_id = $1 and `

// OccurrenceOf returns one occurrence in any state; an unknown id is not found.
func OccurrenceOf(ctx context.Context, r pg.Reader, id uuid.UUID) (Detail, error) {
	return pg.Found(pg.One[Detail](ctx, r, detailQuery+`oc.id = $2`, r.Business(), id))
}

// OccurrencesOf returns the occurrences with these ids, in any state, in the order of their ids: the order in which
// their rows are to be locked. Unknown ids are left out. One statement.
func OccurrencesOf(ctx context.Context, r pg.Reader, ids []uuid.UUID) ([]Detail, error) {
	return pg.All[Detail](ctx, r, detailQuery+`oc.id = any($2) order by oc.id`, r.Business(), ids)
}

// CourseOf returns the upcoming dates of a course, in the order of their start: the dates of a customer joining now.
// It is one more than CourseMax when there are too many to be booked. One statement.
func CourseOf(ctx context.Context, r pg.Reader, offering uuid.UUID) ([]Detail, error) {
	return pg.All[Detail](ctx, r, detailQuery+`oc.offering_id = $2 and oc.series_id is not null and oc.state = 'scheduled'
		and oc.starts_at > $3 order by oc.starts_at, oc.id limit $4`, r.Business(), offering, r.Now(), CourseMax+1)
}

// CourseInShort reads the summary of a course, in one statement.
func CourseInShort(ctx context.Context, r pg.Reader, offering uuid.UUID) (Course, error) {
	return pg.One[Course](ctx, r, `select count(*) filter (where ahead) as dates, count(*) as total, min(starts_at) filter (where ahead) as first,
			max(starts_at) filter (where ahead) as last, greatest(coalesce(min(spots) filter (where ahead), 0), 0) as spots
		from (select starts_at, starts_at > $3 as ahead, least(capacity - taken, online_capacity - taken_online) - offered as spots
			from occurrences where business_id = $1 and offering_id = $2 and series_id is not null and state = 'scheduled') d`,
		r.Business(), offering, r.Now())
}
