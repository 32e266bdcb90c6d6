package schedule

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// courseDates reads the dates of an offering's series that are still to come.
func courseDates(ctx context.Context, r pg.Reader, offering uuid.UUID) ([]Detail, error) {
	return pg.All[Detail](ctx, r, slotQuery+`oc.offering_id = $2 and oc.series_id is not null and oc.state = 'scheduled'
		and oc.starts_at > $3 order by oc.starts_at, oc.id limit $4`, r.Business(), offering, r.Now(), CourseMax+1)
}

func courseInShort(ctx context.Context, r pg.Reader, offering uuid.UUID) (Course, error) {
	type row struct {
		Dates, Total, Spots int
		First, Last         *time.Time
	}
	c, err := pg.One[row](ctx, r, `select count(*) filter (where ahead) as dates, count(*) as total, min(starts_at) filter (where ahead) as first,
			max(starts_at) filter (where ahead) as last, greatest(coalesce(min(spots) filter (where ahead), 0), 0) as spots
		from (select starts_at, starts_at > $3 as ahead, least(capacity - taken, online_capacity - taken_online) - offered as spots
			from occurrences where business_id = $1 and offering_id = $2 and series_id is not null and state = 'scheduled') d`,
		r.Business(), offering, r.Now())
	out := Course{Dates: c.Dates, Total: c.Total, Spots: c.Spots}
	if c.First != nil {
		out.First, out.Last = c.First.UTC(), c.Last.UTC()
	}
	return out, err
}

// lockCourse reads the series of an offering and locks their rows, in the order of their ids. A member who has left is not
// put on new dates.
func lockCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) ([]Series, error) {
	type row struct {
		seriesRow
		Gone bool
	}
	rows, err := pg.All[row](ctx, tx, `select `+seriesColumns+`, m.deactivated_at is not null as gone`+seriesFrom+
		`where se.business_id = $1 and se.offering_id = $2 order by se.id for update of se`, tx.Business(), offering)
	out := make([]Series, len(rows))
	for i, r := range rows {
		if out[i] = r.series(); r.Gone {
			out[i].MemberID = nil
		}
	}
	return out, err
}
