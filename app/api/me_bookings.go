package api

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// MyBooking is a booking as its customer sees it.
type MyBooking struct {
	ID           uuid.UUID  `json:"id"`
	BusinessID   uuid.UUID  `json:"businessId"`
	BusinessName string     `json:"businessName"`
	LocationID   uuid.UUID  `json:"locationId"`
	LocationName string     `json:"locationName"`
	OfferingID   uuid.UUID  `json:"offeringId"`
	OfferingName string     `json:"offeringName"`
	OccurrenceID uuid.UUID  `json:"occurrenceId"`
	Attendee     string     `json:"attendee" doc:"Who is coming, when it is somebody else."`
	State        string     `json:"state" enum:"confirmed"`
	StartsAt     time.Time  `json:"startsAt"`
	EndsAt       time.Time  `json:"endsAt"`
	Zone         string     `json:"zone" doc:"The wall clock of the times."`
	Instructor   string     `json:"instructor" doc:"Empty: nobody is named."`
	Space        string     `json:"space" doc:"Empty: none is named."`
	Price        int64      `json:"price" doc:"As listed when it was booked, in minor units."`
	Currency     string     `json:"currency"`
	ConfirmedAt  *time.Time `json:"confirmedAt"`
}

type listMineIn struct {
	web.Page
	When string `query:"when" enum:"upcoming,past" default:"upcoming" doc:"What is to come, the soonest first, or what is over, the latest first."`
}

func (a *surface) myBookings() {
	web.Op(a.ops, web.Spec{
		ID: "listMyBookings", Method: "GET", Path: "/me/bookings", Tag: "me", Compact: true,
		Summary: "List own bookings", Description: "The signed-in person's bookings in all businesses. API keys are refused.",
		Access: web.Session, Errors: []int{400, 401, 403},
	}, a.listMine)
	web.Op(a.ops, web.Spec{
		ID: "getMyBooking", Method: "GET", Path: "/me/bookings/{bookingId}", Tag: "me", Compact: true,
		Summary: "Get an own booking", Description: "One booking of the signed-in person. Somebody else's is not found.",
		Access: web.Session, Errors: readErrors,
	}, func(ctx context.Context, sc tenancy.Scope, in *bookingIn) (MyBooking, error) {
		v, err := a.Booking.MyBooking(ctx, sc.Principal, in.BookingID)
		return showMine(v), err
	})
}

func (a *surface) listMine(ctx context.Context, sc tenancy.Scope, in *listMineIn) (web.List[MyBooking], error) {
	list := web.ListKey("me.bookings", sc.Person(), in.When)
	key, err := after[booking.Key](a.cursors, sc, list, in.Cursor)
	if err != nil {
		return web.List[MyBooking]{}, err
	}
	page, err := a.Booking.Mine(ctx, sc.Principal, booking.MineInput{Past: in.When == "past", After: key, Limit: in.Limit})
	return listOf(a.cursors, sc, list, page.Items, page.Next, showMine), err
}

func showMine(v booking.Visit) MyBooking {
	return MyBooking{
		ID: v.ID, BusinessID: v.BusinessID, BusinessName: v.BusinessName, LocationID: v.LocationID, LocationName: v.LocationName,
		OfferingID: v.OfferingID, OfferingName: v.OfferingName, OccurrenceID: v.OccurrenceID, Attendee: v.Attendee,
		State: string(v.State), StartsAt: stamp(v.StartsAt), EndsAt: stamp(v.EndsAt), Zone: v.Zone, Instructor: v.Instructor,
		Space: v.Space, Price: v.PriceAmount, Currency: string(v.Currency), ConfirmedAt: stampOrNull(v.ConfirmedAt),
	}
}
