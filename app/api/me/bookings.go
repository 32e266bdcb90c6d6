package me

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/letters"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MyBooking is a booking for its customer.
type MyBooking struct {
	ID           uuid.UUID    `json:"id"`
	BusinessID   uuid.UUID    `json:"businessId"`
	BusinessName string       `json:"businessName"`
	LocationID   uuid.UUID    `json:"locationId"`
	LocationName string       `json:"locationName"`
	OfferingID   uuid.UUID    `json:"offeringId"`
	OfferingName string       `json:"offeringName"`
	OccurrenceID uuid.UUID    `json:"occurrenceId"`
	Kind         catalog.Kind `json:"kind"`
	Party        int          `json:"party" doc:"Number of seats."`
	Attendee     string       `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	State        string       `json:"state" enum:"requested,declined,confirmed,cancelled,late_cancelled,studio_cancelled,checked_in,no_show,completed"`
	StartsAt     time.Time    `json:"startsAt"`
	EndsAt       time.Time    `json:"endsAt"`
	Zone         string       `json:"zone" doc:"Time zone of the times."`
	Instructor   string       `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space        string       `json:"space" doc:"Name of the space; empty if none is assigned."`
	Price        int64        `json:"price" doc:"Listed price at the time of booking, in minor units."`
	Currency     string       `json:"currency"`
	ConfirmedAt  *time.Time   `json:"confirmedAt"`
	CancelledAt  *time.Time   `json:"cancelledAt"`

	Policy         []string       `json:"policy" doc:"The policy of this booking as English sentences, as it was at the time of booking."`
	AllowedActions []wire.Allowed `json:"allowedActions" doc:"Actions available now, with their deadlines; for a course, on all of its dates."`

	GroupID *uuid.UUID        `json:"groupId" doc:"Identifier shared by bookings that were made together."`
	Dates   []wire.CourseDate `json:"dates" doc:"For a course, listed as one booking by its next date: all of its dates; otherwise empty."`
}

type cancelMineIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      *cancelMineBody
}

type cancelMineBody struct {
	Scope booking.Scope `json:"scope,omitempty" doc:"For a recurring booking: this one (the default), this and later ones, or all upcoming ones."`
	op.Quote
}

type rescheduleMineIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      rescheduleMineBody
}

type rescheduleMineBody struct {
	wire.BookingTarget
	op.Quote
}

type listMineIn struct {
	op.Page
	When string `query:"when" enum:"upcoming,past" default:"upcoming" doc:"upcoming: soonest first. past: latest first."`
}

func (a *surface) myBookings() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyBookings", Method: "GET", Path: "/me/bookings", Tag: "me", Compact: true,
		Summary:     "List own bookings",
		Description: "Returns the signed-in person's bookings in all businesses. API keys are refused.",
		Access:      op.Session, Errors: []int{400, 401, 403},
	}, wire.Filtered(a.Cursors, "me.bookings", wire.Own(a.Booking.Mine), a.showMine,
		func(_ tenancy.Scope, in *listMineIn, page paging.In[paging.Moment]) booking.MineInput {
			return booking.MineInput{Past: in.When == "past", Page: page}
		}))
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBooking", Method: "GET", Path: "/me/bookings/{bookingId}", Tag: "me", Compact: true,
		Summary:     "Get an own booking",
		Description: "Returns a booking of the signed-in person, and 404 for another person's.",
		Access:      op.Session, Errors: []int{401, 403, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (MyBooking, error) {
		v, err := a.Booking.MyBooking(ctx, sc.Principal, in.BookingID)
		return a.showMine(v), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "cancelMyBooking", Method: "POST", Path: "/me/bookings/{bookingId}/cancel", Tag: "me", Compact: true,
		Summary: "Cancel an own booking",
		Description: "Refund and fee follow the policy as it was at the time of booking; dryRun returns them in advance. A " +
			"booking request is withdrawn free of charge. A course is cancelled with all upcoming dates, for any of its " +
			"bookings; for a recurring booking, scope selects the bookings to cancel, all or none." +
			wire.Refuses("state", "started", "not_allowed", "course"),
		Access: op.Session, Errors: wire.ChangeErrors, Quoted: true,
	}, a.cancelMine)
	op.Declare(a.Ops, op.Spec{
		ID: "rescheduleMyBooking", Method: "POST", Path: "/me/bookings/{bookingId}/reschedule", Tag: "me", Compact: true,
		Summary: "Reschedule an own booking",
		Description: "Reschedules to another date of the class, or another time of the appointment or rental. The id " +
			"stays; nothing is charged again." +
			wire.Refuses("state", "started", "not_allowed", "too_late", "too_early", "full", "cancelled", "not_bookable", "duplicate", "price_difference", "course") +
			" Times of appointments and rentals have the reasons of availability, with details.alternatives.",
		Access: op.Session, Errors: wire.ChangeErrors, Quoted: true,
	}, a.rescheduleMine)
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBookingCalendar", Method: "GET", Path: "/me/bookings/{bookingId}/calendar.ics", Tag: "me", Media: "text/calendar; charset=utf-8",
		Summary: "Get the calendar file of an own booking",
		Description: "Returns one event, in UTC, with a stable id; for a course one event for each date. The sequence " +
			"number grows with every change. The event of a cancelled booking is cancelled.",
		Access: op.Session, Errors: []int{401, 403, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (op.Raw, error) {
		v, err := a.Booking.MyBooking(ctx, sc.Principal, in.BookingID)
		return op.Download("booking.ics", []byte(letters.Calendar(a.Host, letters.EventsOf(v)))), err
	})
}

func (a *surface) cancelMine(ctx context.Context, sc tenancy.Scope, in *cancelMineIn) (op.Quoted[MyBooking, wire.CancelEffects], error) {
	var scope booking.Scope
	if in.Body != nil {
		scope = in.Body.Scope
	}
	got, err := a.Booking.CancelMyRecurring(ctx, sc, in.BookingID, scope)
	return op.Quoted[MyBooking, wire.CancelEffects]{Done: a.showMine(got.Booking), Effects: wire.ShowCancelled(got.Done)}, err
}

func (a *surface) rescheduleMine(ctx context.Context, sc tenancy.Scope, in *rescheduleMineIn) (op.Quoted[MyBooking, wire.RescheduleEffects], error) {
	got, err := a.Booking.RescheduleMine(ctx, sc, in.BookingID, in.Body.Target())
	return op.Quoted[MyBooking, wire.RescheduleEffects]{Done: a.showMine(got.Booking), Effects: wire.ShowRescheduled(got.Done)}, err
}

func (a *surface) showMine(v booking.CustomerBooking) MyBooking {
	return MyBooking{
		ID: v.ID, BusinessID: v.BusinessID, BusinessName: v.BusinessName, LocationID: v.LocationID, LocationName: v.LocationName,
		OfferingID: v.OfferingID, OfferingName: v.OfferingName, OccurrenceID: v.OccurrenceID, Kind: v.Kind, Party: v.Party,
		Attendee: v.Attendee, CancelledAt: v.CancelledAt, Policy: wire.Words(v.Rules, v.Kind, v.Course(), v.Currency),
		AllowedActions: wire.Show(v.CustomerActions(a.DB.Clock().Now()), wire.ShowAllowed),
		State:          string(v.State), StartsAt: v.StartsAt, EndsAt: v.EndsAt, Zone: v.Zone, Instructor: v.Instructor,
		Space: v.Space, Price: v.PriceAmount, Currency: string(v.Currency), ConfirmedAt: v.ConfirmedAt,
		GroupID: v.GroupID, Dates: wire.Show(v.Dates, wire.ShowCourseDate),
	}
}
