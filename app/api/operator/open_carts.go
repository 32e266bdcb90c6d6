package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/order"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// OpenCart is an open cart of a customer, without its token.
type OpenCart struct {
	ID            uuid.UUID                  `json:"id"`
	LocationID    uuid.UUID                  `json:"locationId"`
	LocationName  string                     `json:"locationName"`
	Zone          string                     `json:"zone" doc:"Time zone of the times."`
	CustomerID    *uuid.UUID                 `json:"customerId" doc:"The customer who holds the cart, or held it; null before the first hold."`
	CustomerName  string                     `json:"customerName" doc:"The customer's name; may be empty."`
	CustomerEmail string                     `json:"customerEmail" doc:"The customer's e-mail address; empty before the first hold."`
	Lines         []OpenCartLine             `json:"lines"`
	Totals        wire.Totals                `json:"totals"`
	Code          op.Nullable[wire.CartCode] `json:"code" doc:"The promo code entered; null if there is none."`
	Hold          op.Nullable[wire.Hold]     `json:"hold" doc:"The hold; null while no seats are held."`
	Paying        bool                       `json:"paying" doc:"Whether its payment has begun."`
	CreatedAt     time.Time                  `json:"createdAt"`
	UpdatedAt     time.Time                  `json:"updatedAt"`
}

// OpenCartLine is one seat of an open cart, a course with the times of its first date, or a product.
type OpenCartLine struct {
	ItemID       uuid.UUID       `json:"itemId"`
	OfferingID   *uuid.UUID      `json:"offeringId" doc:"The offering; null for a product."`
	OfferingName string          `json:"offeringName" doc:"Name of the offering or the product."`
	OccurrenceID *uuid.UUID      `json:"occurrenceId" doc:"The date of a class; null for a time of an appointment or a rental that is not held, and for a product."`
	VariantID    *uuid.UUID      `json:"variantId" doc:"The variant of a product; null for a booking."`
	Quantity     int             `json:"quantity" doc:"Number of a product; 1 for a booking."`
	BookingID    *uuid.UUID      `json:"bookingId" doc:"The booking of the held seat; null if the seat is not held."`
	Kind         order.Kind      `json:"kind" enum:"class,appointment,rental,product,gift_card,plan"`
	Attendee     string          `json:"attendee" doc:"Name of the attendee, if it is not the customer."`
	Party        int             `json:"party" doc:"Number of people; 1 for a seat of a class and for a product."`
	StartsAt     *time.Time      `json:"startsAt" doc:"When it starts; null for a product."`
	EndsAt       *time.Time      `json:"endsAt" doc:"When it ends; null for a product."`
	Instructor   string          `json:"instructor" doc:"Name of the instructor; empty if none is assigned."`
	Space        string          `json:"space" doc:"Name of the space; empty if none is assigned."`
	Problem      string          `json:"problem" enum:",started,cancelled,not_bookable,product_unavailable,not_sold_here,sold_out,gift_card_unavailable,plan_unavailable,plan_owned,plan_new_customers" doc:"Why it cannot be booked or bought any more; empty if it can."`
	Price        int64           `json:"price" doc:"Current listed price or, while the seat is held, its held price. In minor units."`
	Total        int64           `json:"total" doc:"Amount the customer pays for the line."`
	Dates        []wire.CartDate `json:"dates" doc:"For a course: all of its dates, in order; otherwise empty."`
}

type listOpenCartsIn struct {
	op.Page
	LocationID uuid.UUID `query:"locationId"`
}

type openCartIn struct {
	CartID uuid.UUID `path:"cartId" doc:"The cart, by its id."`
}

// openCarts declares the carts of customers that are not booked yet. A97.
func (a *surface) openCarts() {
	declare(a, op.Spec{
		ID: "listOpenCarts", Method: "GET", Path: "/businesses/{businessId}/carts", Tag: "bookings", Feature: "booking.view",
		Summary: "List open carts",
		Description: "Returns the carts of customers that are not booked yet, newest first, with their prices now. A cart " +
			"without a change for a week is deleted.",
	}, wire.Filtered(a.Cursors, "carts", a.Checkout.OpenCarts, showOpenCart,
		func(_ tenancy.Scope, in *listOpenCartsIn, page paging.In[paging.Moment]) checkout.OpenCartsInput {
			return checkout.OpenCartsInput{LocationID: in.LocationID, Page: page}
		}))
	declare(a, op.Spec{
		ID: "getOpenCart", Method: "GET", Path: "/businesses/{businessId}/carts/{cartId}", Tag: "bookings",
		Feature: "booking.view",
		Summary: "Get an open cart",
		Description: "Returns a cart that is not booked yet, with its prices now, held seats and the time until which they " +
			"are held. A cart that is booked is not found.",
	}, func(ctx context.Context, sc tenancy.Scope, in *openCartIn) (OpenCart, error) {
		c, err := a.Checkout.OpenCart(ctx, sc, in.CartID)
		return showOpenCart(c), err
	})
}

func showOpenCart(c checkout.OpenCart) OpenCart {
	return OpenCart{
		ID: c.ID, LocationID: c.LocationID, LocationName: c.LocationName, Zone: c.Zone, CustomerID: c.CustomerID,
		CustomerName: c.CustomerName, CustomerEmail: c.CustomerEmail, Lines: wire.Show(c.Lines, showOpenCartLine),
		Totals: wire.ShowTotals(c.Totals), Code: wire.ShowOrNull(c.Code, wire.ShowCartCode),
		Hold: wire.ShowOrNull(c.Hold, wire.ShowHold), Paying: c.Paying(), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
	}
}

func showOpenCartLine(l checkout.Line) OpenCartLine {
	return OpenCartLine{
		ItemID: l.ItemID, OfferingID: wire.Optional(l.OfferingID), OfferingName: l.Name,
		OccurrenceID: wire.Optional(l.OccurrenceID), VariantID: wire.VariantOf(l.Kind, l.Subject), Quantity: l.Quantity,
		BookingID: l.BookingID, Kind: l.Kind, Attendee: l.Attendee, Party: l.Party,
		StartsAt: wire.TimeOrNull(l.StartsAt), EndsAt: wire.TimeOrNull(l.EndsAt),
		Instructor: l.Instructor, Space: l.Space, Problem: l.Problem, Price: l.ListedAmount, Total: l.TotalAmount,
		Dates: wire.Show(l.Dates, wire.ShowCartDate),
	}
}
