package schedule

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// dateOf reads a date of an offering's series. A time of an appointment or rental is not found.
func dateOf(ctx context.Context, tx *pg.Tx, of dateRef) (oneDate, error) {
	return pg.Found(pg.One[oneDate](ctx, tx, `select `+writtenColumns+`, oc.offering_id, o.state as offering_state, oc.location_id, l.zone,
			m.person_id
		from occurrences oc join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id
		join locations l on l.business_id = oc.business_id and l.id = oc.location_id
		left join members m on m.business_id = oc.business_id and m.id = oc.member_id
		where oc.business_id = $1 and oc.offering_id = $2 and oc.id = $3 and oc.series_id is not null`,
		tx.Business(), of.offering, of.occurrence))
}

func lockDate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (written, error) {
	return pg.One[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.id = $2 for no key update`, tx.Business(), id)
}

func occurrenceByID(ctx context.Context, tx *pg.Tx, id uuid.UUID) (Occurrence, error) {
	return pg.One[Occurrence](ctx, tx, `select `+occurrenceColumns+occurrenceFrom+`where oc.business_id = $1 and oc.id = $2`,
		tx.Business(), id)
}

// waitingFor counts the people on the waitlists of dates.
func waitingFor(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from waitlist_entries
		where business_id = $1 and occurrence_id = any($2) and state in ('waiting', 'offered')`, tx.Business(), dates)
}
