package checkout

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/catalog"
	"foyer/billing"
)

// Line is one item of a cart.
type Line struct {
	ItemID       uuid.UUID    `db:",null"`
	OfferingID   uuid.UUID    `db:",null"`
	OccurrenceID uuid.UUID    `db:",null"` // uuid.Nil: a time of an appointment or a rental that is not held
	Slot         *Slot        // of an appointment or a rental: what was asked for
	Party        int          `db:",null"` // seats it takes
	BookingID    *uuid.UUID   // while its seat is kept
	Kind         catalog.Kind `db:",null"`
	Name         string       `db:"offering_name,null"`
	Slug         string       `db:"offering_slug,null"` // of the offering
	Attendee     string       `db:",null"`              // who is coming, when it is somebody else
	StartsAt     time.Time    `db:",null"`
	EndsAt       time.Time    `db:",null"`
	Instructor   string       // empty: nobody is named
	Space        string       // empty: none is named
	AddedAmount  int64        `db:",null"` // the listed price when it was added: ListedAmount differs when it has changed since
	Spots        int          // seats that are left for the storefront
	Full         bool         // of a date or a course: none of them is left for this line, and none is kept for it
	Problem      string       // why it cannot be booked any more: started, cancelled, not_bookable; empty when it can
	Course       bool         // all of a course: the times above are its first date's, Spots the fewest of any
	Dates        []LineDate   // of a course: all that it is for, in the order of their start
	Priced
}

// Dearer tells whether the line costs more than when it was added, and no seat is kept at the old price.
func (l Line) Dearer() bool {
	return l.BookingID == nil && l.Problem == "" && l.ListedAmount > l.AddedAmount
}

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
	OrderOpen      OrderState = "open"     // being paid: the items are frozen
	OrderFulfilled OrderState = "settled"  // paid and booked
	OrderRefunded  OrderState = "refunded" // paid too late: the money goes back
	OrderVoid      OrderState = "void"     // given up
)

// All lists them.
func (OrderState) All() []OrderState {
	return []OrderState{OrderOpen, OrderFulfilled, OrderRefunded, OrderVoid}
}

func (s Slot) ask() availability.SlotRequestAt {
	return availability.SlotRequestAt{
		OfferingID: s.OfferingID, StartsAt: s.StartsAt, Minutes: s.Minutes, MemberID: s.MemberID, SpaceID: s.SpaceID, Party: s.Party,
	}
}
