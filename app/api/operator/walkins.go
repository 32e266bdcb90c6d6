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

// Walkins is the door of a location as the desk sees it.
type Walkins struct {
	wire.WalkinsNow
	On          bool         `json:"on"`
	PausedUntil *time.Time   `json:"pausedUntil" doc:"Null: not paused."`
	Rooms       []WalkinRoom `json:"rooms" doc:"The rooms that take walk-ins, by name."`
	Version     int64        `json:"version" doc:"Of the location."`
}

// WalkinRoom is a room that people share.
type WalkinRoom struct {
	SpaceID  uuid.UUID `json:"spaceId"`
	Name     string    `json:"name"`
	Capacity int       `json:"capacity"`
	Inside   int       `json:"inside" doc:"People who are there now."`
	Spots    int       `json:"spots" doc:"Open seats, for a stay that begins now."`
}

// WalkinStay is a party that came in.
type WalkinStay struct {
	BookingID    uuid.UUID  `json:"bookingId"`
	LocationID   uuid.UUID  `json:"locationId"`
	OfferingID   uuid.UUID  `json:"offeringId"`
	OfferingName string     `json:"offeringName"`
	OccurrenceID uuid.UUID  `json:"occurrenceId"`
	CustomerID   uuid.UUID  `json:"customerId" doc:"Everybody without an address shares one record."`
	CustomerName string     `json:"customerName" doc:"May be empty."`
	Attendee     string     `json:"attendee" doc:"Empty, but for earlier walk-ins: what the desk called somebody without an address."`
	SpaceID      uuid.UUID  `json:"spaceId"`
	Space        string     `json:"space"`
	Party        int        `json:"party" doc:"People."`
	State        string     `json:"state" doc:"Of the booking: checked_in while they are there." example:"checked_in"`
	StartsAt     time.Time  `json:"startsAt"`
	EndsAt       time.Time  `json:"endsAt" doc:"As sold."`
	Price        int64      `json:"price" doc:"Of the whole party, minor units."`
	Due          int64      `json:"due" doc:"To be paid at the desk, minor units."`
	Currency     string     `json:"currency"`
	CheckedInAt  *time.Time `json:"checkedInAt"`
	CheckedOutAt *time.Time `json:"checkedOutAt" doc:"Null: has not left before the time was over."`
	Version      int64      `json:"version"`
}

type updateWalkinsBody struct {
	Version     int64                  `json:"version" minimum:"1" doc:"Of the location that was read."`
	On          *bool                  `json:"on,omitempty"`
	PausedUntil op.Nullable[time.Time] `json:"pausedUntil,omitzero" doc:"Within a year. Null ends a pause."`
}

type checkInWalkinBody struct {
	OfferingID uuid.UUID       `json:"offeringId" format:"uuid"`
	Customer   *walkinCustomer `json:"customer,omitempty" doc:"Left out, or with no more than a name: somebody who says nothing about themselves."`
	Party      int             `json:"party,omitempty" minimum:"1" maximum:"1000" doc:"People; one when left out."`
	Minutes    int             `json:"minutes,omitempty" minimum:"5" maximum:"1440" doc:"One of the offering's lengths; its default one when left out."`
}

type walkinCustomer struct {
	ID    *uuid.UUID `json:"id,omitempty" doc:"A customer that the business has."`
	Email string     `json:"email,omitempty" maxLength:"254" doc:"Or an address: the customer is made when there is none."`
	Name  string     `json:"name,omitempty" maxLength:"120" doc:"Of somebody new; without an address, what the desk calls them."`
}

// WalkinPath names a stay by its booking.
type WalkinPath struct {
	BookingID uuid.UUID `path:"bookingId" doc:"The booking."`
}

func (a *surface) walkins() {
	declare(a, op.Spec{
		ID: "getWalkins", Method: "GET", Path: "/locations/{id}/walkins", Tag: "bookings", Feature: "location.view",
		Summary: "See the walk-ins", Description: "Open seats right now, room by room, and whether walk-ins are on.",
	}, wire.AtLocation(a.Walkin.Desk, showDesk))
	declare(a, op.Spec{
		ID: "updateWalkins", Method: "PATCH", Path: "/locations/{id}/walkins", Tag: "bookings", Feature: "booking.manage", Versioned: true,
		Summary: "Switch walk-ins", Description: "Switches walk-ins on or off, pauses them until an instant or ends a pause. Who is inside stays.",
	}, func(ctx context.Context, sc tenancy.Scope, in *wire.Body[updateWalkinsBody]) (Walkins, error) {
		d, err := a.Walkin.Switch(ctx, sc, walkin.SwitchInput{
			LocationID: sc.Location, Version: in.Body.Version, On: in.Body.On, PausedUntil: in.Body.PausedUntil.Field,
		})
		return showDesk(d), err
	})
	declare(a, op.Spec{
		ID: "checkInWalkin", Method: "POST", Path: "/locations/{id}/walkins/check-ins", Tag: "bookings", Feature: "booking.manage", Success: 201,
		Summary: "Let a walk-in in", Description: "Sells a stay that begins now, and checks the party in. The price is due at the desk. A 409 names in details.reason one of: " +
			strings.Join(walkin.Reasons, ", ") + ".",
		Several: "holds that are over are ended first: they are locked before rooms, and belong to nobody's request",
	}, a.checkInWalkin)
	declare(a, op.Spec{
		ID: "checkOutWalkin", Method: "POST", Path: "/locations/{id}/walkins/check-ins/{bookingId}/check-out", Tag: "bookings", Feature: "booking.manage",
		Summary: "Let a party out", Description: "They leave before their time is over: their seats are free at once. The price stays. Nobody there: 409 with details.reason state.",
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
