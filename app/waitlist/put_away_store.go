package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/pg"
)

// ahead counts what is still to come of an offering, and finds the dates that somebody waits for.
func ahead(ctx context.Context, tx *pg.Tx, offering uuid.UUID) (catalog.Ahead, []uuid.UUID, error) {
	type row struct {
		Bookings, Dates, Waiting int
		Awaited                  []uuid.UUID
	}
	r, err := pg.One[row](ctx, tx, `with d as (
			select id, series_id, state from occurrences where business_id = $1 and offering_id = $2 and starts_at > $3
		), w as (
			select e.occurrence_id from waitlist_entries e join d on d.id = e.occurrence_id
			where e.business_id = $1 and e.state in `+onList+`
		)
		select (select count(*) from bookings b join d on d.id = b.occurrence_id where b.business_id = $1 and b.state in `+booking.Standing+`) as bookings,
			(select count(*) from d where series_id is not null and state = 'scheduled') as dates,
			(select count(*) from w) as waiting, array(select distinct occurrence_id from w) as awaited`,
		tx.Business(), offering, tx.Now())
	return catalog.Ahead{Bookings: r.Bookings, Dates: r.Dates, Waiting: r.Waiting}, r.Awaited, err
}
