package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/business"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Series is a rule that gives a class its dates, on the location's wall clock.
type Series struct {
	ID             uuid.UUID  `json:"id"`
	OfferingID     uuid.UUID  `json:"offeringId"`
	LocationID     uuid.UUID  `json:"locationId"`
	Weekdays       []int      `json:"weekdays" minimum:"0" maximum:"6" doc:"0 is Sunday."`
	Start          string     `json:"start" format:"date" doc:"No date is earlier." example:"2026-09-01"`
	At             string     `json:"at" doc:"When it begins." example:"09:30"`
	Minutes        int        `json:"minutes" doc:"How long it takes."`
	Until          *string    `json:"until" format:"date" doc:"The last possible date; null runs on."`
	Count          *int       `json:"count" doc:"How many dates there are, left-out ones included."`
	Except         []string   `json:"except" format:"date" doc:"Dates left out." example:"2026-12-25"`
	Zone           string     `json:"zone"`
	MemberID       *uuid.UUID `json:"memberId" doc:"Who teaches."`
	Instructor     string     `json:"instructor" doc:"Their name; empty without one."`
	SpaceID        *uuid.UUID `json:"spaceId"`
	Space          string     `json:"space" doc:"Its name; empty without one."`
	Capacity       int        `json:"capacity"`
	OnlineCapacity int        `json:"onlineCapacity" doc:"How many of the seats the storefront may sell."`
	WrittenTo      *string    `json:"writtenTo" format:"date" doc:"Dates exist up to this day; more are written as time goes on."`
	Version        int64      `json:"version"`
	CreatedAt      time.Time  `json:"createdAt"`
	UpdatedAt      time.Time  `json:"updatedAt"`
}

type listOfOfferingIn struct {
	OfferingPath
	web.Page
}

type createSeriesIn struct {
	OfferingPath
	Body createSeriesBody
}

type createSeriesBody struct {
	Weekdays       []int                   `json:"weekdays" minimum:"0" maximum:"6" minItems:"1" maxItems:"7" uniqueItems:"true" doc:"0 is Sunday, 6 is Saturday." example:"[1,4]"`
	Start          schedule.Date           `json:"start" format:"date" doc:"No date is earlier; it need not be one of the weekdays." example:"2026-09-01"`
	At             schedule.Clock          `json:"at" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"When it begins, on the location's wall clock." example:"09:30"`
	Minutes        int                     `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"The offering's length when left out."`
	Until          *schedule.Date          `json:"until,omitempty" format:"date" doc:"The last possible date. Not together with count."`
	Count          *int                    `json:"count,omitempty" minimum:"1" maximum:"1000" doc:"How many dates; those left out count too."`
	Except         []schedule.Date         `json:"except,omitempty" format:"date" maxItems:"1000" doc:"Dates to leave out."`
	MemberID       web.Nullable[uuid.UUID] `json:"memberId,omitzero" doc:"Who teaches: an active member of the team."`
	SpaceID        web.Nullable[uuid.UUID] `json:"spaceId,omitzero" doc:"A space of the offering's location."`
	Capacity       *int                    `json:"capacity,omitempty" minimum:"1" maximum:"10000" doc:"The offering's when left out, or the space's when that is less."`
	OnlineCapacity *int                    `json:"onlineCapacity,omitempty" minimum:"0" maximum:"10000" doc:"The offering's when left out."`
}

type endSeriesIn struct {
	OfferingPath
	SeriesID uuid.UUID     `path:"seriesId" doc:"The series."`
	EndsOn   schedule.Date `query:"endsOn" format:"date" doc:"The last date that stays. Left out: it ends at once, and what is still to come today does not take place."`
}

func (a *surface) series() {
	web.Op(a.ops, web.Spec{
		ID: "listSeries", Method: "GET", Path: "/offerings/{id}/series", Tag: "catalog",
		Summary: "List series", Description: "The series of a class, ended ones too, by their first date.",
		Access: web.Operator, Feature: "location.view", Target: web.InOffering("id"), Errors: listErrors,
	}, a.listSeries)
	web.Op(a.ops, web.Spec{
		ID: "createSeries", Method: "POST", Path: "/offerings/{id}/series", Tag: "catalog", Compact: true,
		Summary: "Add a series", Description: "Gives a class dates that repeat by the week, and writes those of the next 26 weeks at once.",
		Access: web.Operator, Feature: "catalog.manage", Target: web.InOffering("id"), Success: 201, Errors: changeErrors,
	}, a.createSeries)
	web.Op(a.ops, web.Spec{
		ID: "endSeries", Method: "DELETE", Path: "/offerings/{id}/series/{seriesId}", Tag: "catalog",
		Summary:     "End a series",
		Description: "Cancels its dates after a day. While somebody is booked on a later date it changes nothing, and 409 names those dates.",
		Access:      web.Operator, Feature: "catalog.manage", Target: web.InOffering("id"), Errors: changeErrors,
	}, a.endSeries)
}

func (a *surface) listSeries(ctx context.Context, sc tenancy.Scope, in *listOfOfferingIn) (web.List[Series], error) {
	list := web.ListKey("series", in.ID)
	key, err := after[schedule.SeriesKey](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return web.List[Series]{}, err
	}
	page, err := a.Schedule.SeriesOf(ctx, sc, schedule.SeriesOfInput{OfferingID: in.ID, After: key, Limit: in.Limit})
	return listOf(a.cursors, sc, list, page.Items, page.Next, showSeries), err
}

func (a *surface) createSeries(ctx context.Context, sc tenancy.Scope, in *createSeriesIn) (Series, error) {
	b := in.Body
	s, err := a.Schedule.CreateSeries(ctx, sc, schedule.CreateSeriesInput{
		OfferingID: in.ID,
		Rule: schedule.Rule{
			Weekdays: show(b.Weekdays, func(d int) time.Weekday { return time.Weekday(d) }), Start: b.Start, At: b.At,
			Minutes: b.Minutes, Until: b.Until, Count: b.Count, Except: b.Except,
		},
		MemberID: b.MemberID.Value, SpaceID: b.SpaceID.Value, Capacity: b.Capacity, OnlineCapacity: b.OnlineCapacity,
	})
	return showSeries(s), err
}

func (a *surface) endSeries(ctx context.Context, sc tenancy.Scope, in *endSeriesIn) (web.NoContent, error) {
	if in.EndsOn.IsZero() {
		yesterday, err := a.yesterday(ctx, sc)
		if err != nil {
			return web.NoContent{}, err
		}
		in.EndsOn = yesterday
	}
	_, err := a.Schedule.EndSeries(ctx, sc, schedule.EndSeriesInput{OfferingID: in.ID, SeriesID: in.SeriesID, EndsOn: in.EndsOn})
	return web.NoContent{}, inQuery(err)
}

// yesterday is the day before today at the location of the call.
func (a *surface) yesterday(ctx context.Context, sc tenancy.Scope) (schedule.Date, error) {
	v := a.DB.View(sc.Tenant)
	place, err := business.LocationOf(ctx, v, sc.Location)
	if err != nil {
		return schedule.Date{}, err
	}
	zone, err := schedule.LoadZone(place.Zone)
	if err != nil {
		return schedule.Date{}, err
	}
	return schedule.LocalDate(v.Now(), zone).AddDays(-1), nil
}

func showSeries(s schedule.Series) Series {
	return Series{
		ID: s.ID, OfferingID: s.OfferingID, LocationID: s.LocationID,
		Weekdays: show(s.Rule.Weekdays, func(d time.Weekday) int { return int(d) }), Start: s.Rule.Start.String(),
		At: s.Rule.At.String(), Minutes: s.Rule.Minutes, Until: dateOrNull(s.Rule.Until), Count: s.Rule.Count,
		Except: show(s.Rule.Except, schedule.Date.String), Zone: s.Zone, MemberID: s.MemberID, Instructor: s.Instructor,
		SpaceID: s.SpaceID, Space: s.Space, Capacity: s.Capacity, OnlineCapacity: s.OnlineCapacity,
		WrittenTo: dateOrNull(s.WrittenTo), Version: s.Version, CreatedAt: stamp(s.CreatedAt), UpdatedAt: stamp(s.UpdatedAt),
	}
}

func dateOrNull(d *schedule.Date) *string {
	if d == nil {
		return nil
	}
	text := d.String()
	return &text
}
