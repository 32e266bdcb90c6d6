package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// OpenHold is a hold that reserves seats now.
type OpenHold struct {
	ID            uuid.UUID  `json:"id"`
	LocationID    uuid.UUID  `json:"locationId"`
	LocationName  string     `json:"locationName"`
	CustomerID    uuid.UUID  `json:"customerId"`
	CustomerName  string     `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail string     `json:"customerEmail"`
	CreatedAt     time.Time  `json:"createdAt"`
	ExpiresAt     time.Time  `json:"expiresAt"`
	Paying        bool       `json:"paying" doc:"Whether its payment has begun."`
	Seats         []HeldSeat `json:"seats"`
}

// HeldSeat is one booking of an open hold.
type HeldSeat struct {
	BookingID    uuid.UUID `json:"bookingId"`
	OccurrenceID uuid.UUID `json:"occurrenceId"`
	OfferingID   uuid.UUID `json:"offeringId"`
	OfferingName string    `json:"offeringName"`
	StartsAt     time.Time `json:"startsAt"`
	Zone         string    `json:"zone" doc:"Time zone of the time."`
	Party        int       `json:"party"`
	Attendee     string    `json:"attendee"`
}

type freeHoldIn struct {
	HoldID uuid.UUID `path:"holdId" doc:"The hold."`
}

func (a *surface) openHolds() {
	declare(a, op.Spec{
		ID: "listHolds", Method: "GET", Path: "/businesses/{businessId}/holds", Tag: "bookings", Feature: "booking.manage",
		Summary: "List open holds", Description: "Returns the holds that reserve seats for carts now, next to expire first.",
	}, wire.Lists(a.Cursors, "holds", a.Booking.OpenHolds, showOpenHold))
	declare(a, op.Spec{
		ID: "freeHold", Method: "DELETE", Path: "/businesses/{businessId}/holds/{holdId}", Tag: "bookings", Feature: "booking.manage",
		Summary: "Release a hold",
		Description: "Releases its seats at once. A payment in progress is canceled, and a payment that still succeeds is " +
			"refunded. While a payment is processing, returns 409 with details.reason payment_processing.",
	}, func(ctx context.Context, sc tenancy.Scope, in *freeHoldIn) (op.NoContent, error) {
		return op.NoContent{}, a.Checkout.FreeHold(ctx, sc, in.HoldID)
	})
}

func showOpenHold(h booking.OpenHold) OpenHold {
	return OpenHold{
		ID: h.ID, LocationID: h.LocationID, LocationName: h.LocationName, CustomerID: h.CustomerID, CustomerName: h.CustomerName,
		CustomerEmail: h.CustomerEmail, CreatedAt: h.CreatedAt, ExpiresAt: h.ExpiresAt, Paying: h.Paying,
		Seats: wire.Show(h.Seats, func(s booking.OpenSeat) HeldSeat { return HeldSeat(s) }),
	}
}
