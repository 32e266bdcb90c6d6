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

// BookedFor is the customer of a booking made by staff.
type BookedFor struct {
	CustomerID *uuid.UUID `json:"customerId,omitempty" doc:"A customer of the business. Send this or email."`
	Email      string     `json:"email,omitempty" maxLength:"254" doc:"Email address of a person. A person without a customer record becomes a customer."`
	Name       string     `json:"name,omitempty" maxLength:"120" doc:"Name of a new person."`
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
	Minutes    int        `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	MemberID   *uuid.UUID `json:"memberId,omitempty" doc:"The instructor. The default is any available one."`
	SpaceID    *uuid.UUID `json:"spaceId,omitempty" doc:"The space. The default is any of the offering's."`
}

type createBookingBody struct {
	BookedFor
	OccurrenceID *uuid.UUID `json:"occurrenceId,omitempty" doc:"A date of a class. Send this, offeringId or time."`
	OfferingID   *uuid.UUID `json:"offeringId,omitempty" doc:"A course, booked with all of its upcoming dates."`
	Time         *timeBody  `json:"time,omitempty" doc:"A time of an appointment or a rental."`
	Party        int        `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of seats. The default is 1."`
	Attendee     string     `json:"attendee,omitempty" maxLength:"120" doc:"Name of the attendee, if it is not the customer."`
	Note         string     `json:"note,omitempty" maxLength:"2000" doc:"The studio's note."`
	Payment      string     `json:"payment,omitempty" enum:"later" doc:"The booking is paid at the studio."`
	OverrideBody
	op.Quote
}

// recurringTimes are times of an appointment or a rental, on the location's wall clock in summer and winter time
// alike.
type recurringTimes struct {
	At       civil.Clock `json:"at" pattern:"^([01][0-9]|2[0-3]):[0-5][0-9]$" doc:"Time of day on the location's wall clock." example:"09:30"`
	Minutes  int         `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"Length in minutes. The default is the offering's length."`
	Every    int         `json:"every,omitempty" minimum:"1" maximum:"52" doc:"Interval in weeks. The default is every week."`
	Count    *int        `json:"count,omitempty" minimum:"1" maximum:"60" doc:"Number of bookings. Send this or until."`
	MemberID *uuid.UUID  `json:"memberId,omitempty" doc:"The instructor. The default is any available one."`
	SpaceID  *uuid.UUID  `json:"spaceId,omitempty" doc:"The space. The default is any of the offering's."`
}

type createRecurringBody struct {
	BookedFor
	OfferingID    uuid.UUID       `json:"offeringId" doc:"The class, the appointment or the rental."`
	OccurrenceIDs []uuid.UUID     `json:"occurrenceIds,omitempty" maxItems:"200" uniqueItems:"true" doc:"The dates. Send these or a rule."`
	From          *civil.Date     `json:"from,omitempty" format:"date" doc:"For a rule: first possible day."`
	Until         *civil.Date     `json:"until,omitempty" format:"date" doc:"For a rule: last possible day."`
	Weekdays      []int           `json:"weekdays,omitempty" minimum:"0" maximum:"6" maxItems:"7" uniqueItems:"true" doc:"For a rule: weekdays, 0 is Sunday. The default is every day."`
	SeriesID      *uuid.UUID      `json:"seriesId,omitempty" doc:"For a rule: only dates of this series."`
	Times         *recurringTimes `json:"times,omitempty" doc:"For an appointment or a rental: times repeated weekly from the day in from, on the given weekdays or on the weekday of from, up to until or count."`
	Party         int             `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of seats on each date. The default is 1."`
	Attendee      string          `json:"attendee,omitempty" maxLength:"120"`
	Note          string          `json:"note,omitempty" maxLength:"2000"`
	OnClash       booking.OnClash `json:"onClash,omitempty" doc:"If some dates cannot be booked: book none, or only the others."`
	OverrideBody
	op.Quote
}

// RecurringBookings lists the bookings made for a recurring booking, and the dates that could not be booked.
type RecurringBookings struct {
	GroupID  uuid.UUID       `json:"groupId"`
	Bookings []BookedDateRow `json:"bookings"`
	Clashes  []DateClash     `json:"clashes"`
}

// BookedDateRow is one booking of a recurring booking.
type BookedDateRow struct {
	BookingID    uuid.UUID `json:"bookingId"`
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	wire.BookEffects
}

// RecurringEffects lists the bookings of a quote for a recurring booking, and the dates that cannot be booked.
type RecurringEffects struct {
	Bookings []wire.BookEffects `json:"bookings"`
	Clashes  []DateClash        `json:"clashes"`
}

// DateClash is a date that cannot be booked.
type DateClash struct {
	OccurrenceID *uuid.UUID `json:"occurrenceId" doc:"The date of the class; null for a time of an appointment or a rental."`
	StartsAt     time.Time  `json:"startsAt"`
	Reason       string     `json:"reason" doc:"Code as in details.reason. For a class: full, started, cancelled, not_bookable, too_late, too_early, duplicate. For an appointment or a rental: those of availability."`
}

func (a *surface) bookingMaking() {
	declare(a, op.Spec{
		ID: "createBooking", Method: "POST", Path: "/businesses/{businessId}/bookings", Tag: "bookings", Compact: true,
		Summary: "Create a booking",
		Description: "Books a customer on a date of a class, a course, or a time of an appointment or a rental. The " +
			"booking is confirmed at once and paid later. A course is booked with all of its upcoming dates or not at all; " +
			"details.dates lists the full ones. One date of a course can be booked alone only with override, at no charge." +
			wire.Refuses("full", "started", "cancelled", "not_bookable", "too_late", "too_early", "duplicate", "course") +
			" Times of appointments and rentals have the reasons of availability, with details.alternatives.",
		Feature: "booking.manage", Success: 201, Quoted: true,
	}, a.createBooking)
	declare(a, op.Spec{
		ID: "createRecurringBooking", Method: "POST", Path: "/businesses/{businessId}/bookings/recurring", Tag: "bookings",
		Summary: "Create a recurring booking",
		Description: "Books a customer on dates of one class, by a list or by a rule, or on times of an appointment or a " +
			"rental, by a rule. Each date is a booking of its own, and all share a groupId. The customer is notified once. " +
			"dryRun with onClash skip returns the free dates and the clashes. Without skip, one clash refuses all, and " +
			"details.clashes and details.free list the dates." +
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
