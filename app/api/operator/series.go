package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/civil"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Series is a recurrence rule that generates the dates of a class, on the location's wall clock.
type Series struct {
	ID             uuid.UUID     `json:"id"`
	OfferingID     uuid.UUID     `json:"offeringId"`
	LocationID     uuid.UUID     `json:"locationId"`
	Freq           schedule.Freq `json:"freq"`
	Every          int           `json:"every" doc:"Interval in days, weeks or months."`
	Weekdays       []int         `json:"weekdays" minimum:"0" maximum:"6" doc:"Weekdays; 0 is Sunday. Empty unless weekly."`
	MonthlyBy      *string       `json:"monthlyBy" doc:"day: the day of the month of start; weekday: the weekday in the month, such as the second Tuesday. Null unless monthly."`
	Start          string        `json:"start" format:"date" doc:"First possible date." example:"2026-09-01"`
	At             string        `json:"at" doc:"Start time." example:"09:30"`
	Minutes        int           `json:"minutes" doc:"Length in minutes."`
	Until          *string       `json:"until" format:"date" doc:"Last possible date; null if the series does not end."`
	Count          *int          `json:"count" doc:"Number of dates, including excluded ones."`
	Except         []string      `json:"except" format:"date" doc:"Excluded dates." example:"2026-12-25"`
	ExtraDates     []string      `json:"extraDates" format:"date" doc:"Additional dates."`
	Zone           string        `json:"zone"`
	MemberID       *uuid.UUID    `json:"memberId" doc:"The instructor."`
	Instructor     string        `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	SpaceID        *uuid.UUID    `json:"spaceId"`
	Space          string        `json:"space" doc:"Name of the space; empty if none is assigned."`
	Capacity       int           `json:"capacity"`
	OnlineCapacity int           `json:"onlineCapacity" doc:"Seats that can be booked online."`
	WrittenTo      *string       `json:"writtenTo" format:"date" doc:"Dates exist up to this day; later ones are generated over time."`
	SplitFrom      *uuid.UUID    `json:"splitFrom" doc:"The series that this one continues."`
	EndedAt        *time.Time    `json:"endedAt" doc:"When it was ended."`
	Version        int64         `json:"version"`
	CreatedAt      time.Time     `json:"createdAt"`
	UpdatedAt      time.Time     `json:"updatedAt"`
}

type listOfOfferingIn struct {
	OfferingPath
	op.Page
}

type createSeriesIn struct {
	OfferingPath
	Body createSeriesBody
}

type createSeriesBody struct {
	Freq           schedule.Freq          `json:"freq,omitempty" doc:"Frequency. The default is weekly."`
	Every          int                    `json:"every,omitempty" minimum:"1" maximum:"52" doc:"Interval in days, weeks or months. The default is 1."`
	Weekdays       []int                  `json:"weekdays,omitempty" minimum:"0" maximum:"6" minItems:"1" maxItems:"7" uniqueItems:"true" doc:"For a weekly rule: weekdays, 0 is Sunday and 6 is Saturday." example:"[1,4]"`
	MonthlyBy      schedule.MonthlyBy     `json:"monthlyBy,omitempty" doc:"For a monthly rule: the day of the month of start, or the weekday in the month. Months without such a day are skipped."`
	Start          civil.Date             `json:"start" format:"date" doc:"First possible date. It need not be one of the weekdays." example:"2026-09-01"`
	At             civil.Clock            `json:"at" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Start time, on the location's wall clock." example:"09:30"`
	Minutes        int                    `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	Until          *civil.Date            `json:"until,omitempty" format:"date" doc:"Last possible date. Not together with count."`
	Count          *int                   `json:"count,omitempty" minimum:"1" maximum:"1000" doc:"Number of dates, including excluded ones."`
	Except         []civil.Date           `json:"except,omitempty" format:"date" maxItems:"1000" doc:"Dates to exclude."`
	ExtraDates     []civil.Date           `json:"extraDates,omitempty" format:"date" maxItems:"366" doc:"Additional dates."`
	MemberID       op.Nullable[uuid.UUID] `json:"memberId,omitzero" doc:"The instructor, an active team member."`
	SpaceID        op.Nullable[uuid.UUID] `json:"spaceId,omitzero" doc:"A space of the offering's location."`
	Capacity       *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000" doc:"Number of seats. The default is the offering's, or the space's if that is smaller."`
	OnlineCapacity *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Seats that can be booked online. The default is all seats if the offering sells all online, otherwise the offering's number, up to capacity."`
	AllowConflicts bool                   `json:"allowConflicts,omitempty" doc:"Whether the instructor and the space can be double-booked. Otherwise 409 lists the conflicts."`
	op.Quote
}

// SeriesDates are the first dates of a new series.
type SeriesDates struct {
	Dates     []PlannedDate    `json:"dates"`
	Conflicts []SeriesConflict `json:"conflicts" doc:"Double bookings caused by the series, at most 20."`
}

type endSeriesIn struct {
	OfferingPath
	SeriesID uuid.UUID         `path:"seriesId" doc:"The series."`
	EndsOn   civil.Date        `query:"endsOn" format:"date" doc:"Last date of the series. By default it ends at once, and later dates of today are cancelled."`
	OnBooked schedule.OnBooked `query:"onBooked" doc:"Treatment of bookings on later dates. The default is refuse."`
	Notify   bool              `query:"notify" default:"true" doc:"Whether the customers are notified. The default is true."`
	Reason   string            `query:"reason" maxLength:"500" doc:"Reason, for the customers and the activity log."`
	op.QueryQuote
}

func (a *surface) series() {
	declare(a, op.Spec{
		ID: "listSeries", Method: "GET", Path: "/offerings/{id}/series", Tag: "catalog", Feature: "location.view",
		Summary: "List series", Description: "Returns the series of a class, including ended ones, sorted by first date.",
	}, wire.Filtered(a.Cursors, "series", a.Schedule.SeriesOf, showSeries,
		func(_ tenancy.Scope, in *listOfOfferingIn, page paging.In[schedule.SeriesKey]) schedule.SeriesOfInput {
			return schedule.SeriesOfInput{OfferingID: in.ID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "createSeries", Method: "POST", Path: "/offerings/{id}/series", Tag: "catalog",
		Summary: "Create a series",
		Description: "Gives a class dates that repeat by the day, week or month, and generates those of the next 26 weeks " +
			"at once.",
		Feature: "catalog.manage", Success: 201, Quoted: true,
	}, a.createSeries)
	declare(a, op.Spec{
		ID: "endSeries", Method: "DELETE", Path: "/offerings/{id}/series/{seriesId}", Tag: "catalog", Feature: "catalog.manage", Quoted: true,
		Summary: "End a series",
		Description: "Cancels its dates after a day. If a later date has bookings, nothing changes and 409 lists those " +
			"dates, unless onBooked is set. The dry run lists the dates and the affected bookings.",
	}, a.endSeries)
}

func (a *surface) createSeries(ctx context.Context, sc tenancy.Scope, in *createSeriesIn) (op.Quoted[Series, SeriesDates], error) {
	b := in.Body
	made, err := a.Schedule.CreateSeries(ctx, sc, schedule.CreateSeriesInput{
		OfferingID: in.ID,
		Rule: schedule.Rule{
			Freq: b.Freq, Every: b.Every, Weekdays: wire.Show(b.Weekdays, weekday), MonthlyBy: b.MonthlyBy, Start: b.Start, At: b.At,
			Minutes: b.Minutes, Until: b.Until, Count: b.Count, Except: b.Except, Extra: b.ExtraDates,
		},
		MemberID: b.MemberID.Value, SpaceID: b.SpaceID.Value, Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity,
		AllowConflicts: b.AllowConflicts,
	})
	return op.Quoted[Series, SeriesDates]{Done: showSeries(made.Series), Effects: SeriesDates{
		Dates: wire.Show(made.First.Dates, showPlanned), Conflicts: wire.Show(made.First.Conflicts, showConflict),
	}}, err
}

func weekday(d int) time.Weekday { return time.Weekday(d) }

func (a *surface) endSeries(ctx context.Context, sc tenancy.Scope, in *endSeriesIn) (op.Quoted[EditedSeries, SeriesPlan], error) {
	last := in.EndsOn
	if last.IsZero() {
		var err error
		if last, err = a.yesterday(ctx, sc); err != nil {
			return op.Quoted[EditedSeries, SeriesPlan]{}, err
		}
	}
	ended, err := a.Schedule.EndSeries(ctx, sc, schedule.EndSeriesInput{
		OfferingID: in.ID, SeriesID: in.SeriesID, EndsOn: last, OnBooked: in.OnBooked, Silent: !in.Notify, Reason: in.Reason,
	})
	return showEdited(ended), err
}

// yesterday returns the day before today at the location of the call.
func (a *surface) yesterday(ctx context.Context, sc tenancy.Scope) (civil.Date, error) {
	v := a.DB.View(sc.Tenant)
	place, err := business.LocationOf(ctx, v, sc.Location)
	if err != nil {
		return civil.Date{}, err
	}
	zone, err := civil.LoadZone(place.Zone)
	if err != nil {
		return civil.Date{}, err
	}
	return civil.LocalDate(v.Now(), zone).AddDays(-1), nil
}

func showSeries(s schedule.Series) Series {
	out := Series{
		ID: s.ID, OfferingID: s.OfferingID, LocationID: s.LocationID, Freq: s.Rule.Freq, Every: s.Rule.Every,
		Weekdays: wire.Show(s.Rule.Weekdays, func(d time.Weekday) int { return int(d) }), Start: s.Rule.Start.String(),
		At: s.Rule.At.String(), Minutes: s.Rule.Minutes, Until: wire.DateOrNull(s.Rule.Until), Count: s.Rule.Count,
		Except: wire.Show(s.Rule.Except, civil.Date.String), ExtraDates: wire.Show(s.Rule.Extra, civil.Date.String),
		Zone: s.Zone, MemberID: s.MemberID, Instructor: s.Instructor,
		SpaceID: s.SpaceID, Space: s.Space, Capacity: s.Capacity, OnlineCapacity: s.OnlineCapacity,
		WrittenTo: wire.DateOrNull(s.WrittenTo), SplitFrom: s.SplitFrom, EndedAt: s.EndedAt,
		Version: s.Version, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
	}
	if s.Rule.MonthlyBy != "" {
		out.MonthlyBy = (*string)(&s.Rule.MonthlyBy)
	}
	return out
}
