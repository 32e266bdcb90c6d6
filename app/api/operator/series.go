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

// Series is a rule that gives a class its dates, on the location's wall clock.
type Series struct {
	ID             uuid.UUID     `json:"id"`
	OfferingID     uuid.UUID     `json:"offeringId"`
	LocationID     uuid.UUID     `json:"locationId"`
	Freq           schedule.Freq `json:"freq"`
	Every          int           `json:"every" doc:"Every so many days, weeks or months."`
	Weekdays       []int         `json:"weekdays" minimum:"0" maximum:"6" doc:"0 is Sunday. Empty unless weekly."`
	MonthlyBy      *string       `json:"monthlyBy" doc:"day: the day of the month that start has; weekday: the weekday in it, such as the second Tuesday. Null unless monthly."`
	Start          string        `json:"start" format:"date" doc:"No date of the rule is earlier." example:"2026-09-01"`
	At             string        `json:"at" doc:"When it begins." example:"09:30"`
	Minutes        int           `json:"minutes" doc:"How long it takes."`
	Until          *string       `json:"until" format:"date" doc:"The last possible date; null runs on."`
	Count          *int          `json:"count" doc:"How many dates there are, left-out ones included."`
	Except         []string      `json:"except" format:"date" doc:"Dates left out." example:"2026-12-25"`
	ExtraDates     []string      `json:"extraDates" format:"date" doc:"Dates beside the rule."`
	Zone           string        `json:"zone"`
	MemberID       *uuid.UUID    `json:"memberId" doc:"Who teaches."`
	Instructor     string        `json:"instructor" doc:"Their name; empty without one."`
	SpaceID        *uuid.UUID    `json:"spaceId"`
	Space          string        `json:"space" doc:"Its name; empty without one."`
	Capacity       int           `json:"capacity"`
	OnlineCapacity int           `json:"onlineCapacity" doc:"How many of the seats the storefront may sell."`
	WrittenTo      *string       `json:"writtenTo" format:"date" doc:"Dates exist up to this day; more are written as time goes on."`
	SplitFrom      *uuid.UUID    `json:"splitFrom" doc:"The series that this one continues."`
	EndedAt        *time.Time    `json:"endedAt" doc:"When somebody ended it."`
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
	Freq           schedule.Freq          `json:"freq,omitempty" doc:"weekly when left out."`
	Every          int                    `json:"every,omitempty" minimum:"1" maximum:"52" doc:"Every so many days, weeks or months; 1 when left out."`
	Weekdays       []int                  `json:"weekdays,omitempty" minimum:"0" maximum:"6" minItems:"1" maxItems:"7" uniqueItems:"true" doc:"Weekly rules: 0 is Sunday, 6 is Saturday." example:"[1,4]"`
	MonthlyBy      schedule.MonthlyBy     `json:"monthlyBy,omitempty" doc:"Monthly rules: the day of the month that start has, or the weekday in it. Months without it are passed over."`
	Start          civil.Date             `json:"start" format:"date" doc:"No date of the rule is earlier; it need not be one of the weekdays." example:"2026-09-01"`
	At             civil.Clock            `json:"at" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"When it begins, on the location's wall clock." example:"09:30"`
	Minutes        int                    `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"The offering's length when left out."`
	Until          *civil.Date            `json:"until,omitempty" format:"date" doc:"The last possible date. Not together with count."`
	Count          *int                   `json:"count,omitempty" minimum:"1" maximum:"1000" doc:"How many dates; those left out count too."`
	Except         []civil.Date           `json:"except,omitempty" format:"date" maxItems:"1000" doc:"Dates to leave out."`
	ExtraDates     []civil.Date           `json:"extraDates,omitempty" format:"date" maxItems:"366" doc:"Dates beside the rule."`
	MemberID       op.Nullable[uuid.UUID] `json:"memberId,omitzero" doc:"Who teaches: an active member of the team."`
	SpaceID        op.Nullable[uuid.UUID] `json:"spaceId,omitzero" doc:"A space of the offering's location."`
	Capacity       *int                   `json:"capacity,omitempty" minimum:"1" maximum:"10000" doc:"The offering's when left out, or the space's when that is less."`
	OnlineCapacity *int                   `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"Left out: all seats where the offering sells all online, else the offering's number, at most capacity."`
	AllowConflicts bool                   `json:"allowConflicts,omitempty" doc:"The instructor and the space may be double-booked; otherwise 409 lists the conflicts."`
	op.Quote
}

// SeriesDates is what a new series writes at once.
type SeriesDates struct {
	Dates     []PlannedDate    `json:"dates"`
	Conflicts []SeriesConflict `json:"conflicts" doc:"Double bookings that it makes, at most 20."`
}

type endSeriesIn struct {
	OfferingPath
	SeriesID uuid.UUID         `path:"seriesId" doc:"The series."`
	EndsOn   civil.Date        `query:"endsOn" format:"date" doc:"The last date that stays. Left out: it ends at once, and what is still to come today does not take place."`
	OnBooked schedule.OnBooked `query:"onBooked" doc:"What happens to bookings on later dates; refuse when left out."`
	Notify   bool              `query:"notify" default:"true" doc:"Whether the customers are notified; false is silence."`
	Reason   string            `query:"reason" maxLength:"500" doc:"Why, for the customers and the record."`
	op.QueryQuote
}

func (a *surface) series() {
	declare(a, op.Spec{
		ID: "listSeries", Method: "GET", Path: "/offerings/{id}/series", Tag: "catalog", Feature: "location.view",
		Summary: "List series", Description: "The series of a class, ended ones too, by their first date.",
	}, wire.Filtered(a.Cursors, "series", a.Schedule.SeriesOf, showSeries,
		func(_ tenancy.Scope, in *listOfOfferingIn, page paging.In[schedule.SeriesKey]) schedule.SeriesOfInput {
			return schedule.SeriesOfInput{OfferingID: in.ID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "createSeries", Method: "POST", Path: "/offerings/{id}/series", Tag: "catalog", Compact: true,
		Summary:     "Add a series",
		Description: "Gives a class dates that repeat by the day, week or month, and writes those of the next 26 weeks at once.",
		Feature:     "catalog.manage", Success: 201, Quoted: true,
	}, a.createSeries)
	declare(a, op.Spec{
		ID: "endSeries", Method: "DELETE", Path: "/offerings/{id}/series/{seriesId}", Tag: "catalog", Feature: "catalog.manage", Quoted: true,
		Summary:     "End a series",
		Description: "Cancels its dates after a day. While somebody is booked on a later date it changes nothing, and 409 names those dates, unless onBooked says what to do. The dry run lists the dates and the bookings hit.",
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

// yesterday is the day before today at the location of the call.
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
