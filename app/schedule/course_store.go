package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// CourseOf returns the dates of a course that are still to come, in the order of their start: what somebody gets who joins
// now. It is one more than CourseMax when there are too many to be booked. One statement.
func CourseOf(ctx context.Context, r pg.Reader, offering uuid.UUID) ([]Detail, error) {
	return pg.All[Detail](ctx, r, detailQuery+`oc.offering_id = $2 and oc.series_id is not null and oc.state = 'scheduled'
		and oc.starts_at > $3 order by oc.starts_at, oc.id limit $4`, r.Business(), offering, r.Now(), CourseMax+1)
}

// CourseInShort sums up a course, in one statement.
func CourseInShort(ctx context.Context, r pg.Reader, offering uuid.UUID) (Course, error) {
	return pg.One[Course](ctx, r, `select count(*) filter (where ahead) as dates, count(*) as total, min(starts_at) filter (where ahead) as first,
			max(starts_at) filter (where ahead) as last, greatest(coalesce(min(spots) filter (where ahead), 0), 0) as spots
		from (select starts_at, starts_at > $3 as ahead, least(capacity - taken, online_capacity - taken_online) - offered as spots
			from occurrences where business_id = $1 and offering_id = $2 and series_id is not null and state = 'scheduled') d`,
		r.Business(), offering, r.Now())
}

// lockCourse reads the series of an offering and locks their rows, in the order of their ids.
func lockCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) ([]Series, error) {
	return pg.All[Series](ctx, tx, `select `+announced+seriesFrom+
		`where se.business_id = $1 and se.offering_id = $2 order by se.id for update of se`, tx.Business(), offering)
}
