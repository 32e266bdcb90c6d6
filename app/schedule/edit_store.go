package schedule

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"

	"foyer/app/paging"
	"foyer/app/pg"
)

const writtenColumns = `oc.id, oc.series_id, oc.rule_date, oc.local_date, oc.starts_at, oc.ends_at, oc.member_id, oc.space_id, oc.state,
	oc.capacity, oc.online_capacity, oc.taken, oc.offered, oc.overrides, oc.cancel_reason, oc.version, to_jsonb(oc) as row`

// seriesDates reads the dates of a series in an edit, and locks them in the order of their ids when lock is set:
// those of the rule from cut on, and the upcoming ones.
func seriesDates(ctx context.Context, tx *pg.Tx, e edit, lock string) ([]written, error) {
	return pg.All[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.offering_id = $2 and oc.series_id = $3 and (oc.rule_date >= $4 or oc.starts_at > $5)
		order by oc.id`+lock, tx.Business(), e.before.OfferingID, e.before.ID, e.cut, tx.Now())
}

// oneDateSQL reads dates of an offering's series: of business $1 and offering $2.
var oneDateSQL = `select ` + writtenColumns + `, oc.offering_id, o.state as offering_state, oc.location_id, l.zone, instructors.person_id
	from occurrences oc join offerings o on o.business_id = oc.business_id and o.id = oc.offering_id
	join locations l on l.business_id = oc.business_id and l.id = oc.location_id` + InstructorJoinSQL("oc.business_id", "oc.member_id") + `
	where oc.business_id = $1 and oc.offering_id = $2 and oc.series_id is not null`

// dateOf reads a date of an offering's series. A time of an appointment or rental is not found.
func dateOf(ctx context.Context, tx *pg.Tx, of dateRef) (oneDate, error) {
	return pg.Found(pg.One[oneDate](ctx, tx, oneDateSQL+` and oc.id = $3`, tx.Business(), of.offering, of.occurrence))
}

func lockDate(ctx context.Context, tx *pg.Tx, id uuid.UUID) (written, error) {
	return pg.One[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.id = $2 for no key update`, tx.Business(), id)
}

// datesOf reads dates of an offering's series.
func datesOf(ctx context.Context, tx *pg.Tx, offering uuid.UUID, ids []uuid.UUID) ([]oneDate, error) {
	return pg.All[oneDate](ctx, tx, oneDateSQL+` and oc.id = any($3)`, tx.Business(), offering, ids)
}

// lockDates locks dates in the order of their ids.
func lockDates(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) ([]written, error) {
	return pg.All[written](ctx, tx, `select `+writtenColumns+` from occurrences oc
		where oc.business_id = $1 and oc.id = any($2) order by oc.id for no key update`, tx.Business(), ids)
}

// parked is the number of days by which a rule date is shifted back while another one takes its position.
const parked = 200_000

// saveDates writes the dates of an edit: in one statement, unless a removed date has to make room.
func saveDates(ctx context.Context, tx *pg.Tx, target Series, w work) error {
	if err := park(ctx, tx, idsOf(w.displaced)); err != nil {
		return err
	}
	if err := updateDates(ctx, tx, w.steps); err != nil {
		return err
	}
	if err := updateDates(ctx, tx, w.displaced); err != nil {
		return err
	}
	return insertDates(ctx, tx, target, w.insert)
}

func idsOf(steps []step) []uuid.UUID {
	ids := make([]uuid.UUID, len(steps))
	for i, st := range steps {
		ids[i] = st.was.ID
	}
	return ids
}

// park shifts the rule dates of some dates out of the way.
func park(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := tx.Exec(ctx, `update occurrences set rule_date = rule_date - $3::int where business_id = $1 and id = any($2)`,
		tx.Business(), ids, parked)
	return err
}

// updateDates writes dates as they are to be, in one statement. It does not touch seats.
func updateDates(ctx context.Context, tx *pg.Tx, steps []step) error {
	if len(steps) == 0 {
		return nil
	}
	rows := make([]written, len(steps))
	for i, st := range steps {
		rows[i] = st.is
	}
	_, err := tx.Exec(ctx, `update occurrences o set series_id = d.series_id, rule_date = d.rule_date, local_date = d.local_date,
			starts_at = d.starts_at, ends_at = d.ends_at, member_id = d.member_id, space_id = d.space_id, state = d.state,
			capacity = d.capacity, online_capacity = d.online_capacity, overrides = coalesce(d.overrides, '[]'),
			cancel_reason = d.cancel_reason, version = d.version, updated_at = $3
		from jsonb_to_recordset($2::jsonb) as d (id uuid, series_id uuid, rule_date date, local_date date, starts_at timestamptz,
			ends_at timestamptz, member_id uuid, space_id uuid, state varchar, capacity integer, online_capacity integer,
			overrides jsonb, cancel_reason varchar, version bigint)
		where o.business_id = $1 and o.id = d.id`, tx.Business(), rows, tx.Now())
	return err
}

func rawSeries(ctx context.Context, tx *pg.Tx, id uuid.UUID) ([]json.RawMessage, error) {
	return pg.All[json.RawMessage](ctx, tx, `select to_jsonb(s) from series s where business_id = $1 and id = $2`, tx.Business(), id)
}

// versionRow is the version of a series or a date.
type versionRow struct {
	ID      uuid.UUID
	Version int64
}

// undoneVersions returns the versions of undone edits of a series: by id of series and date.
func undoneVersions(ctx context.Context, tx *pg.Tx, series uuid.UUID) (map[uuid.UUID]int64, error) {
	rows, err := pg.All[versionRow](ctx, tx, `select v.key::uuid as id, max(v.value::bigint) as version
		from series_edits e, lateral (select * from jsonb_each_text(e.after -> 'series')
			union all select * from jsonb_each_text(e.after -> 'dates')) v
		where e.business_id = $1 and e.series_id = $2 and e.undone_at is not null group by v.key`, tx.Business(), series)
	out := map[uuid.UUID]int64{}
	for _, r := range rows {
		out[r.ID] = r.Version
	}
	return out, err
}

// undoFor is the time for which an edit can be undone.
const undoFor = 24 * time.Hour

// keep records the edit of a series, for UndoEdit and for the list of edits.
func (c *change) keep(ctx context.Context, tx *pg.Tx, of seriesRef) (RecordedEdit, error) {
	e := RecordedEdit{EditID: pg.NewID(), UndoUntil: tx.Now().Add(undoFor), Plan: c.plan}
	c.after.Plan = c.plan
	_, err := tx.Exec(ctx, `insert into series_edits (id, business_id, offering_id, series_id, before, after, created_at, undo_until)
		values ($1, $2, $3, $4, $5, $6, $7, $8)`,
		e.EditID, tx.Business(), of.offering, of.series, c.before, c.after, tx.Now(), e.UndoUntil)
	return e, err
}

// namesOf are the names of members and spaces.
func namesOf(ctx context.Context, tx *pg.Tx, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	type row struct {
		ID   uuid.UUID
		Name string
	}
	rows, err := pg.All[row](ctx, tx, `select id, name from members where business_id = $1 and id = any($2)
		union all select id, name from spaces where business_id = $1 and id = any($2)`, tx.Business(), ids)
	out := map[uuid.UUID]string{}
	for _, r := range rows {
		out[r.ID] = r.Name
	}
	return out, err
}

// waitingFor counts the people on the waitlists of dates.
func waitingFor(ctx context.Context, tx *pg.Tx, dates []uuid.UUID) (int, error) {
	return pg.One[int](ctx, tx, `select count(*) from waitlist_entries
		where business_id = $1 and occurrence_id = any($2) and state in ('waiting', 'offered')`, tx.Business(), dates)
}

func queueEdits(b *pg.Batch, business uuid.UUID, in EditsInput, now time.Time, p *part[Edit]) {
	after := paging.Moment{At: forever}
	if in.Page.After != nil {
		after = *in.Page.After
	}
	var series *uuid.UUID
	if in.SeriesID != uuid.Nil {
		series = &in.SeriesID
	}
	pg.QueueOne(b, &p.location, &p.found, `select location_id from offerings o where business_id = $1 and id = $2
			and ($3::uuid is null or exists (select from series s where s.business_id = $1 and s.offering_id = $2 and s.id = $3))`,
		business, in.OfferingID, series)
	pg.QueueAll(b, &p.rows, `select id, series_id, created_at, undo_until, undone_at,
			undone_at is null and undo_until > @now and (after -> 'plan' -> 'undoable')::boolean as undoable,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'added', 'null'), '[]')) as added,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'removed', 'null'), '[]')) as removed,
			jsonb_array_length(coalesce(nullif(after -> 'plan' -> 'moved', 'null'), '[]')) as moved,
			(after -> 'plan' -> 'changed')::integer as changed, (after -> 'plan' -> 'split')::boolean as split
		from series_edits where business_id = @business and offering_id = @offering and (created_at, id) < (@at, @id)
			and series_id = any(array(select s.id from series s where s.business_id = @business and s.offering_id = @offering and (@series::uuid is null
				or s.id = @series or s.id = (select n.split_from from series n where n.business_id = @business and n.id = @series))))
			and (@series::uuid is null or series_id = @series or after ->> 'split' = @series::text)
			and (@date::uuid is null or after -> 'dates' ? @date::text)
			and (not @undoable or undone_at is null and undo_until > @now and (after -> 'plan' -> 'undoable')::boolean)
		order by created_at desc, id desc limit @most`, pg.Named{
		"business": business, "offering": in.OfferingID, "series": series, "at": after.At, "id": after.ID, "now": now,
		"most": in.Page.Size() + 1, "date": in.OccurrenceID, "undoable": in.Undoable,
	})
}
