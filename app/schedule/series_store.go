package schedule

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/pg"
	"foyer/ent/series"
)

var seriesColumns = `se.id, se.offering_id, se.location_id, se.weekdays, se.starts_on as start, se.starts_at_minute as at,
	se.duration_minutes as minutes, se.ends_on as until, se.max_count as count, nullif(se.except_dates, '[]') as except, se.zone, se.member_id,
	se.space_id, ` + InstructorAndSpaceSQL + `, se.capacity, se.online_capacity,
	se.materialized_to as written_to, se.due_at, se.freq, se.every, se.monthly_by, nullif(se.extra_dates, '[]') as extra, se.split_from,
	se.ended_at, se.version, se.created_at, se.updated_at`

// announced are the columns of a series that gets new dates: a former member is not put on them.
var announced = strings.Replace(seriesColumns, "se.member_id,", "case when instructors.deactivated_at is null then se.member_id end as member_id,", 1)

var seriesFrom = ` from series se` + InstructorAndSpaceJoinSQL("se.business_id", "se") + ` `

// byday are the days of RFC 5545, in the order of time.Weekday.
var byday = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

// Scan reads the output of weekdaysText.
func (w *Weekdays) Scan(v any) error {
	*w = nil
	for code := range strings.FieldsFuncSeq(fmt.Sprint(v), func(r rune) bool { return r == ',' }) {
		*w = append(*w, time.Weekday(slices.Index(byday, code)))
	}
	return nil
}

func weekdaysText(days []time.Weekday) string {
	codes := make([]string, len(days))
	for i, d := range days {
		codes[i] = byday[d]
	}
	return strings.Join(codes, ",")
}

func dateTexts(dates []civil.Date) []string {
	out := make([]string, len(dates))
	for i, d := range dates {
		out[i] = d.String()
	}
	return out
}

// groundOf reads the ground of a new series. The rows of the offering and the location are locked against a change:
// neither they nor the space are archived meanwhile (business.ArchiveSpace locks the location's row). A former member
// or an archived space may not be announced: unlike in InstructorAndSpaceJoinSQL, they are not found.
func groundOf(ctx context.Context, tx *pg.Tx, in CreateSeriesInput) (ground, error) {
	return pg.Found(pg.One[ground](ctx, tx, `select o.location_id, o.kind, o.state, o.enrolment = 'series' as course, o.duration_minutes, o.capacity, o.online_capacity,
			l.zone, l.archived_at is not null as location_archived, m.name as instructor, s.name as space, s.capacity as space_capacity
		from offerings o
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		left join members m on m.business_id = o.business_id and m.id = $3 and m.deactivated_at is null
		left join spaces s on s.business_id = o.business_id and s.location_id = o.location_id and s.id = $4 and s.archived_at is null
		where o.business_id = $1 and o.id = $2 for share of o, l`, tx.Business(), in.OfferingID, in.MemberID, in.SpaceID))
}

// insertSeries writes a series without its dates.
func insertSeries(ctx context.Context, tx *pg.Tx, s Series) error {
	c := tx.Ent().Series.Create().SetID(s.ID).SetBusinessID(tx.Business()).SetLocationID(s.LocationID).SetOfferingID(s.OfferingID).
		SetFreq(string(s.Rule.Freq)).SetEvery(s.Rule.Every).SetMonthlyBy(string(s.Rule.MonthlyBy)).
		SetWeekdays(weekdaysText(s.Rule.Weekdays)).SetStartsOn(s.Rule.Start.Utc()).SetStartsAtMinute(int(s.Rule.At)).
		SetDurationMinutes(s.Rule.Minutes).SetNillableEndsOn(utcOf(s.Rule.Until)).SetNillableMaxCount(s.Rule.Count).
		SetExceptDates(dateTexts(s.Rule.Except)).SetExtraDates(dateTexts(s.Rule.Extra)).
		SetZone(s.Zone).SetNillableMemberID(s.MemberID).SetNillableSpaceID(s.SpaceID).SetCapacity(s.Capacity).
		SetOnlineCapacity(s.OnlineCapacity).SetNillableMaterializedTo(utcOf(s.WrittenTo)).SetNillableDueAt(s.DueAt).
		SetNillableSplitFrom(s.SplitFrom).SetNillableEndedAt(s.EndedAt).SetVersion(s.Version).
		SetCreatedAt(s.CreatedAt).SetUpdatedAt(s.UpdatedAt)
	return c.Exec(ctx)
}

// saveSeries writes everything of a series that an edit can change.
func saveSeries(ctx context.Context, tx *pg.Tx, s Series) error {
	_, err := tx.Exec(ctx, `update series set freq = @freq, every = @every, monthly_by = @monthly_by, weekdays = @weekdays,
			starts_on = @start, starts_at_minute = @at, duration_minutes = @minutes, ends_on = @until, max_count = @count,
			except_dates = @except, extra_dates = @extra, member_id = @member_id, space_id = @space_id, capacity = @capacity,
			online_capacity = @online_capacity, materialized_to = @written_to, due_at = @due_at, ended_at = @ended_at,
			version = @version, updated_at = @updated_at
		where business_id = @business and id = @id`, pg.Named{
		"business": tx.Business(), "id": s.ID, "freq": s.Rule.Freq, "every": s.Rule.Every, "monthly_by": s.Rule.MonthlyBy,
		"weekdays": weekdaysText(s.Rule.Weekdays), "start": s.Rule.Start, "at": int(s.Rule.At), "minutes": s.Rule.Minutes,
		"until": s.Rule.Until, "count": s.Rule.Count, "except": dateTexts(s.Rule.Except), "extra": dateTexts(s.Rule.Extra),
		"member_id": s.MemberID, "space_id": s.SpaceID, "capacity": s.Capacity, "online_capacity": s.OnlineCapacity,
		"written_to": s.WrittenTo, "due_at": s.DueAt, "ended_at": s.EndedAt, "version": s.Version, "updated_at": s.UpdatedAt,
	})
	return err
}

// utcOf is how ent takes a date.
func utcOf(d *civil.Date) *time.Time {
	if d == nil {
		return nil
	}
	at := d.Utc()
	return &at
}

func queueSeries(b *pg.Batch, business uuid.UUID, in SeriesOfInput, p *part[Series]) {
	after := SeriesKey{Start: civil.NewDate(1, 1, 1)}
	if in.Page.After != nil {
		after = *in.Page.After
	}
	pg.QueueOne(b, &p.location, &p.found, `select location_id from offerings where business_id = $1 and id = $2`, business, in.OfferingID)
	pg.QueueAll(b, &p.rows, `select `+seriesColumns+seriesFrom+`where se.business_id = $1 and se.offering_id = $2
			and (se.starts_on, se.id) > ($3, $4) order by se.starts_on, se.id limit $5`,
		business, in.OfferingID, after.Start, after.ID, in.Page.Size()+1)
}

// lockSeries reads a series of that offering and locks its row.
func lockSeries(ctx context.Context, tx *pg.Tx, of seriesRef) (Series, error) {
	return pg.Found(pg.One[Series](ctx, tx, `select `+seriesColumns+seriesFrom+
		`where se.business_id = $1 and se.offering_id = $2 and se.id = $3 for update of se`, tx.Business(), of.offering, of.series))
}

// lockCourse reads the series of an offering and locks their rows, in the order of their ids.
func lockCourse(ctx context.Context, tx *pg.Tx, offering uuid.UUID) ([]Series, error) {
	return pg.All[Series](ctx, tx, `select `+announced+seriesFrom+
		`where se.business_id = $1 and se.offering_id = $2 order by se.id for update of se`, tx.Business(), offering)
}

// ruleGives reports whether the rule of a series has a date. A concurrent change of the rule reads the date again,
// under its lock.
func ruleGives(ctx context.Context, tx *pg.Tx, series uuid.UUID, on civil.Date) (bool, error) {
	s, err := pg.One[Series](ctx, tx, `select `+seriesColumns+seriesFrom+`where se.business_id = $1 and se.id = $2`, tx.Business(), series)
	next, any := s.Rule.firstAfter(on.AddDays(-1))
	return err == nil && any && next == on, err
}

type dueRow struct{ BusinessID, ID uuid.UUID }

// findDue finds series of all businesses whose next dates are to be written.
func findDue(ctx context.Context, v *pg.View, most int) ([]dueRow, error) {
	return pg.All[dueRow](ctx, v, `select business_id, id from app.due_series($1, $2)`, v.Now(), most)
}

// dueSeries is a series whose next dates are to be written.
type dueSeries struct {
	Series
	Resting bool // its offering or its location is archived, or the business closed
	Course  bool
}

// lockDue takes a due series; ok is false when another worker has it or has done it.
func lockDue(ctx context.Context, tx *pg.Tx, id uuid.UUID) (s dueSeries, ok bool, err error) {
	return pg.Find[dueSeries](ctx, tx, `select `+announced+`, o.state = 'archived' or l.archived_at is not null or b.status = 'closed' as resting,
			o.enrolment = 'series' as course`+seriesFrom+`
		join offerings o on o.business_id = se.business_id and o.id = se.offering_id
		join locations l on l.business_id = se.business_id and l.id = se.location_id
		join businesses b on b.business_id = se.business_id
		where se.business_id = $1 and se.id = $2 and se.due_at <= $3 for update of se skip locked`, tx.Business(), id, tx.Now())
}

// saveHorizon notes how far a series is written. It is no edit: the version stays.
func saveHorizon(ctx context.Context, tx *pg.Tx, id uuid.UUID, h horizon) error {
	u := tx.Ent().Series.Update().Where(series.ID(id), series.BusinessID(tx.Business())).SetMaterializedTo(h.to.Utc())
	if h.due == nil {
		u.ClearDueAt()
	} else {
		u.SetDueAt(*h.due)
	}
	return u.Exec(ctx)
}

// postpone sets the next time for a series.
func postpone(ctx context.Context, tx *pg.Tx, id uuid.UUID, at time.Time) error {
	return tx.Ent().Series.Update().Where(series.ID(id), series.BusinessID(tx.Business())).SetDueAt(at).Exec(ctx)
}
