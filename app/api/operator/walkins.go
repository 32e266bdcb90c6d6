package operator

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/patch"
	"foyer/app/tenancy"
	"foyer/app/walkin"
	"foyer/app/web/op"
)

// Walkins is the walk-in state of a location for the desk.
type Walkins struct {
	wire.WalkinsNow
	On          bool         `json:"on"`
	PausedUntil *time.Time   `json:"pausedUntil" doc:"End of the pause; null if walk-ins are not paused."`
	Rooms       []WalkinRoom `json:"rooms" doc:"Rooms that accept walk-ins, sorted by name."`
	Version     int64        `json:"version" doc:"Version of the location."`
}

// WalkinRoom is a shared room.
type WalkinRoom struct {
	SpaceID  uuid.UUID `json:"spaceId"`
	Name     string    `json:"name"`
	Capacity int       `json:"capacity"`
	Inside   int       `json:"inside" doc:"People in the room now."`
	Spots    int       `json:"spots" doc:"Free spots, for a stay that begins now."`
}

// WalkinStay is the stay of a walk-in party.
type WalkinStay struct {
	BookingID    uuid.UUID  `json:"bookingId"`
	LocationID   uuid.UUID  `json:"locationId"`
	OfferingID   uuid.UUID  `json:"offeringId"`
	OfferingName string     `json:"offeringName"`
	OccurrenceID uuid.UUID  `json:"occurrenceId"`
	CustomerID   uuid.UUID  `json:"customerId" doc:"The customer. Walk-ins without an email address share one record."`
	CustomerName string     `json:"customerName" doc:"The customer's name; may be empty."`
	Attendee     string     `json:"attendee" doc:"Name given at the desk to a walk-in without an email address; set on older walk-ins only."`
	SpaceID      uuid.UUID  `json:"spaceId"`
	Space        string     `json:"space"`
	Party        int        `json:"party" doc:"Number of people."`
	State        string     `json:"state" doc:"State of the booking: checked_in during the stay." example:"checked_in"`
	StartsAt     time.Time  `json:"startsAt"`
	EndsAt       time.Time  `json:"endsAt" doc:"End of the stay, as sold."`
	Price        int64      `json:"price" doc:"Price of the whole party, in minor units."`
	Due          int64      `json:"due" doc:"Amount due at the desk, in minor units."`
	Currency     string     `json:"currency"`
	CheckedInAt  *time.Time `json:"checkedInAt"`
	CheckedOutAt *time.Time `json:"checkedOutAt" doc:"When the party left early; null if it did not."`
	Version      int64      `json:"version"`
}

type updateWalkinsBody struct {
	Version     int64                  `json:"version" minimum:"1" doc:"Version of the location that was read."`
	On          *bool                  `json:"on,omitempty"`
	PausedUntil op.Nullable[time.Time] `json:"pausedUntil,omitzero" doc:"End of the pause, within a year. Null ends a pause."`
}

type checkInWalkinBody struct {
	OfferingID uuid.UUID       `json:"offeringId" format:"uuid"`
	Customer   *walkinCustomer `json:"customer,omitempty" doc:"The customer. Without it, or with only a name, the walk-in is anonymous."`
	Party      int             `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"Number of people. The default is 1."`
	Minutes    int             `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"One of the offering's lengths, in minutes. The default is its default length."`
}

type walkinCustomer struct {
	ID    *uuid.UUID `json:"id,omitempty" doc:"A customer of the business."`
	Email string     `json:"email,omitempty" maxLength:"254" doc:"Email address. A customer record is created if none has this address. Send this or id."`
	Name  string     `json:"name,omitempty" maxLength:"120" doc:"Name of a new customer; without an email address, the name used at the desk."`
}

// WalkinPath is the path of a stay, by its booking.
type WalkinPath struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
}

func (a *surface) walkins() {
	declare(a, op.Spec{
		ID: "getWalkins", Method: "GET", Path: "/locations/{id}/walkins", Tag: "bookings", Feature: "location.view",
		Summary:     "Get the walk-ins",
		Description: "Returns the free spots now, room by room, and whether walk-ins are enabled.",
	}, wire.AtLocation(a.Walkin.Desk, showDesk))
	declare(a, op.Spec{
		ID: "updateWalkins", Method: "PATCH", Path: "/locations/{id}/walkins", Tag: "bookings", Feature: "booking.manage", Versioned: true,
		Summary: "Update the walk-ins",
		Description: "Enables or disables walk-ins, pauses them until an instant, or ends a pause. Current stays are not " +
			"affected.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[updateWalkinsBody]) (Walkins, error) {
		d, err := a.Walkin.Switch(ctx, sc, walkin.SwitchInput{
			LocationID: sc.Location, Version: in.Body.Version, On: in.Body.On, PausedUntil: in.Body.PausedUntil.Field,
		})
		return showDesk(d), err
	})
	declare(a, op.Spec{
		ID: "checkInWalkin", Method: "POST", Path: "/locations/{id}/walkins/check-ins", Tag: "bookings", Feature: "booking.manage", Success: 201,
		Summary: "Check in a walk-in",
		Description: "Sells a stay that begins now and checks the party in. The price is due at the desk. 409 carries " +
			"details.reason, one of: " +
			strings.Join(walkin.Reasons, ", ") +
			".",
		Several: "expired holds are ended first: they are locked before rooms and belong to no request",
	}, a.checkInWalkin)
	declare(a, op.Spec{
		ID: "checkOutWalkin", Method: "POST", Path: "/locations/{id}/walkins/check-ins/{bookingId}/check-out", Tag: "bookings", Feature: "booking.manage",
		Summary: "Check out a walk-in",
		Description: "Ends a stay early: its seats are free at once, and the price does not change. If no party is there, " +
			"returns 409 with details.reason state.",
	}, func(ctx context.Context, sc tenancy.Scope, in *WalkinPath) (WalkinStay, error) {
		s, err := a.Walkin.CheckOut(ctx, sc, sc.Location, in.BookingID)
		return showStay(s), err
	})
}

func (a *surface) checkInWalkin(ctx context.Context, sc tenancy.Scope, in *wire.Body[checkInWalkinBody]) (WalkinStay, error) {
	input := walkin.CheckInInput{
		LocationID: sc.Location, OfferingID: in.Body.OfferingID, Party: in.Body.Party, Minutes: in.Body.Minutes,
	}
	if c := in.Body.Customer; c != nil {
		input.Customer = booking.CustomerRef{Email: c.Email, Name: c.Name}
		patch.Set(&input.Customer.CustomerID, c.ID)
	}
	s, err := a.Walkin.CheckIn(ctx, sc, input)
	return showStay(s), err
}

func showDesk(d walkin.Desk) Walkins {
	return Walkins{
		WalkinsNow: wire.ShowWalkins(d.Walkins), On: d.On, PausedUntil: d.PausedUntil, Version: d.Version,
		Rooms: wire.Show(d.Rooms, func(r walkin.Spots) WalkinRoom { return WalkinRoom(r) }),
	}
}

func showStay(s walkin.Stay) WalkinStay {
	return WalkinStay{
		BookingID: s.BookingID, LocationID: s.LocationID, OfferingID: s.OfferingID, OfferingName: s.OfferingName,
		OccurrenceID: s.OccurrenceID, CustomerID: s.CustomerID, CustomerName: s.CustomerName, Attendee: s.Attendee, SpaceID: s.SpaceID,
		Space: s.Space, Party: s.Party, State: string(s.State), StartsAt: s.StartsAt, EndsAt: s.EndsAt, Price: s.PriceAmount,
		Due: s.DueAmount, Currency: string(s.Currency), CheckedInAt: s.CheckedInAt, CheckedOutAt: s.CheckedOutAt,
		Version: s.Version,
	}
}
