package schedule

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/ent/series"
)

const seriesColumns = `se.id, se.offering_id, se.location_id, se.weekdays, se.starts_on, se.starts_at_minute,
	se.duration_minutes, se.ends_on, se.max_count, se.except_dates, se.zone, se.member_id, coalesce(m.name, '') as instructor,
	se.space_id, coalesce(s.name, '') as space, se.capacity, se.online_capacity, se.materialized_to, se.due_at, se.version,
	se.created_at, se.updated_at`

const seriesFrom = ` from series se
	left join members m on m.business_id = se.business_id and m.id = se.member_id
	left join spaces s on s.business_id = se.business_id and s.id = se.space_id `

// seriesRow is a series as the table keeps it.
type seriesRow struct {
	ID, OfferingID, LocationID uuid.UUID
	Weekdays                   string
	StartsOn                   Date
	StartsAtMinute             int
	DurationMinutes            int
	EndsOn                     *Date
	MaxCount                   *int
	ExceptDates                []Date
	Zone                       string
	MemberID                   *uuid.UUID
	Instructor                 string
	SpaceID                    *uuid.UUID
	Space                      string
	Capacity, OnlineCapacity   int
	MaterializedTo             *Date
	DueAt                      *time.Time
	Version                    int64
	CreatedAt, UpdatedAt       time.Time
}

func (r seriesRow) series() Series {
	return Series{
		ID: r.ID, OfferingID: r.OfferingID, LocationID: r.LocationID, Zone: r.Zone,
		Rule: Rule{
			Weekdays: weekdaysOf(r.Weekdays), Start: r.StartsOn, At: Clock(r.StartsAtMinute), Minutes: r.DurationMinutes,
			Until: r.EndsOn, Count: r.MaxCount, Except: r.ExceptDates,
		},
		MemberID: r.MemberID, Instructor: r.Instructor, SpaceID: r.SpaceID, Space: r.Space,
		Capacity: r.Capacity, OnlineCapacity: r.OnlineCapacity, WrittenTo: r.MaterializedTo, DueAt: r.DueAt,
		Version: r.Version, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt,
	}
}

// byday are the days of RFC 5545, in the order of time.Weekday.
var byday = []string{"SU", "MO", "TU", "WE", "TH", "FR", "SA"}

func weekdaysOf(text string) []time.Weekday {
	var days []time.Weekday
	for code := range strings.SplitSeq(text, ",") {
		days = append(days, time.Weekday(slices.Index(byday, code)))
	}
	return days
}

func weekdaysText(days []time.Weekday) string {
	codes := make([]string, len(days))
	for i, d := range days {
		codes[i] = byday[d]
	}
	return strings.Join(codes, ",")
}

func dateTexts(dates []Date) []string {
	out := make([]string, len(dates))
	for i, d := range dates {
		out[i] = d.String()
	}
	return out
}

// groundOf reads what a new series stands on. The rows of the offering and the location are locked against a change:
// neither they nor the space are archived meanwhile (business.ArchiveSpace takes the location's row).
func groundOf(ctx context.Context, tx *pg.Tx, in CreateSeriesInput) (ground, error) {
	g, err := pg.One[ground](ctx, tx, `select o.location_id, o.kind, o.state, o.duration_minutes, o.capacity, o.online_capacity,
			l.zone, l.archived_at is not null as location_archived, m.name as instructor, s.name as space, s.capacity as space_capacity
		from offerings o
		join locations l on l.business_id = o.business_id and l.id = o.location_id
		left join members m on m.business_id = o.business_id and m.id = $3 and m.deactivated_at is null
		left join spaces s on s.business_id = o.business_id and s.location_id = o.location_id and s.id = $4 and s.archived_at is null
		where o.business_id = $1 and o.id = $2 for share of o, l`, tx.Business(), in.OfferingID, in.MemberID, in.SpaceID)
	if errors.Is(err, pg.ErrNoRow) {
		return ground{}, fault.Missing()
	}
	return g, err
}

// insertSeries writes a series without its dates.
func insertSeries(ctx context.Context, tx *pg.Tx, s Series) error {
	c := tx.Ent().Series.Create().SetID(s.ID).SetBusinessID(tx.Business()).SetLocationID(s.LocationID).SetOfferingID(s.OfferingID).
		SetWeekdays(weekdaysText(s.Rule.Weekdays)).SetStartsOn(s.Rule.Start.utc()).SetStartsAtMinute(int(s.Rule.At)).
		SetDurationMinutes(s.Rule.Minutes).SetNillableMaxCount(s.Rule.Count).SetExceptDates(dateTexts(s.Rule.Except)).
		SetZone(s.Zone).SetNillableMemberID(s.MemberID).SetNillableSpaceID(s.SpaceID).SetCapacity(s.Capacity).
		SetOnlineCapacity(s.OnlineCapacity).SetNillableDueAt(s.DueAt).SetVersion(s.Version).
		SetCreatedAt(s.CreatedAt).SetUpdatedAt(s.UpdatedAt)
	if s.Rule.Until != nil {
		c.SetEndsOn(s.Rule.Until.utc())
	}
	if s.WrittenTo != nil {
		c.SetMaterializedTo(s.WrittenTo.utc())
	}
	return c.Exec(ctx)
}

func listSeries(ctx context.Context, v *pg.View, in SeriesOfInput, limit int) (list []Series, location uuid.UUID, found bool, err error) {
	var after SeriesKey
	if in.After != nil {
		after = *in.After
	} else {
		after.Start = Date{1, 1, 1}
	}
	var rows []seriesRow
	b := v.Batch()
	pg.QueueOne(b, &location, &found, `select location_id from offerings where business_id = $1 and id = $2`, v.Business(), in.OfferingID)
	pg.QueueAll(b, &rows, `select `+seriesColumns+seriesFrom+`where se.business_id = $1 and se.offering_id = $2
			and (se.starts_on, se.id) > ($3, $4) order by se.starts_on, se.id limit $5`,
		v.Business(), in.OfferingID, after.Start, after.ID, limit)
	err = b.Send(ctx)
	for _, r := range rows {
		list = append(list, r.series())
	}
	return list, location, found, err
}

// lockSeries reads a series of that offering and locks its row.
func lockSeries(ctx context.Context, tx *pg.Tx, offering, id uuid.UUID) (Series, error) {
	r, err := pg.One[seriesRow](ctx, tx, `select `+seriesColumns+seriesFrom+
		`where se.business_id = $1 and se.offering_id = $2 and se.id = $3 for update of se`, tx.Business(), offering, id)
	if errors.Is(err, pg.ErrNoRow) {
		return Series{}, fault.Missing()
	}
	return r.series(), err
}

// saveEnd writes the new end of a series as its next version.
func saveEnd(ctx context.Context, tx *pg.Tx, s *Series) error {
	u := tx.Ent().Series.Update().Where(series.ID(s.ID), series.BusinessID(tx.Business())).
		SetEndsOn(s.Rule.Until.utc()).ClearMaxCount().AddVersion(1).SetUpdatedAt(tx.Now())
	if s.DueAt == nil {
		u.ClearDueAt()
	} else {
		u.SetDueAt(*s.DueAt)
	}
	if err := u.Exec(ctx); err != nil {
		return err
	}
	s.Version++
	s.UpdatedAt = tx.Now()
	return nil
}

type dueRow struct{ BusinessID, ID uuid.UUID }

// dueSeries finds series of all businesses whose next dates are to be written.
func dueSeries(ctx context.Context, v *pg.View, most int) ([]dueRow, error) {
	return pg.All[dueRow](ctx, v, `select business_id, id from app.due_series($1, $2)`, v.Now(), most)
}

// lockDue takes a due series; ok is false when another worker has it or has done it. A member who has left is not put on
// new dates. Resting means that the offering is archived.
func lockDue(ctx context.Context, tx *pg.Tx, id uuid.UUID) (s Series, resting, ok bool, err error) {
	type row struct {
		seriesRow
		Gone  bool
		State catalog.State
	}
	r, err := pg.One[row](ctx, tx, `select `+seriesColumns+`, m.deactivated_at is not null as gone, o.state`+seriesFrom+`
		join offerings o on o.business_id = se.business_id and o.id = se.offering_id
		where se.business_id = $1 and se.id = $2 and se.due_at <= $3 for update of se skip locked`, tx.Business(), id, tx.Now())
	if errors.Is(err, pg.ErrNoRow) {
		return Series{}, false, false, nil
	}
	s = r.series()
	if r.Gone {
		s.MemberID = nil
	}
	return s, r.State == catalog.Archived, err == nil, err
}

// saveHorizon notes how far a series is written. It is no edit: the version stays.
func saveHorizon(ctx context.Context, tx *pg.Tx, id uuid.UUID, h horizon) error {
	u := tx.Ent().Series.Update().Where(series.ID(id), series.BusinessID(tx.Business())).SetMaterializedTo(h.to.utc())
	if h.due == nil {
		u.ClearDueAt()
	} else {
		u.SetDueAt(*h.due)
	}
	return u.Exec(ctx)
}

// postpone looks at a series again later.
func postpone(ctx context.Context, tx *pg.Tx, id uuid.UUID, at time.Time) error {
	return tx.Ent().Series.Update().Where(series.ID(id), series.BusinessID(tx.Business())).SetDueAt(at).Exec(ctx)
}
