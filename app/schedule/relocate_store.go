package schedule

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/civil"
	"foyer/app/pg"
)

// DeferredTx defers the check of references to dates until the transaction ends.
func DeferredTx(ctx context.Context, tx *pg.Tx) error {
	_, err := tx.Exec(ctx, "set constraints bookings_occurrence_fkey, waitlist_entries_occurrence_fkey deferred")
	return err
}

// DatesAhead lists the dates of offerings that have not begun, cancelled or not, in the order of their ids, with the
// times of appointments and rentals.
func DatesAhead(ctx context.Context, r pg.Reader, offerings []uuid.UUID) ([]uuid.UUID, error) {
	return pg.All[uuid.UUID](ctx, r, `select id from occurrences where business_id = $1 and offering_id = any($2) and starts_at > $3 order by id`,
		r.Business(), offerings, r.Now())
}

// lockSeriesOf locks the series of offerings that have a date ahead or may give one, in the order of their ids.
func lockSeriesOf(ctx context.Context, tx *pg.Tx, offerings map[uuid.UUID]uuid.UUID) ([]Series, error) {
	return pg.All[Series](ctx, tx, `select `+seriesColumns+seriesFrom+`where se.business_id = $1 and se.offering_id = any($2)
			and (se.due_at is not null or exists (select from occurrences o where o.business_id = $1 and o.series_id = se.id and o.starts_at > $3))
		order by se.id for update of se`, tx.Business(), slices.Collect(maps.Keys(offerings)), tx.Now())
}

func relocating(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) ([]relocated, error) {
	return pg.All[relocated](ctx, tx, `select id, offering_id, series_id, rule_date, space_id from occurrences
		where business_id = $1 and id = any($2) order by id`, tx.Business(), dates)
}

// begunEarly lists the days of a series' rule after today whose dates were rescheduled to an earlier time by hand,
// and have begun.
func begunEarly(ctx context.Context, tx *pg.Tx, series uuid.UUID, today civil.Date) ([]civil.Date, error) {
	return pg.All[civil.Date](ctx, tx, `select rule_date from occurrences
		where business_id = $1 and series_id = $2 and starts_at <= $3 and rule_date > $4 order by rule_date`, tx.Business(), series, tx.Now(), today)
}

// relocateDates puts dates at another location, with their offerings and series there.
func relocateDates(ctx context.Context, tx *pg.Tx, m catalog.GoingOn, dates []relocated, series map[uuid.UUID]uuid.UUID) error {
	n := len(dates)
	ids, offerings, in, spaces := make([]uuid.UUID, n), make([]uuid.UUID, n), make([]*uuid.UUID, n), make([]*uuid.UUID, n)
	for i, d := range dates {
		ids[i], offerings[i], spaces[i] = d.ID, m.Offerings[d.OfferingID], spaceOf(m, d.SpaceID)
		if d.SeriesID != nil {
			in[i] = new(series[*d.SeriesID])
		}
	}
	changed, err := tx.Exec(ctx, `update occurrences o set location_id = $6, offering_id = x.offering_id, series_id = x.series_id,
			space_id = x.space_id, version = o.version + 1, updated_at = $7
		from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[]) as x (id, offering_id, series_id, space_id)
		where o.business_id = $1 and o.id = x.id`, tx.Business(), ids, offerings, in, spaces, m.To.ID, tx.Now())
	return allOf(n, changed, err)
}
