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

// CancelTerms are the terms of a cancellation.
type CancelTerms struct {
	By      booking.By      `json:"by" doc:"Party on whose behalf it is cancelled. For the customer, the policy decides refund and fee; for the studio, the refund is full and there is no fee."`
	FeeMode booking.FeeMode `json:"feeMode,omitempty" doc:"waive: as if it were in time. Requires booking.override and a reason."`
	Reason  string          `json:"reason,omitempty" maxLength:"500" doc:"Reason. If the studio cancels, it is sent to the customer."`

	Destination billing.Destination `json:"destination,omitempty" default:"original" doc:"Destination of the refund. original: the original payment method; a payment at the desk is refunded there, by a refund of that payment. account_credit: all of it as account credit, at once, with no transfer of money and no refund of the platform fee."`
}

// input returns the terms as a type of the booking package.
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
	OfferingID *uuid.UUID `json:"offeringId,omitempty" doc:"For a course: another course of the location with as many upcoming dates. All dates are rescheduled."`
	OverrideBody
	op.Quote
}

// ScopeBody selects bookings of a recurring booking.
type ScopeBody struct {
	Scope booking.Scope `json:"scope,omitempty" doc:"For a recurring booking: this one (the default), this and later ones, or all upcoming ones."`
}

// OverrideBody overrides rules.
type OverrideBody struct {
	Override bool   `json:"override,omitempty" doc:"Override rules: full, started, lead time, window. Requires booking.override and a reason. A full date gets one more seat for the booking."`
	Reason   string `json:"reason,omitempty" maxLength:"500"`
}

type approveBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking request."`
	Body      *OverrideBody
}

type declineBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking request."`
	Body      *declineBookingBody
}

type declineBookingBody struct {
	Reason string `json:"reason,omitempty" maxLength:"500" doc:"Reason, sent to the customer."`
}

type updateBookingIn struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
	Body      updateBookingBody
}

type updateBookingBody struct {
	Version  int64   `json:"version" minimum:"1" doc:"Version of the booking that was read."`
	Note     *string `json:"note,omitempty" maxLength:"2000" doc:"The studio's note."`
	Attendee *string `json:"attendee,omitempty" maxLength:"120" doc:"Name of the attendee, if it is not the customer."`
	Party    *int    `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of seats. Additional seats need free capacity and have today's price."`
	// For a booking that has been sold.
	Difference booking.Difference `json:"difference,omitempty" doc:"Treatment of the price difference of a larger party. refuse (the default): 409 with the amount. later: due at the studio. waive: the price does not change; requires booking.override and a reason."`
	Reason     string             `json:"reason,omitempty" maxLength:"500"`
}

// bookingOp returns the spec of an operation on one booking of a business.
func bookingOp(id, method, path, summary, description string, quoted bool) op.Spec {
	return op.Spec{
		ID: id, Method: method, Path: "/businesses/{businessId}/bookings/{bookingId}" + path, Tag: "bookings", Summary: summary,
		Description: description, Feature: "booking.manage", Quoted: quoted,
	}
}

func (a *surface) bookingChanges() {
	cancel := bookingOp("cancelBooking", "POST", "/cancel", "Cancel a booking",
		"Lateness, refund and fee follow the policy as it was at the time of booking. "+
			"A course is cancelled with all upcoming dates, for any of its bookings: the refund depends on its first date, "+
			"lateness on the next one. "+
			"For a recurring booking, scope selects the bookings to cancel, each by its own policy; the customer is notified "+
			"once. "+
			"The refund goes to destination; the effects list the amounts."+wire.Refuses("state", "started", "course"), true)
	cancel.Compact = true
	declare(a, cancel, a.cancelBooking)
	move := bookingOp("rescheduleBooking", "POST", "/reschedule", "Reschedule a booking",
		"Reschedules to another date of the class, or another time of the appointment or rental. The id stays; nothing is "+
			"charged again. "+
			"A course that has not started is rescheduled with all its dates to another course, each booking to one date "+
			"there in order of time; "+
			"course_differs carries details.dates and details.booked, the two differing numbers, and full carries "+
			"details.dates. "+
			"For a recurring booking, scope selects the bookings: all shift by as many days, to the same time of day on the "+
			"location's wall clock, or none; "+
			"details.clashes then lists the unavailable times."+
			wire.Refuses("state", "full", "started", "cancelled", "not_bookable", "too_late", "too_early", "duplicate", "course", "course_differs", "clashes")+
			" Times of appointments and rentals have the reasons of availability, with details.alternatives.", true)
	move.Compact = true
	declare(a, move, a.rescheduleBooking)
	declare(a, bookingOp("approveBooking", "POST", "/approve", "Approve a booking request",
		"A request reserves no seat; approval books it, so of two requests for the last seat only one can be approved. A "+
			"course is approved as a whole."+
			wire.Refuses("state", "full", "started", "cancelled", "not_bookable"), false), a.approveBooking)
	declare(a, bookingOp("declineBooking", "POST", "/decline", "Decline a booking request",
		"The payment is refunded in full."+wire.Refuses("state"), false), a.declineBooking)
	edit := bookingOp("updateBooking", "PATCH", "", "Update a booking",
		"Changes the studio's note, the attendee and the party. A larger party of a sold booking costs the difference, "+
			"which is not charged to a card: "+
			"409 price_difference returns it in details.difference and details.currency, unless difference is set. "+
			"The price of an unsold booking follows its party. The customer is notified."+
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
