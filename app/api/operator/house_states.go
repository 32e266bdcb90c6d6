package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/business"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type closeBusinessBody struct {
	CancelBookings bool   `json:"cancelBookings,omitempty" doc:"Cancels what is booked ahead. Otherwise 409 while there is any."`
	Reason         string `json:"reason,omitempty" maxLength:"500" doc:"Told to those whose bookings are cancelled."`
	op.Quote
}

// CloseEffects are what ends with a business that closes.
type CloseEffects struct {
	Bookings int      `json:"bookings" doc:"Booked or asked for ahead: cancelled by the studio, and their customers are told."`
	Waiting  int      `json:"waiting" doc:"Places on waitlists; whoever has one is told."`
	Refunds  []Amount `json:"back" doc:"Goes back to cards, one for each currency."`
}

// Amount is money in minor units.
type Amount struct {
	Currency string `json:"currency" example:"USD"`
	Amount   int64  `json:"amount"`
}

// houseStates declares pausing, closing and coming back.
func (a *surface) houseStates() {
	show := func(b business.Business, err error) (Business, error) { return showBusiness(b), err }
	declare(a, op.Spec{
		ID: "pauseBusiness", Method: "POST", Path: "/businesses/{businessId}/pause", Tag: "business", Feature: "business.manage",
		Summary: "Pause bookings",
		Description: "Customers cannot book, join a waitlist or walk in until it is resumed; pages and embeds show what is on without a way to book it. " +
			"What is booked stays, its customers may cancel it, and the desk may still book. 409 carries details.reason: business_closed.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		return show(a.Business.Pause(ctx, sc))
	})
	declare(a, op.Spec{
		ID: "resumeBusiness", Method: "POST", Path: "/businesses/{businessId}/resume", Tag: "business", Feature: "business.manage",
		Summary: "Take bookings again",
		Description: "After a pause, or within 30 days after closing, which only an owner may take back. Nothing that was cancelled comes back. " +
			"409 carries details.reason: closed_for_good.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		return show(a.Business.Resume(ctx, sc))
	})
	declare(a, op.Spec{
		ID: "closeBusiness", Method: "POST", Path: "/businesses/{businessId}/close", Tag: "business", Feature: "business.manage", Quoted: true,
		Summary: "Close the business",
		Description: "The end of service: the public finds nothing any more and nobody can book. Only an owner may, and an owner can take it back for 30 days. " +
			"Bookings ahead are cancelled by the studio with everything refunded, if cancelBookings says so. " +
			"409 carries details.reason: future_bookings, with details.bookings.",
	}, a.closeBusiness)
}

func (a *surface) closeBusiness(ctx context.Context, sc tenancy.Scope, in *wire.Body[closeBusinessBody]) (op.Quoted[Business, CloseEffects], error) {
	c, err := a.Business.Close(ctx, sc, business.CloseInput{CancelBookings: in.Body.CancelBookings, Reason: in.Body.Reason})
	return op.Quoted[Business, CloseEffects]{Done: showBusiness(c.Business), Effects: CloseEffects{
		Bookings: c.Ended.Bookings, Waiting: c.Ended.Waiting,
		Refunds: wire.Show(c.Ended.Refunds, func(m business.Amount) Amount { return Amount{string(m.Currency), m.Amount} }),
	}}, err
}

type archiveLocationBody struct {
	MoveTo *uuid.UUID `json:"moveTo,omitempty" doc:"A location of the business where what lies ahead goes on: with the same time zone, currency and tax mode, and with spaces of the same names."`
	Reason string     `json:"reason,omitempty" maxLength:"500" doc:"Told to those whose bookings move."`
	op.Quote
}

// ArchiveLocationEffects are what goes with a location that is archived.
type ArchiveLocationEffects struct {
	Offerings int   `json:"offerings" doc:"That are archived with it."`
	Dates     int   `json:"dates" doc:"Dates to come that nobody can see or book any more."`
	Waiting   int   `json:"waiting" doc:"Places on their waitlists; whoever has one is told."`
	Moved     Moved `json:"moved" doc:"What goes on at the other location; all 0 without one."`
}

// Moved is what goes on at another location.
type Moved struct {
	Offerings int `json:"offerings" doc:"That are made anew there, in the state they were in."`
	Dates     int `json:"dates" doc:"To come, with the times of appointments and rentals. They keep their ids."`
	Bookings  int `json:"bookings" doc:"With requests; their customers are told. They keep their ids, times and prices."`
	Waiting   int `json:"waiting" doc:"Places on waitlists, in their order."`
}

func (a *surface) archiveLocations() {
	declare(a, op.Spec{
		ID: "archiveLocation", Method: "POST", Path: "/locations/{id}/archive", Tag: "locations", Feature: "business.manage", Quoted: true,
		Summary: "Archive a location",
		Description: "Puts it away with all that is sold there; history stays, and who waits for a seat is told. Not while somebody is booked ahead: " +
			"409 then carries details.reason future_bookings, details.bookings, and details.offerings, each with its own bookings. " +
			"With moveTo what is sold there goes on at another location: its offerings are made anew there, and dates that have not begun move to them " +
			"with their bookings and waitlists. 409 then carries details.reason location_archived; places_differ with details.differs; " +
			"spaces_missing with details.spaces, the names of spaces that the other location needs; space_busy with details.conflicts.",
	}, a.archiveLocation)
}

type archiveLocationIn struct{ Body *archiveLocationBody }

func (a *surface) archiveLocation(ctx context.Context, sc tenancy.Scope, in *archiveLocationIn) (op.Quoted[Location, ArchiveLocationEffects], error) {
	ask := business.ArchiveLocationInput{LocationID: sc.Location}
	if in.Body != nil {
		ask.MoveTo, ask.Reason = in.Body.MoveTo, in.Body.Reason
	}
	l, err := a.Business.ArchiveLocation(ctx, sc, ask)
	gone := l.Content
	return op.Quoted[Location, ArchiveLocationEffects]{Done: showLocation(l.Location), Effects: ArchiveLocationEffects{
		Offerings: gone.Offerings, Dates: gone.Dates, Waiting: gone.Waiting, Moved: Moved(gone.Moved),
	}}, err
}
