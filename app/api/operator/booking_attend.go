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

// BookingSet lists the bookings of a bulk call.
type BookingSet struct {
	BookingIDs []uuid.UUID `json:"bookingIds" minItems:"1" maxItems:"200" uniqueItems:"true"`
}

type bulkCancelBody struct {
	BookingSet
	CancelTerms
	op.Quote
}

// BulkCheckIn holds the result for each booking of a bulk check-in, in the order of the request.
type BulkCheckIn struct {
	Rows []BulkCheckInRow `json:"rows"`
}

// BulkCheckInRow is one booking of the call.
type BulkCheckInRow struct {
	BookingID uuid.UUID                `json:"bookingId"`
	State     string                   `json:"state" doc:"State of the booking now; empty if it was refused."`
	Refusal   op.Nullable[BulkRefusal] `json:"refusal"`
}

// BulkCancel holds the result for each booking of a bulk cancellation, in the order of the request.
type BulkCancel struct {
	Rows []BulkCancelRow `json:"rows"`
}

// BulkCancelRow is one booking of the call.
type BulkCancelRow struct {
	BookingID uuid.UUID                       `json:"bookingId"`
	Effects   op.Nullable[wire.CancelEffects] `json:"effects" doc:"Effects of the cancellation; null if it was refused."`
	Refusal   op.Nullable[BulkRefusal]        `json:"refusal"`
}

// BulkRefusal is the reason one booking of a bulk call was not changed.
type BulkRefusal struct {
	Kind    fault.Kind `json:"code" enum:"conflict,forbidden,not_found,validation"`
	Reason  string     `json:"reason" doc:"Reason as in details.reason; may be empty."`
	Message string     `json:"message"`
}

func (a *surface) attendance() {
	for _, o := range []struct {
		id, path, summary, description, feature string
		run                                     func(context.Context, tenancy.Scope, uuid.UUID) (booking.StudioBooking, error)
	}{
		{"checkInBooking", "/check-in", "Check in", "Marks the customer as attended. Available from the start of the local " +
			"day. Repeating the call changes nothing." +
			wire.Refuses("state", "too_early"), "booking.checkin", a.Booking.CheckIn},
		{"undoCheckIn", "/undo-check-in", "Undo a check-in", "Available until the end of the local day. Repeating the call " +
			"changes nothing." +
			wire.Refuses("state", "too_late"), "booking.checkin", a.Booking.UndoCheckIn},
		{"markNoShow", "/no-show", "Mark a no-show", "Marks the customer as a no-show. Available after the start. The " +
			"no-show fee of the policy is in review first." +
			wire.Refuses("state", "too_early"), "booking.manage", a.Booking.NoShow},
		{"undoNoShow", "/undo-no-show", "Undo a no-show",
			"Also withdraws the no-show fee." + wire.Refuses("state"), "booking.manage", a.Booking.UndoNoShow},
	} {
		spec := bookingOp(o.id, "POST", o.path, o.summary, o.description, false)
		spec.Feature = tenancy.Feature(o.feature)
		spec.Compact = o.id == "checkInBooking"
		declare(a, spec, func(ctx context.Context, sc tenancy.Scope, in *wire.BookingIn) (Booking, error) {
			got, err := o.run(ctx, sc, in.BookingID)
			return showBooking(got), err
		})
	}
	declare(a, op.Spec{
		ID: "bulkCheckIn", Method: "POST", Path: "/businesses/{businessId}/bookings/bulk-check-in", Tag: "bookings", Feature: "booking.checkin",
		Summary: "Check in several bookings", Description: "Checks in each booking or returns a refusal in its row.",
	}, a.bulkCheckIn)
	declare(a, op.Spec{
		ID: "bulkCancel", Method: "POST", Path: "/businesses/{businessId}/bookings/bulk-cancel", Tag: "bookings", Feature: "booking.manage", Quoted: true,
		Summary:     "Cancel several bookings",
		Description: "Cancels each booking or returns a refusal in its row. Each payment is refunded once.",
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
