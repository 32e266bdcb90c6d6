package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Schedule is what takes place at a location on some days.
type Schedule struct {
	Zone     string  `json:"zone" doc:"The wall clock of the days."`
	Currency string  `json:"currency"`
	Today    string  `json:"today" format:"date" doc:"The location's date now."`
	From     string  `json:"from" format:"date"`
	To       string  `json:"to" format:"date" doc:"The last day that was looked at."`
	Days     []Day   `json:"days" doc:"Those that have something, in order."`
	Next     *string `json:"next" format:"date" doc:"The first day after that which has something: pass it as from. Null when there is none."`
}

// Times is a page of the times of one offering.
type Times struct {
	Zone       string  `json:"zone" doc:"The wall clock of the days."`
	Currency   string  `json:"currency"`
	Today      string  `json:"today" format:"date" doc:"The location's date now."`
	Days       []Day   `json:"days" doc:"Whole days, those that have something, in order."`
	NextCursor *string `json:"nextCursor" doc:"Pass it as cursor for the next page; null at the end."`
}

// Day is one day of a location that has something.
type Day struct {
	Date  string `json:"date" format:"date"`
	Slots []Slot `json:"slots"`
}

// Slot is one date that the public can see: scheduled, not begun, of a published offering.
type Slot struct {
	OccurrenceID uuid.UUID `json:"occurrenceId" doc:"What a cart item names."`
	OfferingID   uuid.UUID `json:"offeringId"`
	Kind         string    `json:"kind" enum:"class,appointment,rental"`
	Slug         string    `json:"slug"`
	Name         string    `json:"name"`
	Price        int64     `json:"price" doc:"Minor units. 0 is free."`
	StartsAt     time.Time `json:"startsAt"`
	EndsAt       time.Time `json:"endsAt"`
	Instructor   string    `json:"instructor" doc:"Empty: nobody is named."`
	Space        string    `json:"space" doc:"Empty: none is named."`
	Spots        int       `json:"spots" doc:"Seats that are left for the storefront."`
}

// ListingPath names an offering of the storefront.
type ListingPath struct {
	OfferingID uuid.UUID `path:"offeringId" doc:"The offering."`
}

type timesIn struct {
	ListingPath
	From   schedule.Date `query:"from" format:"date" doc:"The first day; today when left out or past."`
	Cursor string        `query:"cursor" maxLength:"2048" doc:"nextCursor of the page before; leave it out for the first page."`
}

func (a *surface) storefrontOfferings() {
	web.Op(a.ops, web.Spec{
		ID: "getListing", Method: "GET", Path: "/storefront/offerings/{offeringId}", Tag: "storefront",
		Summary: "See an offering", Description: "A published offering. Drafts and archived ones are not found.",
		Access: web.Public, Target: web.InOffering("offeringId"), Rate: web.RateStorefront, Errors: []int{404},
	}, func(ctx context.Context, sc tenancy.Scope, in *ListingPath) (Listing, error) {
		l, err := a.Catalog.PublicOffering(ctx, sc.Tenant, in.OfferingID)
		return showListing(l), err
	})
	web.Op(a.ops, web.Spec{
		ID: "getTimes", Method: "GET", Path: "/storefront/offerings/{offeringId}/times", Tag: "storefront", Compact: true,
		Summary: "See when it can be booked", Description: "The times of a published offering, page by page: a page is whole days with up to 24 times, and always one day.",
		Access: web.Public, Target: web.InOffering("offeringId"), Rate: web.RateStorefront, Errors: []int{400, 404},
	}, a.getTimes)
}

func (a *surface) getTimes(ctx context.Context, sc tenancy.Scope, in *timesIn) (Times, error) {
	list := web.ListKey("times", in.OfferingID, in.From.String())
	key, err := after[time.Time](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return Times{}, err
	}
	input := schedule.TimesInput{OfferingID: in.OfferingID, From: in.From}
	if key != nil {
		input.After = *key
	}
	t, err := a.Schedule.Times(ctx, sc.Tenant, input)
	if err != nil {
		return Times{}, err
	}
	out := Times{
		Zone: t.Place.Zone, Currency: string(t.Place.Currency), Today: t.Place.Today.String(), Days: show(t.Days, showDay),
	}
	if t.Next != nil {
		cursor := a.cursors.Encode(list, sc.Tenant, *t.Next)
		out.NextCursor = &cursor
	}
	return out, nil
}

func showDay(d schedule.Day) Day {
	return Day{Date: d.Date.String(), Slots: show(d.Sessions, showSlot)}
}

func showSlot(s schedule.Session) Slot {
	return Slot{
		OccurrenceID: s.ID, OfferingID: s.OfferingID, Kind: string(s.Kind), Slug: s.Slug, Name: s.Name, Price: s.PriceAmount,
		StartsAt: stamp(s.StartsAt), EndsAt: stamp(s.EndsAt), Instructor: s.Instructor, Space: s.Space, Spots: s.Spots,
	}
}
