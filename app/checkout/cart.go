package checkout

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/fault"
	"foyer/app/money"
	"foyer/billing"
)

// CartState is where a cart stands.
type CartState string

// The states.
const (
	CartOpen    CartState = "open"
	CartOrdered CartState = "ordered" // paid, or nothing was to pay; its receipt is what remains
)

// The bounds of a cart.
const (
	ItemsMax    = 20   // seats in one cart
	AttendeeMax = 120  // characters
	PartyMax    = 1000 // people of one appointment or rental
	RefMax      = 2048 // bytes
)

// Cart is what somebody is about to book at one location.
type Cart struct {
	ID           uuid.UUID
	LocationID   uuid.UUID
	LocationName string
	LocationSlug string
	BusinessName string
	Zone         string // IANA: the wall clock of the times
	State        CartState
	PersonID     *uuid.UUID // who held it: from then on only that person may hold, pay and confirm
	Ref          string     // the page the customer came from, as sent: check it before it is printed
	Version      int64
	CreatedAt    time.Time
	Lines        []Line
	Totals       Totals
	Hold         *booking.Hold // the live one; nil when no seat is kept
	Order        *Order        // what is being paid, or was
	Card         bool          // the total can be paid by card
}

// OpenTo tells whether a person can go on with the cart. Whoever is not signed in, uuid.Nil, can with every open one.
func (c Cart) OpenTo(person uuid.UUID) bool {
	return c.State == CartOpen && (person == uuid.Nil || c.PersonID == nil || *c.PersonID == person)
}

// Line is one item of a cart.
type Line struct {
	ItemID       uuid.UUID
	OfferingID   uuid.UUID
	OccurrenceID uuid.UUID  // uuid.Nil: a time of an appointment or a rental that is not held
	Slot         *Slot      // of an appointment or a rental: what was asked for
	Party        int        // seats it takes
	BookingID    *uuid.UUID // while its seat is kept
	Kind         catalog.Kind
	Name         string
	Slug         string // of the offering
	Attendee     string // who is coming, when it is somebody else
	StartsAt     time.Time
	EndsAt       time.Time
	Instructor   string     // empty: nobody is named
	Space        string     // empty: none is named
	AddedAmount  int64      // the listed price when it was added: ListedAmount differs when it has changed since
	Spots        int        // seats that are left for the storefront
	Problem      string     // why it cannot be booked any more: started, cancelled, not_bookable; empty when it can
	Course       bool       // all of a course: the times above are its first date's, Spots the fewest of any
	Dates        []LineDate // of a course: all that it is for, in the order of their start
	Priced
}

// Full tells whether it is a date, or a course, of which the storefront has no seat left, and none is kept for it.
func (l Line) Full() bool { return l.Slot == nil && l.BookingID == nil && l.Spots == 0 }

// Slot is a time of an appointment or a rental.
type Slot struct {
	OfferingID uuid.UUID
	StartsAt   time.Time
	Minutes    int        // 0: the offering's own length
	MemberID   *uuid.UUID // nil: anyone
	SpaceID    *uuid.UUID // nil: any of the offering's
	Party      int        // people, at least 1
}

// Order is a cart's order as far as the cart shows it.
type Order struct {
	ID            uuid.UUID
	State         OrderState
	PaymentID     *uuid.UUID // the payment that is open or has succeeded
	PaymentStatus billing.Status
}

// OrderState is where an order stands.
type OrderState string

// The states of an order.
const (
	OrderOpen     OrderState = "open"     // being paid: the items are frozen
	OrderSettled  OrderState = "settled"  // paid and booked
	OrderRefunded OrderState = "refunded" // paid too late: the money goes back
	OrderVoid     OrderState = "void"     // given up
)

// The refusals of the verbs, besides those of booking and billing that they pass on.
var (
	// ErrOrdered: the cart is done. details.receiptToken leads to its receipt.
	ErrOrdered = fault.New(fault.Conflict, "ordered", "This cart is booked already.")
	// ErrOther: somebody else holds this cart.
	ErrOther = fault.New(fault.Conflict, "held_by_another", "Somebody else is booking with this cart. Start a new one.")
	// ErrEmpty: there is nothing in the cart.
	ErrEmpty = fault.New(fault.Conflict, "empty", "There is nothing in the cart.")
	// ErrCartFull bounds what one cart holds.
	ErrCartFull = fault.New(fault.Conflict, "cart_full", "There is no more room in this cart.")
	// ErrPriceChanged carries details.quotedAmount, what the customer was told, and details.amount, what it costs. A74.
	ErrPriceChanged = fault.New(fault.Conflict, "price_changed", "The price has changed.")
	// ErrNotHeld: a seat of the cart is not kept yet. Hold first.
	ErrNotHeld = fault.New(fault.Conflict, "not_held", "The seats are not kept for you yet.")
	// ErrNothingToPay: the cart costs nothing. Confirm it.
	ErrNothingToPay = fault.New(fault.Conflict, "nothing_to_pay", "There is nothing to pay.")
	// ErrPaymentRequired: the cart has not been paid. details.status is the payment's, details.message why the last card
	// was declined.
	ErrPaymentRequired = fault.New(fault.Conflict, "payment_required", "This has not been paid yet.")
	// ErrPaymentPending: money is on its way; ask again in a moment.
	ErrPaymentPending = fault.New(fault.Conflict, "payment_processing", "The payment is being processed. This takes a moment.")
	// ErrRefunded: the payment came when the seats were gone; all of it goes back. details.receiptToken leads to the proof.
	ErrRefunded = fault.New(fault.Conflict, "refunded", "The payment came too late: the seats are gone, and all of it goes back to your card.")
)

func priceChanged(quoted, amount int64) error {
	return ErrPriceChanged.With("quotedAmount", quoted).With("amount", amount)
}

// frozen tells whether the cart is being paid for right now: its prices are the order's.
func (c *Cart) frozen() bool { return c.Order != nil && c.Order.State == OrderOpen && c.Hold != nil }

// heldWholly tells whether every line's seat is kept.
func (c *Cart) heldWholly() bool {
	for _, l := range c.Lines {
		if l.BookingID == nil {
			return false
		}
	}
	return c.Hold != nil
}

// seats is what the cart asks booking for.
func (c *Cart) seats() []booking.Seat {
	var out []booking.Seat
	for _, l := range c.Lines {
		out = append(out, l.seats()...)
	}
	return out
}

func (c *Cart) occurrences() []uuid.UUID {
	out := make([]uuid.UUID, 0, len(c.Lines))
	for _, l := range c.Lines {
		if l.Slot != nil {
			continue
		}
		for _, d := range l.dates() {
			out = append(out, d.OccurrenceID)
		}
	}
	return out
}

func (c *Cart) currency() money.Currency { return c.Totals.Currency }
