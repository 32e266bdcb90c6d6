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
	CancelBookings bool   `json:"cancelBookings,omitempty" doc:"Cancel the upcoming bookings. Otherwise the response is 409 while there are any."`
	Reason         string `json:"reason,omitempty" maxLength:"500" doc:"Reason, sent to the customers of cancelled bookings."`
	op.Quote
}

// CloseEffects describes the effects of closing a business.
type CloseEffects struct {
	Bookings int      `json:"bookings" doc:"Upcoming bookings and booking requests. They are cancelled by the studio, and their customers are notified."`
	Waiting  int      `json:"waiting" doc:"Waitlist entries that end. Their customers are notified."`
	Refunds  []Amount `json:"refunds" doc:"Amounts refunded to cards, one for each currency."`
}

// Amount is an amount in minor units.
type Amount struct {
	Currency string `json:"currency" example:"USD"`
	Amount   int64  `json:"amount"`
}

// houseStates declares pausing, closing and reopening.
func (a *surface) houseStates() {
	show := func(b business.Business, err error) (Business, error) { return showBusiness(b), err }
	declare(a, op.Spec{
		ID: "pauseBusiness", Method: "POST", Path: "/businesses/{businessId}/pause", Tag: "business", Feature: "business.manage",
		Summary: "Pause bookings",
		Description: "Customers cannot book, join a waitlist or walk in until bookings are resumed; pages and embeds show " +
			"the schedule without booking buttons. Existing bookings stay, their customers can cancel them, and the desk can " +
			"still book. 409 carries details.reason: business_closed.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		return show(a.Business.Pause(ctx, sc))
	})
	declare(a, op.Spec{
		ID: "resumeBusiness", Method: "POST", Path: "/businesses/{businessId}/resume", Tag: "business", Feature: "business.manage",
		Summary: "Resume bookings",
		Description: "Ends a pause, or reopens a business within 30 days after closing, as an owner. Cancelled bookings " +
			"are not restored. 409 carries details.reason: closed_for_good.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Business, error) {
		return show(a.Business.Resume(ctx, sc))
	})
	declare(a, op.Spec{
		ID: "closeBusiness", Method: "POST", Path: "/businesses/{businessId}/close", Tag: "business", Feature: "business.manage", Quoted: true,
		Summary: "Close the business",
		Description: "Ends the service: the business is no longer public and cannot be booked. Requires the owner role; an " +
			"owner can reopen it for 30 days. With cancelBookings, upcoming bookings are cancelled by the studio with a full " +
			"refund. 409 carries details.reason: future_bookings, with details.bookings.",
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
	TransferTo *uuid.UUID `json:"transferTo,omitempty" doc:"A location of the business that takes over the offerings, dates and bookings. It needs the same time zone, currency and tax mode, and spaces of the same names."`
	Reason     string     `json:"reason,omitempty" maxLength:"500" doc:"Reason, sent to the customers of transferred bookings."`
	op.Quote
}

// ArchiveLocationEffects describes the effects of archiving a location.
type ArchiveLocationEffects struct {
	Offerings   int         `json:"offerings" doc:"Number of offerings archived with it."`
	Dates       int         `json:"dates" doc:"Number of upcoming dates that become invisible and unavailable."`
	Waiting     int         `json:"waiting" doc:"Waitlist entries of these dates. Their customers are notified."`
	Transferred Transferred `json:"transferred" doc:"Records transferred to the other location; all 0 without one."`
}

// Transferred counts the records transferred to another location.
type Transferred struct {
	Offerings int `json:"offerings" doc:"Offerings created at the other location, in their current state."`
	Dates     int `json:"dates" doc:"Upcoming dates, including the times of appointments and rentals. They keep their ids."`
	Bookings  int `json:"bookings" doc:"Bookings and booking requests. They keep their ids, times and prices; their customers are notified."`
	Waiting   int `json:"waiting" doc:"Waitlist entries, in their order."`
}

func (a *surface) archiveLocations() {
	declare(a, op.Spec{
		ID: "archiveLocation", Method: "POST", Path: "/locations/{id}/archive", Tag: "locations", Feature: "business.manage", Quoted: true,
		Summary: "Archive a location",
		Description: "Archives the location with all of its offerings. History stays, and customers on its waitlists are " +
			"notified. With upcoming bookings, returns 409 with details.reason future_bookings, details.bookings, and " +
			"details.offerings, each with its own bookings. With moveTo, the offerings are created again at another location, " +
			"and dates that have not started are transferred there with their bookings and waitlists. 409 then carries " +
			"details.reason location_archived; locations_differ with details.differs; spaces_missing with details.spaces, the " +
			"names of the spaces that the other location lacks; space_busy with details.conflicts.",
	}, a.archiveLocation)
}

type archiveLocationIn struct{ Body *archiveLocationBody }

func (a *surface) archiveLocation(ctx context.Context, sc tenancy.Scope, in *archiveLocationIn) (op.Quoted[Location, ArchiveLocationEffects], error) {
	ask := business.ArchiveLocationInput{LocationID: sc.Location}
	if in.Body != nil {
		ask.TransferTo, ask.Reason = in.Body.TransferTo, in.Body.Reason
	}
	l, err := a.Business.ArchiveLocation(ctx, sc, ask)
	gone := l.Content
	return op.Quoted[Location, ArchiveLocationEffects]{Done: showLocation(l.Location), Effects: ArchiveLocationEffects{
		Offerings: gone.Offerings, Dates: gone.Dates, Waiting: gone.Waiting, Transferred: Transferred(gone.Transferred),
	}}, err
}
