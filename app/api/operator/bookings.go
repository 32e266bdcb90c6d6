package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/paging"
	"foyer/app/schedule"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// Booking is one seat of one customer on one date, as operators see it.
type Booking struct {
	ID            uuid.UUID     `json:"id"`
	LocationID    uuid.UUID     `json:"locationId"`
	LocationName  string        `json:"locationName"`
	OfferingID    uuid.UUID     `json:"offeringId"`
	OfferingName  string        `json:"offeringName"`
	OccurrenceID  uuid.UUID     `json:"occurrenceId"`
	CustomerID    uuid.UUID     `json:"customerId"`
	CustomerName  string        `json:"customerName" doc:"May be empty."`
	CustomerEmail string        `json:"customerEmail"`
	CustomerPhone string        `json:"customerPhone"`
	Kind          catalog.Kind  `json:"kind"`
	Party         int           `json:"party" doc:"Seats that it takes."`
	Attendee      string        `json:"attendee" doc:"Who is coming, when it is somebody else than the customer."`
	Note          string        `json:"note" doc:"The studio's."`
	State         booking.State `json:"state" doc:"A held booking counts for as long as its hold lives; a requested one keeps no seat."`
	Online        bool          `json:"online" doc:"Counts among the seats sold online."`
	StartsAt      time.Time     `json:"startsAt"`
	EndsAt        time.Time     `json:"endsAt"`
	Zone          string        `json:"zone" doc:"The wall clock of the times."`
	Instructor    string        `json:"instructor" doc:"Empty: nobody is named."`
	Space         string        `json:"space" doc:"Empty: none is named."`
	Price         int64         `json:"price" doc:"As listed when the seat was held, in minor units."`
	Currency      string        `json:"currency"`
	OrderID       *uuid.UUID    `json:"orderId" doc:"What it was sold with; null before the payment began, and when it is paid later."`
	GroupID       *uuid.UUID    `json:"groupId" doc:"Bookings that were made together."`
	Course        bool          `json:"course" doc:"A date of a course: it is approved, declined and cancelled with the others of its group. The first has the price."`
	ConfirmedAt   *time.Time    `json:"confirmedAt"`
	CancelledAt   *time.Time    `json:"cancelledAt"`
	CheckedInAt   *time.Time    `json:"checkedInAt"`
	CheckedOutAt  *time.Time    `json:"checkedOutAt" doc:"Left early."`
	Reschedules   int           `json:"reschedules" doc:"How often the customer moved it."`
	ReviewAt      *time.Time    `json:"reviewAt" doc:"Of a no-show: until then its fee is looked at."`
	GraceUntil    *time.Time    `json:"graceUntil" doc:"Promoted late from the waitlist: until then it can be given up free of charge."`
	Version       int64         `json:"version"`
	CreatedAt     time.Time     `json:"createdAt"`
	UpdatedAt     time.Time     `json:"updatedAt"`
}

// BookingDetail is a booking with what decides about it.
type BookingDetail struct {
	Booking
	Policy         BookingPolicy     `json:"policy"`
	AllowedActions []wire.Allowed    `json:"allowedActions" doc:"What the studio may do now without setting a rule aside."`
	Money          BookingMoney      `json:"money" doc:"Of a course, for all of it."`
	Dates          []wire.CourseDate `json:"dates" doc:"Of a course: all of its dates; none of anything else."`
}

// BookingPolicy is the policy as it was when a booking was made: everything about the booking is decided from it.
type BookingPolicy struct {
	Rules   catalog.Rules `json:"rules"`
	Summary []string      `json:"summary" doc:"The rules in plain words."`
}

// BookingMoney is what a booking has to do with money, in minor units.
type BookingMoney struct {
	Price         int64  `json:"price" doc:"As listed when it was booked."`
	Currency      string `json:"currency"`
	Paid          int64  `json:"paid" doc:"By card for this booking, tax included; also by a saved card later."`
	OrderTotal    int64  `json:"orderTotal" doc:"Of the order that it was sold with; 0 without one."`
	OrderRefunded int64  `json:"orderRefunded" doc:"Of that order and of what a saved card paid later, gone back or on its way."`
	PaidAtStudio  int64  `json:"paidAtStudio" doc:"And not refunded there."`
	Due           int64  `json:"due" doc:"To be paid at the studio."`
	FeesDue       int64  `json:"feesDue" doc:"For cancelling late or not coming."`
	Charging      int64  `json:"charging" doc:"What a saved card is to be charged for the price, with what else is charged at once; 0 when none is."`
	ChargeFailed  string `json:"chargeFailed" doc:"Why the card could not be charged, by its code: it is due still, and the customer has a link to pay. Empty when it was not tried, or is on its way."`
}

// BookingTransition is one change of a booking.
type BookingTransition struct {
	ID           uuid.UUID          `json:"id"`
	Transition   booking.Transition `json:"transition"`
	From         string             `json:"from" doc:"Empty for the first."`
	To           string             `json:"to"`
	Reason       string             `json:"reason" doc:"The words that were given for it; may be empty."`
	FromStartsAt *time.Time         `json:"fromStartsAt" doc:"Of a booking that was moved: when it would have begun."`
	ActorKind    string             `json:"actorKind" enum:",person,key,system"`
	ActorName    string             `json:"actorName" doc:"May be empty."`
	Surface      string             `json:"surface"`
	At           time.Time          `json:"at"`
}

// BookingHistory is everything that happened to a booking, the first thing first.
type BookingHistory struct {
	Items []BookingTransition `json:"items"`
}

// Roster is who comes to one date.
type Roster struct {
	OccurrenceID   uuid.UUID      `json:"occurrenceId"`
	OfferingID     uuid.UUID      `json:"offeringId"`
	OfferingName   string         `json:"offeringName"`
	LocationID     uuid.UUID      `json:"locationId"`
	LocationName   string         `json:"locationName"`
	Zone           string         `json:"zone" doc:"The wall clock of the times."`
	StartsAt       time.Time      `json:"startsAt"`
	EndsAt         time.Time      `json:"endsAt"`
	State          schedule.State `json:"state"`
	Instructor     string         `json:"instructor" doc:"Empty: nobody is named."`
	Space          string         `json:"space" doc:"Empty: none is named."`
	Capacity       int            `json:"capacity"`
	OnlineCapacity int            `json:"onlineCapacity"`
	Taken          int            `json:"taken" doc:"Seats held or booked."`
	TakenOnline    int            `json:"takenOnline"`
	Entries        []Booking      `json:"entries" doc:"Who has a seat or is kept one, in the order they came."`
	NextCursor     *string        `json:"nextCursor" doc:"Pass it as cursor for the next page of entries; null at the end."`
}

type listBookingsIn struct {
	op.Page
	LocationID   uuid.UUID     `query:"locationId"`
	OfferingID   uuid.UUID     `query:"offeringId"`
	OccurrenceID uuid.UUID     `query:"occurrenceId"`
	CustomerID   uuid.UUID     `query:"customerId"`
	MemberID     uuid.UUID     `query:"memberId" doc:"Who teaches."`
	GroupID      uuid.UUID     `query:"groupId" doc:"Bookings that were made together: the dates of a course, a recurring booking."`
	State        booking.State `query:"state" doc:"Left out: everything but held and expired, which are no bookings."`
	From         time.Time     `query:"from" doc:"The earliest start."`
	To           time.Time     `query:"to" doc:"Starts before this."`
	Order        string        `query:"order" enum:"latest,earliest" default:"latest" doc:"Which start comes first."`
}

type rosterIn struct {
	OfferingPath
	op.Page
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The date."`
}

func (a *surface) bookings() {
	declare(a, op.Spec{
		ID: "listBookings", Method: "GET", Path: "/businesses/{businessId}/bookings", Tag: "bookings", Compact: true, Feature: "booking.view",
		Summary: "List bookings", Description: "The bookings that the caller may see, by their start: of the whole business, of certain locations, or of the sessions they teach.",
	}, wire.Filtered(a.Cursors, "bookings", a.Booking.List, showBooking,
		func(_ tenancy.Scope, in *listBookingsIn, page paging.In[paging.Moment]) booking.ListInput {
			return booking.ListInput{
				LocationID: in.LocationID, OfferingID: in.OfferingID, OccurrenceID: in.OccurrenceID, CustomerID: in.CustomerID,
				MemberID: in.MemberID, GroupID: in.GroupID, State: in.State, From: in.From, To: in.To, Ascending: in.Order == "earliest",
				Page: page,
			}
		}))
	declare(a, op.Spec{
		ID: "getBooking", Method: "GET", Path: "/businesses/{businessId}/bookings/{bookingId}", Tag: "bookings", Compact: true, Feature: "booking.view",
		Summary: "Get a booking", Description: "One booking in any state, with its policy as it was when it was made, what can be done now, and its money.",
	}, a.getBooking)
	declare(a, op.Spec{
		ID: "getBookingHistory", Method: "GET", Path: "/businesses/{businessId}/bookings/{bookingId}/history", Tag: "bookings", Feature: "booking.view",
		Summary: "Get a booking's history", Description: "Every change of a booking, who made it and why.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (BookingHistory, error) {
		changes, err := a.Booking.History(ctx, sc, in.BookingID)
		return BookingHistory{wire.Show(changes, showBookingTransition)}, err
	})
	declare(a, op.Spec{
		ID: "getRoster", Method: "GET", Path: "/offerings/{id}/occurrences/{occurrenceId}/roster", Tag: "bookings", Compact: true, Feature: "booking.view",
		Summary: "Get a roster", Description: "Who comes to one date, with its counts. Who teaches it may see it too.",
	}, a.getRoster)
}

func (a *surface) getBooking(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (BookingDetail, error) {
	e, err := a.Booking.Get(ctx, sc, in.BookingID)
	if err != nil {
		return BookingDetail{}, err
	}
	m, err := a.Checkout.MoneyOf(ctx, sc.Tenant, e.Booking)
	if err != nil {
		return BookingDetail{}, err
	}
	charge, _, err := a.Checkout.ChargeOf(ctx, sc, e.Booking)
	return BookingDetail{
		Booking: showBooking(e), Policy: BookingPolicy{Rules: e.Rules, Summary: wire.Words(e.Rules, e.Kind, e.Course(), e.Currency)},
		AllowedActions: wire.Show(e.StudioActions(a.DB.Clock().Now(), e.Wall()), wire.ShowAllowed), Dates: wire.Show(e.Dates, wire.ShowCourseDate),
		Money: BookingMoney{Price: e.PriceAmount, Currency: string(e.Currency), Paid: m.Paid, OrderTotal: m.OrderTotal,
			OrderRefunded: m.OrderRefunded, PaidAtStudio: m.PaidAtStudio, Due: m.Due, FeesDue: m.FeesDue,
			Charging: charge.Amount, ChargeFailed: charge.Failed},
	}, err
}

func (a *surface) getRoster(ctx context.Context, sc tenancy.Scope, in *rosterIn) (Roster, error) {
	list := op.ListKey("roster", in.OccurrenceID)
	page, err := wire.In[paging.Moment](a.Cursors, sc, list, in.Page)
	if err != nil {
		return Roster{}, err
	}
	r, err := a.Booking.RosterOf(ctx, sc, booking.RosterInput{OccurrenceID: in.OccurrenceID, Page: page})
	if err == nil && r.OfferingID != in.ID {
		err = fault.Missing() // a date is found under its own offering only
	}
	entries := wire.List(a.Cursors, sc, list, r.Entries, showBooking)
	return Roster{
		OccurrenceID: r.OccurrenceID, OfferingID: r.OfferingID, OfferingName: r.OfferingName, LocationID: r.LocationID,
		LocationName: r.LocationName, Zone: r.Zone, StartsAt: r.StartsAt, EndsAt: r.EndsAt, State: r.State,
		Instructor: r.Instructor, Space: r.Space, Capacity: r.Capacity, OnlineCapacity: r.OnlineCapacity, Taken: r.Taken,
		TakenOnline: r.TakenOnline, Entries: entries.Items, NextCursor: entries.NextCursor,
	}, err
}

func showBooking(e booking.StudioBooking) Booking {
	return Booking{
		ID: e.ID, LocationID: e.LocationID, LocationName: e.LocationName, OfferingID: e.OfferingID, OfferingName: e.OfferingName,
		OccurrenceID: e.OccurrenceID, CustomerID: e.CustomerID, CustomerName: e.CustomerName, CustomerEmail: e.CustomerEmail,
		CustomerPhone: e.CustomerPhone, Kind: e.Kind, Party: e.Party, Attendee: e.Attendee, Note: e.Note, State: e.State,
		Online: e.Online, StartsAt: e.StartsAt,
		EndsAt: e.EndsAt, Zone: e.Zone, Instructor: e.Instructor, Space: e.Space, Price: e.PriceAmount,
		Currency: string(e.Currency), OrderID: e.OrderID, GroupID: e.GroupID, Course: e.Course(), ConfirmedAt: e.ConfirmedAt,
		CancelledAt: e.CancelledAt, CheckedInAt: e.CheckedInAt, CheckedOutAt: e.CheckedOutAt,
		Reschedules: e.Reschedules, ReviewAt: e.ReviewAt, GraceUntil: e.GraceUntil, Version: e.Version,
		CreatedAt: e.CreatedAt, UpdatedAt: e.UpdatedAt,
	}
}

func showBookingTransition(c booking.Change) BookingTransition {
	return BookingTransition{
		ID: c.ID, Transition: c.Transition, From: string(c.From), To: string(c.To), Reason: c.Words, FromStartsAt: c.FromStart,
		ActorKind: string(c.ActorKind), ActorName: c.ActorName, Surface: string(c.Surface), At: c.At,
	}
}
