package schedule

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/claim"
	"foyer/app/pg"
)

// lockEdit reads an edit of that series and locks it.
func lockEdit(ctx context.Context, tx *pg.Tx, in UndoEditInput) (keptEdit, error) {
	return pg.Found(pg.One[keptEdit](ctx, tx, `select id, series_id, before, before as was, after, created_at, undo_until, undone_at
		from series_edits where business_id = $1 and offering_id = $2 and series_id = $3 and id = $4 for update`,
		tx.Business(), in.OfferingID, in.SeriesID, in.EditID))
}

// lockVersions locks series and refuses when one of them has another version.
func lockVersions(ctx context.Context, tx *pg.Tx, versions map[uuid.UUID]int64) error {
	if len(versions) == 0 {
		return nil
	}
	rows, err := pg.All[versionRow](ctx, tx, `select id, version from series where business_id = $1 and id = any($2) order by id for update`,
		tx.Business(), slices.Collect(maps.Keys(versions)))
	if err != nil {
		return err
	}
	if len(rows) != len(versions) || slices.ContainsFunc(rows, func(r versionRow) bool { return versions[r.ID] != r.Version }) {
		return ErrEditedSince
	}
	return nil
}

// lockTouched locks the dates of an edit: those that it changed, and those that it or, since, the sweep has made in
// its series.
func lockTouched(ctx context.Context, tx *pg.Tx, e keptEdit) ([]written, error) {
	ids := slices.AppendSeq(slices.Clone(e.After.Added), maps.Keys(e.After.Dates))
	series := slices.Collect(maps.Keys(e.After.Series))
	return pg.All[written](ctx, tx, `select `+writtenColumns+` from occurrences oc where oc.business_id = $1
			and (oc.id = any($2) or oc.series_id = any($3) and oc.created_at > $4)
		order by oc.id for no key update`, tx.Business(), ids, series, e.CreatedAt)
}

// restoreRows writes the kept rows back, when the added dates are deleted and the parked ones have made room. A
// split's series is deleted when its dates have left it.
func (e keptEdit) restoreRows(ctx context.Context, tx *pg.Tx, added, parked []uuid.UUID) error {
	if len(added) > 0 {
		_, err := tx.Exec(ctx, `delete from occurrences where business_id = $1 and id = any($2)`, tx.Business(), added)
		if err != nil {
			return err
		}
	}
	if err := park(ctx, tx, parked); err != nil {
		return err
	}
	steps := []struct {
		rows []json.RawMessage
		sql  string
	}{
		{e.Before.Dates, `update occurrences o set (series_id, rule_date, local_date, starts_at, ends_at, member_id, space_id, state,
				capacity, online_capacity, overrides, cancel_reason, version, updated_at) =
				(r.series_id, r.rule_date, r.local_date, r.starts_at, r.ends_at, r.member_id, r.space_id, r.state,
				r.capacity, r.online_capacity, r.overrides, r.cancel_reason, r.version, r.updated_at)
			from jsonb_populate_recordset(null::occurrences, $2::jsonb) r where o.business_id = $1 and o.id = r.id`},
		{e.Before.Series, `update series s set (freq, every, monthly_by, weekdays, starts_on, starts_at_minute, duration_minutes,
				ends_on, max_count, except_dates, extra_dates, zone, member_id, space_id, capacity, online_capacity,
				materialized_to, due_at, ended_at, version, updated_at) =
				(r.freq, r.every, r.monthly_by, r.weekdays, r.starts_on, r.starts_at_minute, r.duration_minutes,
				r.ends_on, r.max_count, r.except_dates, r.extra_dates, r.zone, r.member_id, r.space_id, r.capacity, r.online_capacity,
				r.materialized_to, r.due_at, r.ended_at, r.version, r.updated_at)
			from jsonb_populate_recordset(null::series, $2::jsonb) r where s.business_id = $1 and s.id = r.id`},
	}
	for _, step := range steps {
		if len(step.rows) == 0 {
			continue
		}
		if _, err := tx.Exec(ctx, step.sql, tx.Business(), step.rows); err != nil {
			return err
		}
	}
	if err := claim.RestoreTx(ctx, tx, e.Before.Claims); err != nil || e.After.Split == nil {
		return err
	}
	_, err := tx.Exec(ctx, `delete from series where business_id = $1 and id = $2`, tx.Business(), *e.After.Split)
	return err
}

func markUndone(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	_, err := tx.Exec(ctx, `update series_edits set undone_at = $3 where business_id = $1 and id = $2`, tx.Business(), id, tx.Now())
	return err
}
