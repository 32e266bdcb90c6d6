package schedule

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
)

const writtenColumns = `oc.id, oc.series_id, oc.rule_date, oc.local_date, oc.starts_at, oc.ends_at, oc.member_id, oc.space_id, oc.state,
	oc.capacity, oc.online_capacity, oc.taken, oc.offered, oc.overrides, oc.cancel_reason, oc.version, to_jsonb(oc) as row`

// seriesDates reads the dates of a series that an edit is about, and locks them in the order of their ids when lock says
// so: those of the rule from cut on, and those that are still to come.
func seriesDates(ctx context.Context, tx *pg.Tx, e edit, lock string) ([]written, error) {
	return pg.All[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.offering_id = $2 and oc.series_id = $3 and (oc.rule_date >= $4 or oc.starts_at > $5)
		order by oc.id`+lock, tx.Business(), e.before.OfferingID, e.before.ID, e.cut, tx.Now())
}

// parked is how many days before its own a date's rule date is put while another one takes its place.
const parked = 200_000

// saveDates writes the dates of an edit: in one statement, unless a date that was taken away earlier has to make room.
func saveDates(ctx context.Context, tx *pg.Tx, e edit, w work, versions map[uuid.UUID]int64) error {
	var ids []uuid.UUID
	for _, st := range w.displaced {
		ids = append(ids, st.was.ID)
	}
	if len(ids) > 0 {
		_, err := tx.Exec(ctx, `update occurrences set rule_date = rule_date - $3::int where business_id = $1 and id = any($2)`,
			tx.Business(), ids, parked)
		if err != nil {
			return err
		}
	}
	for _, steps := range [][]step{w.steps, w.displaced} {
		rows := make([]written, len(steps))
		for i, st := range steps {
			rows[i] = st.is
			rows[i].Version = versions[st.is.ID]
		}
		if err := updateDates(ctx, tx, rows); err != nil {
			return err
		}
	}
	return insertDates(ctx, tx, e.target, w.insert)
}

// updateDates writes dates as they are to be, in one statement. Who has a seat is not its business.
func updateDates(ctx context.Context, tx *pg.Tx, rows []written) error {
	if len(rows) == 0 {
		return nil
	}
	for i := range rows {
		if rows[i].Overrides == nil {
			rows[i].Overrides = []Field{}
		}
	}
	body, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `update occurrences o set series_id = d.series_id, rule_date = d.rule_date, local_date = d.local_date,
			starts_at = d.starts_at, ends_at = d.ends_at, member_id = d.member_id, space_id = d.space_id, state = d.state,
			capacity = d.capacity, online_capacity = d.online_capacity, overrides = d.overrides, cancel_reason = d.cancel_reason,
			version = d.version, updated_at = $3
		from jsonb_to_recordset($2::jsonb) as d (id uuid, series_id uuid, rule_date date, local_date date, starts_at timestamptz,
			ends_at timestamptz, member_id uuid, space_id uuid, state varchar, capacity integer, online_capacity integer,
			overrides jsonb, cancel_reason varchar, version bigint)
		where o.business_id = $1 and o.id = d.id`, tx.Business(), string(body), tx.Now())
	return err
}

func rawSeries(ctx context.Context, tx *pg.Tx, id uuid.UUID) ([]json.RawMessage, error) {
	return pg.All[json.RawMessage](ctx, tx, `select to_jsonb(s) from series s where business_id = $1 and id = $2`, tx.Business(), id)
}

// undoneVersions are the versions that edits of a series have given and that were taken back: by id of series and date.
func undoneVersions(ctx context.Context, tx *pg.Tx, series uuid.UUID) (map[uuid.UUID]int64, error) {
	type row struct {
		ID      uuid.UUID
		Version int64
	}
	rows, err := pg.All[row](ctx, tx, `select v.key::uuid as id, max(v.value::bigint) as version
		from series_edits e, lateral (select * from jsonb_each_text(e.after -> 'series')
			union all select * from jsonb_each_text(e.after -> 'dates')) v
		where e.business_id = $1 and e.series_id = $2 and e.undone_at is not null group by v.key`, tx.Business(), series)
	out := map[uuid.UUID]int64{}
	for _, r := range rows {
		out[r.ID] = r.Version
	}
	return out, err
}

// insert writes down what the edit was, for Undo and for the list of edits.
func (k *keeping) insert(ctx context.Context, tx *pg.Tx, e Edited) error {
	k.after.Plan = e.Plan
	slices.SortFunc(k.after.Added, func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) })
	before, err := json.Marshal(k.before)
	if err != nil {
		return err
	}
	after, err := json.Marshal(k.after)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `insert into series_edits (id, business_id, offering_id, series_id, before, after, created_at, undo_until)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		e.EditID, tx.Business(), k.series.OfferingID, k.series.ID, string(before), string(after), tx.Now(), e.UndoUntil)
	return err
}

// listEdits reads a part of the edits of a series, the newest first, and finds the location that it is at.
func listEdits(ctx context.Context, v *pg.View, in EditsInput, limit int) (rows []Edit, location uuid.UUID, found bool, err error) {
	after := EditKey{CreatedAt: forever}
	if in.After != nil {
		after = *in.After
	}
	b := v.Batch()
	pg.QueueOne(b, &location, &found, `select location_id from series where business_id = $1 and offering_id = $2 and id = $3`,
		v.Business(), in.OfferingID, in.SeriesID)
	pg.QueueAll(b, &rows, `select id, series_id, created_at, undo_until, undone_at,
			undone_at is null and undo_until > $6 and (after -> 'plan' -> 'undoable')::boolean as undoable,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'added', 'null'), '[]')) as added,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'removed', 'null'), '[]')) as removed,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'moved', 'null'), '[]')) as moved,
			(after -> 'plan' -> 'changed')::integer as changed, (after -> 'plan' -> 'split')::boolean as split
		from series_edits where business_id = $1 and offering_id = $2 and series_id = $3 and (created_at, id) < ($4, $5)
		order by created_at desc, id desc limit $7`,
		v.Business(), in.OfferingID, in.SeriesID, after.CreatedAt, after.ID, v.Now(), limit)
	return rows, location, found, b.Send(ctx)
}
