package checkout

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/availability"
	"foyer/app/booking"
	"foyer/app/order"
	"foyer/billing/processor"
)

// Line is one item of a cart.
type Line struct {
	ItemID       uuid.UUID  `db:",null"`
	OfferingID   uuid.UUID  `db:",null"`
	OccurrenceID uuid.UUID  `db:",null"` // uuid.Nil: a time of an appointment or a rental that is not held
	Slot         *Slot      // of an appointment or a rental: the requested time
	Party        int        `db:",null"` // number of seats
	BookingID    *uuid.UUID // while its seat is held
	Reserved     bool       // without a seat: its seller keeps it for the hold of the cart
	Kind         order.Kind `db:",null"`
	Subject      uuid.UUID  `db:"subject_id,null"`   // without a seat: what it sells
	Quantity     int        `db:",null"`             // 1 of a seat
	Consent      string     `db:"consent_text,null"` // of a plan that renews: what the customer agreed to
	Name         string     `db:"offering_name,null"`
	Slug         string     `db:"offering_slug,null"` // of the offering
	Attendee     string     `db:",null"`              // the attendee, if not the customer
	StartsAt     time.Time  `db:",null"`
	EndsAt       time.Time  `db:",null"`
	Instructor   string     // empty: none
	Space        string     // empty: none
	AddedAmount  int64      `db:",null"` // the listed price when it was added: ListedAmount differs after a change
	Spots        int        // seats available on the storefront
	Full         bool       // of a date or a course: no seat is available for this line, and none is held for it
	Problem      string     // why it can no longer be bought: started, cancelled, not_bookable; empty if it can
	Course       bool       // all of a course: the times above are its first date's, Spots the fewest of any
	Dates        []LineDate // of a course: all its dates, in the order of their start
	order.Priced
}

// Held reports whether its seat is held, or it is reserved.
func (l Line) Held() bool { return l.BookingID != nil || l.Reserved }

// HasSeats reports whether a line has a seat: a cart of products alone, or of gift cards, has none.
func (c Cart) HasSeats() bool {
	return slices.ContainsFunc(c.Lines, func(l Line) bool { return l.Kind.Seat() })
}

// Dearer reports whether the line costs more than when it was added, and no seat is held at the old price.
func (l Line) Dearer() bool {
	return !l.Held() && l.Problem == "" && l.ListedAmount > l.AddedAmount
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

// Order is a cart's order as the cart shows it.
type Order struct {
	ID            uuid.UUID
	State         order.State
	PaymentID     *uuid.UUID // the payment that is open or has succeeded
	PaymentStatus processor.Status
}

func (s Slot) request() availability.SlotRequestAt {
	return availability.SlotRequestAt{
		OfferingID: s.OfferingID, StartsAt: s.StartsAt, Minutes: s.Minutes, MemberID: s.MemberID, SpaceID: s.SpaceID, Party: s.Party,
	}
}

// CostBases returns the amounts to be paid for each line of the cart.
func (c Cart) CostBases() []booking.CostBasis {
	dues := make([]int64, len(c.Lines))
	for i, l := range c.Lines {
		dues[i] = l.NowAmount()
	}
	out := order.ShareFee(c.Totals.ServiceFeeAmount, dues)
	for i, l := range c.Lines {
		out[i].DueAmount, out[i].NonRefundableAmount = l.LaterAmount, l.NonRefundableAmount
		out[i].Plan, out[i].PlanCredits = l.Cover.Paid()
	}
	return out
}
