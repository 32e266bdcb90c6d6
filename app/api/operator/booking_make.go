package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/civil"
	"foyer/app/patch"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// BookedFor is the customer that the studio books for.
type BookedFor struct {
	CustomerID *uuid.UUID `json:"customerId,omitempty" doc:"A customer of the business; or an address."`
	Email      string     `json:"email,omitempty" maxLength:"254" doc:"Of a person, who becomes a customer when they are none."`
	Name       string     `json:"name,omitempty" maxLength:"120" doc:"Of a new person."`
}

func (w BookedFor) who() booking.CustomerRef {
	out := booking.CustomerRef{Email: w.Email, Name: w.Name}
	patch.Set(&out.CustomerID, w.CustomerID)
	return out
}

// timeBody is a time of an appointment or a rental.
type timeBody struct {
	OfferingID uuid.UUID  `json:"offeringId"`
	StartsAt   time.Time  `json:"startsAt"`
	Minutes    int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"The offering's length when left out."`
	MemberID   *uuid.UUID `json:"memberId,omitempty" doc:"Anyone when left out."`
	SpaceID    *uuid.UUID `json:"spaceId,omitempty" doc:"Any of the offering's when left out."`
}

type createBookingBody struct {
	BookedFor
	OccurrenceID *uuid.UUID `json:"occurrenceId,omitempty" doc:"A date of a class; or a course, or a time."`
	OfferingID   *uuid.UUID `json:"offeringId,omitempty" doc:"A course: all of its dates that are to come."`
	Time         *timeBody  `json:"time,omitempty" doc:"Of an appointment or a rental."`
	Party        int        `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Seats; 1 when left out."`
	Attendee     string     `json:"attendee,omitempty" maxLength:"120" doc:"Who is coming, when it is somebody else."`
	Note         string     `json:"note,omitempty" maxLength:"2000" doc:"The studio's."`
	Payment      string     `json:"payment,omitempty" enum:"later" doc:"It is paid at the studio."`
	OverrideBody
	op.Quote
}

// recurringTimes are times of an appointment or a rental, on the location's wall clock, also when the clocks change.
type recurringTimes struct {
	At       civil.Clock `json:"at" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"The time of day on the location's wall clock." example:"09:30"`
	Minutes  int         `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"The offering's length when left out."`
	Every    int         `json:"every,omitempty" minimum:"1" maximum:"52" doc:"Weeks; every week when left out."`
	Count    *int        `json:"count,omitempty" minimum:"1" maximum:"60" doc:"How many times; or until."`
	MemberID *uuid.UUID  `json:"memberId,omitempty" doc:"Anyone when left out."`
	SpaceID  *uuid.UUID  `json:"spaceId,omitempty" doc:"Any of the offering's when left out."`
}

type createRecurringBody struct {
	BookedFor
	OfferingID    uuid.UUID       `json:"offeringId" doc:"The class, the appointment or the rental."`
	OccurrenceIDs []uuid.UUID     `json:"occurrenceIds,omitempty" maxItems:"200" uniqueItems:"true" doc:"The dates; or a rule."`
	From          *civil.Date     `json:"from,omitempty" format:"date" doc:"Of the rule: the first possible day."`
	Until         *civil.Date     `json:"until,omitempty" format:"date" doc:"Of the rule: the last possible day."`
	Weekdays      []int           `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"Of the rule: 0 is Sunday; every day when left out."`
	SeriesID      *uuid.UUID      `json:"seriesId,omitempty" doc:"Of the rule: dates of this series only."`
	Times         *recurringTimes `json:"times,omitempty" doc:"Of an appointment or a rental: weekly from the day from on, on these weekdays or on its own, up to until or so many times."`
	Party         int             `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Seats on each date; 1 when left out."`
	Attendee      string          `json:"attendee,omitempty" maxLength:"120"`
	Note          string          `json:"note,omitempty" maxLength:"2000"`
	OnClash       booking.OnClash `json:"onClash,omitempty" doc:"When some dates cannot be booked: book nothing, or the others."`
	OverrideBody
	op.Quote
}

// RecurringBookings is what a recurring booking made, and what could not be booked.
type RecurringBookings struct {
	GroupID  uuid.UUID       `json:"groupId"`
	Bookings []BookedDateRow `json:"bookings"`
	Clashes  []DateClash     `json:"clashes"`
}

// BookedDateRow is one booking of a recurring one.
type BookedDateRow struct {
	BookingID    uuid.UUID `json:"bookingId"`
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	wire.BookEffects
}

// RecurringEffects is what a recurring booking makes, and what cannot be booked.
type RecurringEffects struct {
	Bookings []wire.BookEffects `json:"bookings"`
	Clashes  []DateClash        `json:"clashes"`
}

// DateClash is a date that cannot be booked.
type DateClash struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId" doc:"null: a time of an appointment or a rental."`
	StartsAt     time.Time  `json:"startsAt"`
	Reason       string     `json:"reason" doc:"A code as in details.reason: of a class full, started, cancelled, not_bookable, too_late, too_early, duplicate; of an appointment or a rental those of availability."`
}

func (a *surface) bookingMaking() {
	declare(a, op.Spec{
		ID: "createBooking", Method: "POST", Path: "/businesses/{businessId}/bookings", Tag: "bookings", Compact: true,
		Summary: "Book for a customer", Description: "A date of a class, a course, or a time of an appointment or a rental. It is confirmed at once and paid later. " +
			"A course is booked with all of its dates that are to come, or not at all; details.dates lists those that are full. One date of it is booked by itself only with override, and costs nothing." +
			wire.Refuses("full", "started", "cancelled", "not_bookable", "too_late", "too_early", "duplicate", "course") +
			" Times of appointments and rentals have those of availability, with details.alternatives.",
		Feature: "booking.manage", Success: 201, Quoted: true,
	}, a.createBooking)
	declare(a, op.Spec{
		ID: "createRecurringBooking", Method: "POST", Path: "/businesses/{businessId}/bookings/recurring", Tag: "bookings",
		Summary: "Book many dates for a customer", Description: "Dates of one class, by a list or by a rule, or times of an appointment or a rental, by a rule. Each is a booking of its own, and they share groupId; the customer is told once. dryRun with onClash skip tells which are free and which clash; without skip one that clashes refuses all, and details.clashes and details.free list them." +
			wire.Refuses("clashes", "course"),
		Feature: "booking.manage", Success: 201, Quoted: true,
	}, a.createRecurring)
}

func (a *surface) createBooking(ctx context.Context, sc tenancy.Scope, in *wire.Body[createBookingBody]) (op.Quoted[Booking, wire.BookEffects], error) {
	b := in.Body
	ask := booking.BookInput{
		Customer: b.who(), Party: b.Party, Attendee: b.Attendee, Note: b.Note, Override: b.Override, Reason: b.Reason,
	}
	patch.Set(&ask.OccurrenceID, b.OccurrenceID)
	patch.Set(&ask.OfferingID, b.OfferingID)
	if t := b.Time; t != nil {
		ask.Time = (*booking.Times)(t)
	}
	got, err := a.Booking.Book(ctx, sc, ask)
	return op.Quoted[Booking, wire.BookEffects]{Done: showBooking(got.Booking), Effects: wire.ShowMade(got.Done)}, err
}

func (a *surface) createRecurring(ctx context.Context, sc tenancy.Scope, in *wire.Body[createRecurringBody]) (op.Quoted[RecurringBookings, RecurringEffects], error) {
	b := in.Body
	ask := booking.RecurringInput{
		Customer: b.who(), OfferingID: b.OfferingID, OccurrenceIDs: b.OccurrenceIDs, Party: b.Party, Attendee: b.Attendee, Note: b.Note,
		Weekdays: wire.Show(b.Weekdays, func(d int) time.Weekday { return time.Weekday(d) }), OnClash: b.OnClash,
		Override: b.Override, Reason: b.Reason,
	}
	patch.Set(&ask.From, b.From)
	patch.Set(&ask.Until, b.Until)
	patch.Set(&ask.SeriesID, b.SeriesID)
	ask.Times = (*booking.RecurringTimes)(b.Times)
	got, err := a.Booking.BookRecurring(ctx, sc, ask)
	return op.Quoted[RecurringBookings, RecurringEffects]{
		Done: RecurringBookings{GroupID: got.GroupID, Bookings: wire.Show(got.Bookings, func(b booking.Booked) BookedDateRow {
			return BookedDateRow{b.BookingID, b.OccurrenceID, wire.ShowMade(b.Made)}
		}), Clashes: wire.Show(got.Clashes, showDateClash)},
		Effects: RecurringEffects{Bookings: wire.Show(got.Bookings, func(b booking.Booked) wire.BookEffects { return wire.ShowMade(b.Made) }),
			Clashes: wire.Show(got.Clashes, showDateClash)},
	}, err
}

func showDateClash(c booking.Clash) DateClash { return DateClash(c) }
