package availability

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// standing is a scheduled occurrence that has not ended.
type standing struct {
	ID               uuid.UUID
	OfSeries         bool // a date of a class
	StartsAt, EndsAt time.Time
}

// longest is the length of the longest occurrence: one that begins earlier than this before a time has ended by then.
const longest = 24 * time.Hour

// standings reads the occurrences that have not ended and touch [from, to), by start. more narrows it down, with $6
// and on as args.
func standings(ctx context.Context, tx *pg.Tx, from, to time.Time, more string, args ...any) ([]standing, error) {
	args = append([]any{tx.Business(), from, to, from.Add(-longest), tx.Now()}, args...)
	return pg.All[standing](ctx, tx, `select oc.id, oc.series_id is not null as of_series, oc.starts_at, oc.ends_at
		from locations l join occurrences oc on oc.business_id = l.business_id and oc.location_id = l.id
		where l.business_id = $1 and oc.starts_at < $3 and oc.starts_at > $4 and oc.ends_at > $2 and oc.ends_at > $5
			and oc.state = 'scheduled' and `+more+`
		order by oc.starts_at, oc.id`, args...)
}

// inSpace selects occurrences at location $6 in space $7, in a whole it is a part of, or in a part of it.
const inSpace = `l.id = $6 and oc.space_id in (
	with recursive up as (
		select id, parent_id from spaces where business_id = $1 and id = $7
		union select s.id, s.parent_id from up join spaces s on s.business_id = $1 and s.id = up.parent_id
	), down as (
		select id from spaces where business_id = $1 and id = $7
		union select s.id from down join spaces s on s.business_id = $1 and s.parent_id = down.id
	)
	select id from up union select id from down)`
