package operator

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Occurrence is one date of a class for the team.
type Occurrence struct {
	ID             uuid.UUID      `json:"id"`
	LocationID     uuid.UUID      `json:"locationId"`
	OfferingID     uuid.UUID      `json:"offeringId"`
	OfferingName   string         `json:"offeringName"`
	SeriesID       uuid.UUID      `json:"seriesId"`
	LocalDate      string         `json:"localDate" format:"date" doc:"Date on the location's wall clock."`
	StartsAt       time.Time      `json:"startsAt"`
	EndsAt         time.Time      `json:"endsAt"`
	MemberID       *uuid.UUID     `json:"memberId" doc:"The instructor."`
	Instructor     string         `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	SpaceID        *uuid.UUID     `json:"spaceId"`
	Space          string         `json:"space" doc:"Name of the space; empty if none is assigned."`
	State          schedule.State `json:"state"`
	CancelReason   string         `json:"cancelReason" doc:"The studio's reason for cancelling this date."`
	Overrides      []string       `json:"overrides" enum:"startsAt,minutes,memberId,spaceId,capacity,onlineCapacity,state" doc:"Fields that do not follow the series."`
	DoubleBooked   bool           `json:"doubleBooked" doc:"Whether the instructor or the space was double-booked when it was created, or by permission."`
	Capacity       int            `json:"capacity"`
	OnlineCapacity int            `json:"onlineCapacity" doc:"Seats that can be booked online."`
	Taken          int            `json:"taken" doc:"Seats held or booked."`
	TakenOnline    int            `json:"takenOnline" doc:"Of those, seats booked online."`
	Offered        int            `json:"offered" doc:"Seats offered to the waitlist."`
	Waiting        int            `json:"waiting" doc:"People on the waitlist, including those with an offer."`
	Version        int64          `json:"version"`
}

type listOccurrencesIn struct {
	OfferingPath
	op.Page
	From time.Time `query:"from" doc:"Earliest start."`
	To   time.Time `query:"to" doc:"Only dates that start before this time."`
}

func (a *surface) occurrences() {
	declare(a, op.Spec{
		ID: "listOccurrences", Method: "GET", Path: "/offerings/{id}/occurrences", Tag: "catalog", Compact: true, Feature: "location.view",
		Summary:     "List occurrences",
		Description: "Returns the dates of a class with their counts, including past and cancelled ones, sorted by start.",
	}, wire.Filtered(a.Cursors, "occurrences", a.Schedule.Occurrences, showOccurrence,
		func(_ tenancy.Scope, in *listOccurrencesIn, page paging.In[paging.Moment]) schedule.OccurrencesInput {
			return schedule.OccurrencesInput{OfferingID: in.ID, From: in.From, To: in.To, Page: page}
		}))
}

func showOccurrence(o schedule.Occurrence) Occurrence {
	return Occurrence{
		ID: o.ID, LocationID: o.LocationID, OfferingID: o.OfferingID, OfferingName: o.OfferingName, SeriesID: o.SeriesID,
		LocalDate: o.LocalDate.String(), StartsAt: o.StartsAt, EndsAt: o.EndsAt, MemberID: o.MemberID,
		Instructor: o.Instructor, SpaceID: o.SpaceID, Space: o.Space, State: o.State, Capacity: o.Capacity,
		OnlineCapacity: o.OnlineCapacity, Taken: o.Taken, TakenOnline: o.TakenOnline,
		Offered: o.Offered, Waiting: o.Waiting, Overrides: wire.Show(o.Overrides, func(f schedule.Field) string { return string(f) }),
		CancelReason: o.CancelReason, DoubleBooked: o.DoubleBooked, Version: o.Version,
	}
}
