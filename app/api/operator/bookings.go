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

// Booking is one booking of a customer at one occurrence, for the team.
type Booking struct {
	ID            uuid.UUID     `json:"id"`
	LocationID    uuid.UUID     `json:"locationId"`
	LocationName  string        `json:"locationName"`
	OfferingID    uuid.UUID     `json:"offeringId"`
	OfferingName  string        `json:"offeringName"`
	OccurrenceID  uuid.UUID     `json:"occurrenceId"`
	CustomerID    uuid.UUID     `json:"customerId"`
	CustomerName  string        `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail string        `json:"customerEmail"`
	CustomerPhone string        `json:"customerPhone"`
	Kind          catalog.Kind  `json:"kind"`
	Party         int           `json:"party" doc:"Number of seats."`
	Attendee      string        `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	Note          string        `json:"note" doc:"The studio's note."`
	State         booking.State `json:"state" doc:"State of the booking. A held booking counts until its hold expires; a requested one reserves no seat."`
	Online        bool          `json:"online" doc:"Whether it counts among the seats sold online."`
	StartsAt      time.Time     `json:"startsAt"`
	EndsAt        time.Time     `json:"endsAt"`
	Zone          string        `json:"zone" doc:"Time zone of the times."`
	Instructor    string        `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space         string        `json:"space" doc:"Name of the space; empty if none is assigned."`
	Price         int64         `json:"price" doc:"Listed price at the time of the hold, in minor units."`
	Currency      string        `json:"currency"`
	OrderID       *uuid.UUID    `json:"orderId" doc:"The order it was sold with; null before payment begins and for a booking that is paid later."`
	GroupID       *uuid.UUID    `json:"groupId" doc:"Identifier shared by bookings that were made together."`
	Course        bool          `json:"course" doc:"Whether it is a date of a course. It is approved, declined and cancelled together with the others of its group. The first date carries the price."`
	ConfirmedAt   *time.Time    `json:"confirmedAt"`
	CancelledAt   *time.Time    `json:"cancelledAt"`
	CheckedInAt   *time.Time    `json:"checkedInAt"`
	CheckedOutAt  *time.Time    `json:"checkedOutAt" doc:"When the customer checked out early."`
	Reschedules   int           `json:"reschedules" doc:"Number of times the customer has rescheduled it."`
	ReviewAt      *time.Time    `json:"reviewAt" doc:"For a no-show: until when its fee is in review."`
	GraceUntil    *time.Time    `json:"graceUntil" doc:"For a late promotion from the waitlist: until when cancelling is free of charge."`
	Version       int64         `json:"version"`
	CreatedAt     time.Time     `json:"createdAt"`
	UpdatedAt     time.Time     `json:"updatedAt"`
}

// BookingDetail is a booking with its policy, its available actions and its money.
type BookingDetail struct {
	Booking
	Policy         BookingPolicy     `json:"policy"`
	AllowedActions []wire.Allowed    `json:"allowedActions" doc:"Actions available to the studio now without an override."`
	Money          BookingMoney      `json:"money" doc:"Amounts of the booking; for a course, of all of its dates."`
	Dates          []wire.CourseDate `json:"dates" doc:"For a course: all of its dates; otherwise empty."`
}

// BookingPolicy is the policy as it was when the booking was made. All decisions about the booking follow it.
type BookingPolicy struct {
	Rules   catalog.Rules `json:"rules"`
	Summary []string      `json:"summary" doc:"The rules as English sentences."`
}

// BookingMoney lists the amounts of a booking, in minor units.
type BookingMoney struct {
	Price         int64  `json:"price" doc:"Listed price at the time of booking."`
	Currency      string `json:"currency"`
	Paid          int64  `json:"paid" doc:"Amount paid by card for this booking, including tax and later charges of a saved card."`
	OrderTotal    int64  `json:"orderTotal" doc:"Total of the order it was sold with; 0 without an order."`
	OrderRefunded int64  `json:"orderRefunded" doc:"Refunds of that order and of later charges of a saved card, including pending refunds."`
	PaidAtStudio  int64  `json:"paidAtStudio" doc:"Amount paid at the studio and not refunded there."`
	Due           int64  `json:"due" doc:"Amount due at the studio."`
	FeesDue       int64  `json:"feesDue" doc:"Late-cancellation and no-show fees due."`
	Charging      int64  `json:"charging" doc:"Amount of a saved-card charge in progress that includes the price; 0 if there is none."`
	ChargeFailed  string `json:"chargeFailed" doc:"Decline code of the last charge of the saved card. The amount is still due, and the customer has a payment link. Empty if no charge was attempted or one is in progress."`
}

// BookingTransition is one change of state of a booking.
type BookingTransition struct {
	ID           uuid.UUID          `json:"id"`
	Transition   booking.Transition `json:"transition"`
	From         string             `json:"from" doc:"State before the transition; empty for the first one."`
	To           string             `json:"to"`
	Reason       string             `json:"reason" doc:"Reason given; may be empty."`
	FromStartsAt *time.Time         `json:"fromStartsAt" doc:"For a rescheduled booking: its original start."`
	ActorKind    string             `json:"actorKind" enum:",person,key,system"`
	ActorName    string             `json:"actorName" doc:"Name of the actor; may be empty."`
	Surface      string             `json:"surface"`
	At           time.Time          `json:"at"`
}

// BookingHistory lists the transitions of a booking, earliest first.
type BookingHistory struct {
	Items []BookingTransition `json:"items"`
}

// Roster is the list of bookings of one date.
type Roster struct {
	OccurrenceID   uuid.UUID      `json:"occurrenceId"`
	OfferingID     uuid.UUID      `json:"offeringId"`
	OfferingName   string         `json:"offeringName"`
	LocationID     uuid.UUID      `json:"locationId"`
	LocationName   string         `json:"locationName"`
	Zone           string         `json:"zone" doc:"Time zone of the times."`
	StartsAt       time.Time      `json:"startsAt"`
	EndsAt         time.Time      `json:"endsAt"`
	State          schedule.State `json:"state"`
	Instructor     string         `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space          string         `json:"space" doc:"Name of the space; empty if none is assigned."`
	Capacity       int            `json:"capacity"`
	OnlineCapacity int            `json:"onlineCapacity"`
	Taken          int            `json:"taken" doc:"Seats held or booked."`
	TakenOnline    int            `json:"takenOnline"`
	Entries        []Booking      `json:"entries" doc:"Bookings with a seat, held or booked, in the order they were made."`
	NextCursor     *string        `json:"nextCursor" doc:"Cursor of the next page of entries; null at the end."`
}

type listBookingsIn struct {
	op.Page
	LocationID   uuid.UUID     `query:"locationId"`
	OfferingID   uuid.UUID     `query:"offeringId"`
	OccurrenceID uuid.UUID     `query:"occurrenceId"`
	CustomerID   uuid.UUID     `query:"customerId"`
	MemberID     uuid.UUID     `query:"memberId" doc:"Only bookings of this instructor."`
	GroupID      uuid.UUID     `query:"groupId" doc:"Only bookings that were made together: the dates of a course or a recurring booking."`
	State        booking.State `query:"state" doc:"Only bookings in this state. The default is every state except held and expired."`
	From         time.Time     `query:"from" doc:"Earliest start."`
	To           time.Time     `query:"to" doc:"Only bookings that start before this time."`
	Order        string        `query:"order" enum:"latest,earliest" default:"latest" doc:"Sort order by start."`
}

type rosterIn struct {
	OfferingPath
	op.Page
	OccurrenceID uuid.UUID `path:"occurrenceId" doc:"The occurrence."`
}

func (a *surface) bookings() {
	declare(a, op.Spec{
		ID: "listBookings", Method: "GET", Path: "/businesses/{businessId}/bookings", Tag: "bookings", Compact: true, Feature: "booking.view",
		Summary: "List bookings",
		Description: "Returns the bookings visible to the caller, sorted by start: those of the whole business, of certain " +
			"locations, or of the sessions the caller teaches.",
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
		Summary: "Get a booking",
		Description: "Returns a booking in any state, with its policy as it was at the time of booking, the available " +
			"actions and its amounts.",
	}, a.getBooking)
	declare(a, op.Spec{
		ID: "getBookingHistory", Method: "GET", Path: "/businesses/{businessId}/bookings/{bookingId}/history", Tag: "bookings", Feature: "booking.view",
		Summary: "Get a booking's history", Description: "Returns every transition of a booking with its actor and reason.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (BookingHistory, error) {
		changes, err := a.Booking.History(ctx, sc, in.BookingID)
		return BookingHistory{wire.Show(changes, showBookingTransition)}, err
	})
	declare(a, op.Spec{
		ID: "getRoster", Method: "GET", Path: "/offerings/{id}/occurrences/{occurrenceId}/roster", Tag: "bookings", Compact: true, Feature: "booking.view",
		Summary:     "Get a roster",
		Description: "Returns the bookings of one date with its seat counts. The instructor of the date can see it too.",
	}, a.getRoster)
}

func (a *surface) getBooking(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (BookingDetail, error) {
	e, err := a.Booking.Get(ctx, sc, in.BookingID)
	if err != nil {
		return BookingDetail{}, err
	}
	m, err := a.Orders.MoneyOf(ctx, sc.Tenant, e.Booking)
	if err != nil {
		return BookingDetail{}, err
	}
	charge, _, err := a.Owed.ChargeOf(ctx, sc, e.Booking)
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
