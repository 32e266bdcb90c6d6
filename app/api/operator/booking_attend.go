package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// BookingSet is the bookings that a call is about.
type BookingSet struct {
	BookingIDs []uuid.UUID `json:"bookingIds" minItems:"1" maxItems:"200" uniqueItems:"true"`
}

type bulkCancelBody struct {
	BookingSet
	CancelTerms
	op.Quote
}

// BulkCheckIn is what a call about many did to each, in the order of the request.
type BulkCheckIn struct {
	Rows []BulkCheckInRow `json:"rows"`
}

// BulkCheckInRow is one booking of the call.
type BulkCheckInRow struct {
	BookingID uuid.UUID                `json:"bookingId"`
	State     string                   `json:"state" doc:"Of the booking now; empty when it was refused."`
	Refusal   op.Nullable[BulkRefusal] `json:"refusal"`
}

// BulkCancel is what a call about many did to each, in the order of the request.
type BulkCancel struct {
	Rows []BulkCancelRow `json:"rows"`
}

// BulkCancelRow is one booking of the call.
type BulkCancelRow struct {
	BookingID uuid.UUID                       `json:"bookingId"`
	Effects   op.Nullable[wire.CancelEffects] `json:"effects" doc:"Null when it was refused."`
	Refusal   op.Nullable[BulkRefusal]        `json:"refusal"`
}

// BulkRefusal is why one of many was left as it is.
type BulkRefusal struct {
	Kind    fault.Kind `json:"code" enum:"conflict,forbidden,not_found,validation"`
	Reason  string     `json:"reason" doc:"As in details.reason; may be empty."`
	Message string     `json:"message"`
}

func (a *surface) attendance() {
	for _, o := range []struct {
		id, path, summary, description, feature string
		run                                     func(context.Context, tenancy.Scope, uuid.UUID) (booking.StudioBooking, error)
	}{
		{"checkInBooking", "/check-in", "Check in", "The customer is there; from the beginning of the local day. Repeating it changes nothing." +
			wire.Refuses("state", "too_early"), "booking.checkin", a.Booking.CheckIn},
		{"undoCheckIn", "/undo-check-in", "Undo a check-in", "Until the end of the local day. Repeating it changes nothing." +
			wire.Refuses("state", "too_late"), "booking.checkin", a.Booking.UndoCheckIn},
		{"markNoShow", "/no-show", "Mark a no-show", "The customer did not come; after the start. The fee of the policy is in review first." +
			wire.Refuses("state", "too_early"), "booking.manage", a.Booking.NoShow},
		{"undoNoShow", "/undo-no-show", "Undo a no-show", "The fee goes too." + wire.Refuses("state"), "booking.manage", a.Booking.UndoNoShow},
	} {
		spec := bookingOp(o.id, "POST", o.path, o.summary, o.description, false)
		spec.Feature = tenancy.Feature(o.feature)
		declare(a, spec, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (Booking, error) {
			got, err := o.run(ctx, sc, in.BookingID)
			return showBooking(got), err
		})
	}
	declare(a, op.Spec{
		ID: "bulkCheckIn", Method: "POST", Path: "/businesses/{businessId}/bookings/bulk-check-in", Tag: "bookings", Feature: "booking.checkin",
		Summary: "Check many in", Description: "Each is checked in, or refused in its row.",
	}, a.bulkCheckIn)
	declare(a, op.Spec{
		ID: "bulkCancel", Method: "POST", Path: "/businesses/{businessId}/bookings/bulk-cancel", Tag: "bookings", Feature: "booking.manage", Quoted: true,
		Summary: "Cancel many", Description: "Each is cancelled, or refused in its row. One refund goes back for each payment.",
	}, a.bulkCancel)
}

func (a *surface) bulkCheckIn(ctx context.Context, sc tenancy.Scope, in *wire.Body[BookingSet]) (BulkCheckIn, error) {
	got, err := a.Booking.BulkCheckIn(ctx, sc, in.Body.BookingIDs)
	return BulkCheckIn{wire.Show(got.Rows, func(r booking.Row[booking.State]) BulkCheckInRow {
		row := BulkCheckInRow{BookingID: r.BookingID, Refusal: showRefusal(r.Refusal)}
		if r.Done != nil {
			row.State = string(*r.Done)
		}
		return row
	})}, err
}

func (a *surface) bulkCancel(ctx context.Context, sc tenancy.Scope, in *wire.Body[bulkCancelBody]) (op.Quoted[BulkCancel, BulkCancel], error) {
	b := in.Body
	got, err := a.Booking.BulkCancel(ctx, sc, b.BookingIDs, b.input())
	rows := BulkCancel{wire.Show(got.Rows, func(r booking.Row[booking.Cancellation]) BulkCancelRow {
		row := BulkCancelRow{BookingID: r.BookingID, Refusal: showRefusal(r.Refusal)}
		if r.Done != nil {
			row.Effects = op.Some(wire.ShowCancelled(*r.Done))
		}
		return row
	})}
	return op.Quoted[BulkCancel, BulkCancel]{Done: rows, Effects: rows}, err
}

func showRefusal(r *fault.Error) op.Nullable[BulkRefusal] {
	return wire.ShowOrNull(r, func(e fault.Error) BulkRefusal { return BulkRefusal{e.Kind, e.Reason, e.Message} })
}
