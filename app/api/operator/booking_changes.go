package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/patch"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

type cancelBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      cancelBookingBody
}

type cancelBookingBody struct {
	CancelTerms
	ScopeBody
	op.Quote
}

// CancelTerms say how a booking is cancelled.
type CancelTerms struct {
	By      booking.By      `json:"by" doc:"On whose behalf. For the customer the policy decides what it costs; by the studio everything comes back and there is no fee."`
	FeeMode booking.FeeMode `json:"feeMode,omitempty" doc:"waive: as if it were in time. Needs booking.override and a reason."`
	Reason  string          `json:"reason,omitempty" maxLength:"500" doc:"By the studio it is told to the customer."`

	Destination billing.Destination `json:"destination,omitempty" default:"original" doc:"Of what comes back. Original: by the means by which it was paid; what was paid at the desk is handed back there, by a refund of its payment. Credit: all of it as account credit, at once; no money moves, and the platform fee stays."`
}

// input is the cancellation that they ask for.
func (t CancelTerms) input() booking.CancelInput {
	return booking.CancelInput{By: t.By, FeeMode: t.FeeMode, ToCredit: t.Destination == billing.ToCredit, Reason: t.Reason}
}

type rescheduleBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      rescheduleBookingBody
}

type rescheduleBookingBody struct {
	wire.BookingTarget
	ScopeBody
	OfferingID *uuid.UUID `json:"offeringId,omitempty" doc:"Of a course: another course of the location with as many dates to come. All of its dates move."`
	OverrideBody
	op.Quote
}

// ScopeBody says which bookings of a recurring one are meant.
type ScopeBody struct {
	Scope booking.Scope `json:"scope,omitempty" doc:"Of a recurring booking: this one, the default; with those that begin later; or with all that are to come."`
}

// OverrideBody sets rules aside.
type OverrideBody struct {
	Override bool   `json:"override,omitempty" doc:"Set rules aside: full, begun, notice, window. Needs booking.override and a reason; a full date gets the seat that is missing."`
	Reason   string `json:"reason,omitempty" maxLength:"500"`
}

type approveBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The request."`
	Body      *OverrideBody
}

type declineBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The request."`
	Body      *declineBookingBody
}

type declineBookingBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Told to the customer."`
}

type updateBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      updateBookingBody
}

type updateBookingBody struct {
	Version  int64   `json:"version" minimum:"1" doc:"That was read."`
	Note     *string `json:"note,omitempty" maxLength:"2000" doc:"The studio's."`
	Attendee *string `json:"attendee,omitempty" maxLength:"120" doc:"Who is coming, when it is somebody else than the customer."`
	Party    *int    `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Seats. More need room, and cost what a seat costs today."`
	// Of a booking that has been sold.
	Difference booking.Difference `json:"difference,omitempty" doc:"What becomes of what more people cost more than what was sold. refuse, the default: 409 with the amount. later: to be paid at the studio. waive: the price stays; needs booking.override and a reason."`
	Reason     string             `json:"reason,omitempty" maxLength:"500"`
}

// bookingOp is an operation on one booking of a business.
func bookingOp(id, method, path, summary, description string, quoted bool) op.Spec {
	return op.Spec{
		ID: id, Method: method, Path: "/businesses/{businessId}/bookings/{bookingId}" + path, Tag: "bookings", Summary: summary,
		Description: description, Feature: "booking.manage", Quoted: quoted,
	}
}

func (a *surface) bookingChanges() {
	cancel := bookingOp("cancelBooking", "POST", "/cancel", "Cancel a booking",
		"Whether it is late, what comes back and which fee is due follows from the policy as it was when it was booked. "+
			"A course is cancelled with all dates that are to come, whichever is named: what was paid comes back by its first date, and it is late by the next. "+
			"Of a recurring booking scope says which are cancelled, each by its own policy; the customer is told once. "+
			"What comes back goes where destination says; the effects have how much is which."+wire.Refuses("state", "started", "course"), true)
	cancel.Compact = true
	declare(a, cancel, a.cancelBooking)
	move := bookingOp("rescheduleBooking", "POST", "/reschedule", "Move a booking",
		"To another date of its class, or another time of its appointment or rental. It keeps its id; nothing is charged again. "+
			"A course that has not begun moves with all its dates to another course, each booking to one date there in the order of time; "+
			"course_differs then carries details.dates and details.booked, the numbers that are not the same, and full details.dates. "+
			"Of a recurring booking scope says which move: by as many days, to the same time of day on the location's wall clock, all of them or none; "+
			"details.clashes then lists what cannot be had."+
			wire.Refuses("state", "full", "started", "cancelled", "not_bookable", "too_late", "too_early", "duplicate", "course", "course_differs", "clashes")+
			" Times of appointments and rentals have those of availability, with details.alternatives.", true)
	move.Compact = true
	declare(a, move, a.rescheduleBooking)
	declare(a, bookingOp("approveBooking", "POST", "/approve", "Say yes to a request",
		"A request keeps no seat; it is taken here, so of two requests for the last one only one can be approved. A course is answered as a whole."+
			wire.Refuses("state", "full", "started", "cancelled", "not_bookable"), false), a.approveBooking)
	declare(a, bookingOp("declineBooking", "POST", "/decline", "Say no to a request",
		"All of what was paid goes back."+wire.Refuses("state"), false), a.declineBooking)
	edit := bookingOp("updateBooking", "PATCH", "", "Change a booking",
		"The studio's note, who is coming, and how many. More people on a booking that has been sold cost the difference, which is not charged to a card: "+
			"409 price_difference names it in details.difference and details.currency, unless difference says what becomes of it. "+
			"The price of a booking that has not been sold follows its party. The customer is told."+
			wire.Refuses("stale_version", "state", "duplicate", "full", "price_difference", "course"), false)
	edit.Versioned = true
	declare(a, edit, a.updateBooking)
}

func (a *surface) cancelBooking(ctx context.Context, sc tenancy.Scope, in *cancelBookingIn) (op.Quoted[Booking, wire.CancelEffects], error) {
	ask := in.Body.input()
	ask.BookingID, ask.Scope = in.BookingID, in.Body.Scope
	got, err := a.Booking.Cancel(ctx, sc, ask)
	return op.Quoted[Booking, wire.CancelEffects]{Done: showBooking(got.Booking), Effects: wire.ShowCancelled(got.Done)}, err
}

func (a *surface) rescheduleBooking(ctx context.Context, sc tenancy.Scope, in *rescheduleBookingIn) (op.Quoted[Booking, wire.RescheduleEffects], error) {
	to := in.Body.Target()
	patch.Set(&to.CourseID, in.Body.OfferingID)
	got, err := a.Booking.Reschedule(ctx, sc, booking.RescheduleInput{
		BookingID: in.BookingID, Target: to, Scope: in.Body.Scope, Override: in.Body.Override, Reason: in.Body.Reason,
	})
	return op.Quoted[Booking, wire.RescheduleEffects]{Done: showBooking(got.Booking), Effects: wire.ShowRescheduled(got.Done)}, err
}

func (a *surface) approveBooking(ctx context.Context, sc tenancy.Scope, in *approveBookingIn) (Booking, error) {
	ask := booking.ApproveInput{BookingID: in.BookingID}
	if in.Body != nil {
		ask.Override, ask.Reason = in.Body.Override, in.Body.Reason
	}
	got, err := a.Booking.Approve(ctx, sc, ask)
	return showBooking(got), err
}

func (a *surface) declineBooking(ctx context.Context, sc tenancy.Scope, in *declineBookingIn) (Booking, error) {
	ask := booking.DeclineInput{BookingID: in.BookingID}
	if in.Body != nil {
		ask.Reason = in.Body.Reason
	}
	got, err := a.Booking.Decline(ctx, sc, ask)
	return showBooking(got), err
}

func (a *surface) updateBooking(ctx context.Context, sc tenancy.Scope, in *updateBookingIn) (Booking, error) {
	b := in.Body
	e, err := a.Booking.Edit(ctx, sc, booking.EditInput{
		BookingID: in.BookingID, Version: b.Version, Note: b.Note, Attendee: b.Attendee, Party: b.Party, Difference: b.Difference, Reason: b.Reason,
	})
	return showBooking(e), err
}
