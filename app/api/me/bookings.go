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

// MyBooking is a booking as its customer sees it.
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
	Party        int          `json:"party" doc:"Seats."`
	Attendee     string       `json:"attendee" doc:"Who is coming, when it is somebody else."`
	State        string       `json:"state" enum:"requested,declined,confirmed,cancelled,late_cancelled,studio_cancelled,checked_in,no_show,completed"`
	StartsAt     time.Time    `json:"startsAt"`
	EndsAt       time.Time    `json:"endsAt"`
	Zone         string       `json:"zone" doc:"The wall clock of the times."`
	Instructor   string       `json:"instructor" doc:"Empty: nobody is named."`
	Space        string       `json:"space" doc:"Empty: none is named."`
	Price        int64        `json:"price" doc:"As listed when it was booked, in minor units."`
	Currency     string       `json:"currency"`
	ConfirmedAt  *time.Time   `json:"confirmedAt"`
	CancelledAt  *time.Time   `json:"cancelledAt"`

	Policy         []string       `json:"policy" doc:"The rules of this booking in plain words, as they were when it was made."`
	AllowedActions []wire.Allowed `json:"allowedActions" doc:"What can be done now, with its deadlines; of a course, to the whole of it."`

	GroupID *uuid.UUID        `json:"groupId" doc:"Bookings that were made together."`
	Dates   []wire.CourseDate `json:"dates" doc:"Of a course, which is one booking, by its next date: all of its dates; none of anything else."`
}

type cancelMineIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      *cancelMineBody
}

type cancelMineBody struct {
	Scope booking.Scope `json:"scope,omitempty" doc:"Of a recurring booking: this one, the default; with those that begin later; or with all that are to come."`
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
	When string `query:"when" enum:"upcoming,past" default:"upcoming" doc:"What is to come, the soonest first, or what is over, the latest first."`
}

func (a *surface) myBookings() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyBookings", Method: "GET", Path: "/me/bookings", Tag: "me", Compact: true,
		Summary: "List own bookings", Description: "The signed-in person's bookings in all businesses. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403},
	}, wire.Filtered(a.Cursors, "me.bookings", wire.Own(a.Booking.Mine), a.showMine,
		func(_ tenancy.Scope, in *listMineIn, page paging.In[paging.Moment]) booking.MineInput {
			return booking.MineInput{Past: in.When == "past", Page: page}
		}))
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBooking", Method: "GET", Path: "/me/bookings/{bookingId}", Tag: "me", Compact: true,
		Summary: "Get an own booking", Description: "One booking of the signed-in person. Somebody else's is not found.",
		Access: op.Session, Errors: []int{401, 403, 404},
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (MyBooking, error) {
		v, err := a.Booking.MyBooking(ctx, sc.Principal, in.BookingID)
		return a.showMine(v), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "cancelMyBooking", Method: "POST", Path: "/me/bookings/{bookingId}/cancel", Tag: "me", Compact: true,
		Summary: "Cancel an own booking", Description: "What it costs follows from the policy as it was when it was booked; dryRun says it first. A request is withdrawn free of charge. A course is cancelled with all dates that are to come, whichever is named; of a recurring booking scope says which bookings end, all of them or none." +
			wire.Refuses("state", "started", "not_allowed", "course"),
		Access: op.Session, Errors: wire.ChangeErrors, Quoted: true,
	}, a.cancelMine)
	op.Declare(a.Ops, op.Spec{
		ID: "rescheduleMyBooking", Method: "POST", Path: "/me/bookings/{bookingId}/reschedule", Tag: "me", Compact: true,
		Summary: "Move an own booking", Description: "To another date of its class, or another time of its appointment or rental. It keeps its id; nothing is charged again." +
			wire.Refuses("state", "started", "not_allowed", "too_late", "too_early", "full", "cancelled", "not_bookable", "duplicate", "price_difference", "course") +
			" Times of appointments and rentals have those of availability, with details.alternatives.",
		Access: op.Session, Errors: wire.ChangeErrors, Quoted: true,
	}, a.rescheduleMine)
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBookingCalendar", Method: "GET", Path: "/me/bookings/{bookingId}/calendar.ics", Tag: "me", Media: "text/calendar; charset=utf-8",
		Summary: "Get an own booking as a calendar file", Description: "One event, in UTC, whose id stays; of a course one for each date. Its sequence grows with every change; a cancelled booking says so.",
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
