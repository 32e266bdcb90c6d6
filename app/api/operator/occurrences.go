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

// Occurrence is one date of a class, as operators see it.
type Occurrence struct {
	ID             uuid.UUID      `json:"id"`
	LocationID     uuid.UUID      `json:"locationId"`
	OfferingID     uuid.UUID      `json:"offeringId"`
	OfferingName   string         `json:"offeringName"`
	SeriesID       uuid.UUID      `json:"seriesId"`
	LocalDate      string         `json:"localDate" format:"date" doc:"On the location's wall clock."`
	StartsAt       time.Time      `json:"startsAt"`
	EndsAt         time.Time      `json:"endsAt"`
	MemberID       *uuid.UUID     `json:"memberId" doc:"Who teaches."`
	Instructor     string         `json:"instructor" doc:"Their name; empty without one."`
	SpaceID        *uuid.UUID     `json:"spaceId"`
	Space          string         `json:"space" doc:"Its name; empty without one."`
	State          schedule.State `json:"state"`
	CancelReason   string         `json:"cancelReason" doc:"The studio's, of a date that was cancelled by hand."`
	Overrides      []string       `json:"overrides" enum:"startsAt,minutes,memberId,spaceId,capacity,onlineCapacity,state" doc:"What does not follow the series."`
	DoubleBooked   bool           `json:"doubleBooked" doc:"The instructor or the space had something else when it was written, or somebody allowed it."`
	Capacity       int            `json:"capacity"`
	OnlineCapacity int            `json:"onlineCapacity" doc:"How many of the seats the storefront may sell."`
	Taken          int            `json:"taken" doc:"Seats held or booked."`
	TakenOnline    int            `json:"takenOnline" doc:"Of those, through the storefront."`
	Offered        int            `json:"offered" doc:"Seats on offer to the waitlist."`
	Waiting        int            `json:"waiting" doc:"People on the waitlist, those with an offer too."`
	Version        int64          `json:"version"`
}

type listOccurrencesIn struct {
	OfferingPath
	op.Page
	From time.Time `query:"from" doc:"The earliest start."`
	To   time.Time `query:"to" doc:"Starts before this."`
}

func (a *surface) occurrences() {
	declare(a, op.Spec{
		ID: "listOccurrences", Method: "GET", Path: "/offerings/{id}/occurrences", Tag: "catalog", Compact: true, Feature: "location.view",
		Summary: "List dates", Description: "The dates of a class with their counts, past and cancelled ones too, by their start.",
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
