package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Booking is one seat of one customer on one date, as operators see it.
type Booking struct {
	ID            uuid.UUID  `json:"id"`
	LocationID    uuid.UUID  `json:"locationId"`
	LocationName  string     `json:"locationName"`
	OfferingID    uuid.UUID  `json:"offeringId"`
	OfferingName  string     `json:"offeringName"`
	OccurrenceID  uuid.UUID  `json:"occurrenceId"`
	CustomerID    uuid.UUID  `json:"customerId"`
	CustomerName  string     `json:"customerName" doc:"May be empty."`
	CustomerEmail string     `json:"customerEmail"`
	CustomerPhone string     `json:"customerPhone"`
	Attendee      string     `json:"attendee" doc:"Who is coming, when it is somebody else than the customer."`
	State         string     `json:"state" enum:"held,expired,confirmed" doc:"A held booking counts for as long as its hold lives."`
	Online        bool       `json:"online" doc:"Counts among the seats sold online."`
	StartsAt      time.Time  `json:"startsAt"`
	EndsAt        time.Time  `json:"endsAt"`
	Zone          string     `json:"zone" doc:"The wall clock of the times."`
	Instructor    string     `json:"instructor" doc:"Empty: nobody is named."`
	Space         string     `json:"space" doc:"Empty: none is named."`
	Price         int64      `json:"price" doc:"As listed when the seat was held, in minor units."`
	Currency      string     `json:"currency"`
	OrderID       *uuid.UUID `json:"orderId" doc:"What it was sold with; null before the payment began."`
	ConfirmedAt   *time.Time `json:"confirmedAt"`
	Version       int64      `json:"version"`
	CreatedAt     time.Time  `json:"createdAt"`
	UpdatedAt     time.Time  `json:"updatedAt"`
}

// Roster is who comes to one date.
type Roster struct {
	OccurrenceID   uuid.UUID `json:"occurrenceId"`
	OfferingID     uuid.UUID `json:"offeringId"`
	OfferingName   string    `json:"offeringName"`
	LocationID     uuid.UUID `json:"locationId"`
	LocationName   string    `json:"locationName"`
	Zone           string    `json:"zone" doc:"The wall clock of the times."`
	StartsAt       time.Time `json:"startsAt"`
	EndsAt         time.Time `json:"endsAt"`
	State          string    `json:"state" enum:"scheduled,cancelled"`
	Instructor     string    `json:"instructor" doc:"Empty: nobody is named."`
	Space          string    `json:"space" doc:"Empty: none is named."`
	Capacity       int       `json:"capacity"`
	OnlineCapacity int       `json:"onlineCapacity"`
	Taken          int       `json:"taken" doc:"Seats held or booked."`
	TakenOnline    int       `json:"takenOnline"`
	Entries        []Booking `json:"entries" doc:"Who has a seat or is kept one, in the order they came."`
	NextCursor     *string   `json:"nextCursor" doc:"Pass it as cursor for the next page of entries; null at the end."`
}

type listBookingsIn struct {
	web.Page
	LocationID   uuid.UUID `query:"locationId"`
	OfferingID   uuid.UUID `query:"offeringId"`
	OccurrenceID uuid.UUID `query:"occurrenceId"`
	CustomerID   uuid.UUID `query:"customerId"`
	MemberID     uuid.UUID `query:"memberId" doc:"Who teaches."`
	State        string    `query:"state" enum:"held,expired,confirmed" doc:"Left out: everything but held and expired, which are no bookings."`
	From         time.Time `query:"from" doc:"The earliest start."`
	To           time.Time `query:"to" doc:"Starts before this."`
	Order        string    `query:"order" enum:"latest,earliest" default:"latest" doc:"Which start comes first."`
}

type bookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
}

type rosterIn struct {
	OfferingPath
	web.Page
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

func (a *surface) bookings() {
	web.Op(a.ops, web.Spec{
		ID: "listBookings", Method: "GET", Path: "/businesses/{businessId}/bookings", Tag: "bookings", Compact: true,
		Summary: "List bookings", Description: "The bookings that the caller may see, by their start: of the whole business, of certain locations, or of the sessions they teach.",
		Access: web.Operator, Feature: "booking.view", Target: web.InBusiness("businessId"), Errors: listErrors,
	}, a.listBookings)
	web.Op(a.ops, web.Spec{
		ID: "getBooking", Method: "GET", Path: "/businesses/{businessId}/bookings/{bookingId}", Tag: "bookings", Compact: true,
		Summary: "Get a booking", Description: "One booking in any state.",
		Access: web.Operator, Feature: "booking.view", Target: web.InBusiness("businessId"), Errors: readErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *bookingIn) (Booking, error) {
		e, err := a.Booking.Get(ctx, sc, in.BookingID)
		return showBooking(e), err
	})
	web.Op(a.ops, web.Spec{
		ID: "getRoster", Method: "GET", Path: "/offerings/{id}/occurrences/{occurrenceId}/roster", Tag: "bookings", Compact: true,
		Summary: "Get a roster", Description: "Who comes to one date, with its counts. Who teaches it may see it too.",
		Access: web.Operator, Feature: "booking.view", Target: web.InOffering("id"), Errors: listErrors,
	}, a.getRoster)
}

func (a *surface) listBookings(ctx context.Context, sc tenancy.Scope, in *listBookingsIn) (web.List[Booking], error) {
	list := web.ListKey("bookings", in.LocationID, in.OfferingID, in.OccurrenceID, in.CustomerID, in.MemberID, in.State,
		in.From, in.To, in.Order)
	key, err := after[booking.Key](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return web.List[Booking]{}, err
	}
	page, err := a.Booking.List(ctx, sc, booking.ListInput{
		LocationID: in.LocationID, OfferingID: in.OfferingID, OccurrenceID: in.OccurrenceID, CustomerID: in.CustomerID,
		MemberID: in.MemberID, State: booking.State(in.State), From: in.From, To: in.To, Ascending: in.Order == "earliest",
		After: key, Limit: in.Limit,
	})
	return listOf(a.cursors, sc, list, page.Items, page.Next, showBooking), err
}

func (a *surface) getRoster(ctx context.Context, sc tenancy.Scope, in *rosterIn) (Roster, error) {
	list := web.ListKey("roster", in.OccurrenceID)
	key, err := after[booking.Key](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return Roster{}, err
	}
	r, err := a.Booking.RosterOf(ctx, sc, booking.RosterInput{OccurrenceID: in.OccurrenceID, After: key, Limit: in.Limit})
	if err == nil && r.OfferingID != in.ID {
		err = fault.Missing() // a date is found under its own offering only
	}
	entries := listOf(a.cursors, sc, list, r.Entries, r.Next, showBooking)
	return Roster{
		OccurrenceID: r.OccurrenceID, OfferingID: r.OfferingID, OfferingName: r.OfferingName, LocationID: r.LocationID,
		LocationName: r.LocationName, Zone: r.Zone, StartsAt: stamp(r.StartsAt), EndsAt: stamp(r.EndsAt), State: string(r.State),
		Instructor: r.Instructor, Space: r.Space, Capacity: r.Capacity, OnlineCapacity: r.OnlineCapacity, Taken: r.Taken,
		TakenOnline: r.TakenOnline, Entries: entries.Items, NextCursor: entries.NextCursor,
	}, err
}

func showBooking(e booking.Entry) Booking {
	return Booking{
		ID: e.ID, LocationID: e.LocationID, LocationName: e.LocationName, OfferingID: e.OfferingID, OfferingName: e.OfferingName,
		OccurrenceID: e.OccurrenceID, CustomerID: e.CustomerID, CustomerName: e.CustomerName, CustomerEmail: e.CustomerEmail,
		CustomerPhone: e.CustomerPhone, Attendee: e.Attendee, State: string(e.State), Online: e.Online, StartsAt: stamp(e.StartsAt),
		EndsAt: stamp(e.EndsAt), Zone: e.Zone, Instructor: e.Instructor, Space: e.Space, Price: e.PriceAmount,
		Currency: string(e.Currency), OrderID: e.OrderID, ConfirmedAt: stampOrNull(e.ConfirmedAt), Version: e.Version,
		CreatedAt: stamp(e.CreatedAt), UpdatedAt: stamp(e.UpdatedAt),
	}
}
