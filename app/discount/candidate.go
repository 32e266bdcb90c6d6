package discount

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
)

// Candidate is a discount that a cart may have, with its uses by existing orders. The cart's own order is not
// counted.
type Candidate struct {
	Discount
	Used         int  `json:"used"`          // active uses; 0 if UsesMax is 0
	CustomerUsed int  `json:"customer_used"` // of the cart's customer; 0 if CustomerUsesMax is 0, or not held
	Known        bool `json:"known"`         // the cart's customer has booked before; false if FirstTime is
	// Member reports whether the customer who holds the cart is a member of one of PlanIDs; false without any, and as
	// long as the cart is not held.
	Member bool `json:"member"`
}

// Limited reports whether orders can use it up, for all or for one customer: see LockTx.
func (c Candidate) Limited() bool { return c.limited() }

// Cart is the part of a cart that discounts depend on.
type Cart struct {
	LocationID uuid.UUID
	Currency   money.Currency
	Today      civil.Date // at the location
	Lines      []Line
}

// Line is one item of a cart.
type Line struct {
	Seat       bool         // of a booking
	OfferingID uuid.UUID    // of a booking
	Day        time.Weekday // of the start of a booking, at the location
	Goods      bool         // no discount is for anything but bookings and goods
	Amount     int64        // as listed
}

// Reasons that a code takes nothing off. Each names the field code.
var (
	ErrUnknown  = refusal("code_unknown", "This code is not valid.")
	ErrNotYet   = refusal("code_not_yet", "This code cannot be used yet.")
	ErrExpired  = refusal("code_expired", "This code has expired.")
	ErrUsedUp   = refusal("code_used_up", "This code has reached its usage limit.")
	ErrUsed     = refusal("code_used", "You have already used this code.")
	ErrNotFirst = refusal("code_first_time", "This code is for first bookings only.")
	ErrMembers  = refusal("code_members", "This code is for members only.")
	ErrNotThis  = refusal("code_not_for_this", "This code does not apply to your cart.")
	// ErrTooLittle has details.least and details.currency: the minimum for the eligible lines.
	ErrTooLittle = refusal("code_too_little", "The eligible items in your cart are below the minimum for this code.")
	// ErrNothingMore does not refuse a code. It is the reason that a code takes nothing off: the other discounts take
	// off as much or more.
	ErrNothingMore = refusal("code_nothing_more", "This code does not lower your price.")
)

func refusal(reason, message string) *fault.Error {
	e := fault.New(fault.Validation, reason, message)
	e.Fields = []fault.Field{{Field: "code", Message: message}}
	return e
}

// Reasons returns the codes of all of them.
func Reasons() []string {
	var out []string
	for _, e := range []*fault.Error{
		ErrUnknown, ErrNotYet, ErrExpired, ErrUsedUp, ErrUsed, ErrNotFirst, ErrMembers, ErrNotThis, ErrTooLittle,
		ErrNothingMore,
	} {
		out = append(out, e.Reason)
	}
	return out
}

// For returns the eligible lines of a cart, or the reason that there are none: ErrNotYet, ErrExpired, ErrUsedUp,
// ErrUsed, ErrNotFirst, ErrMembers, ErrNotThis or ErrTooLittle. It is pure.
func (c Candidate) For(cart Cart) ([]bool, *fault.Error) {
	switch {
	case c.FirstDay != nil && cart.Today.Before(*c.FirstDay):
		return nil, ErrNotYet
	case c.LastDay != nil && cart.Today.After(*c.LastDay):
		return nil, ErrExpired
	case c.UsesMax > 0 && c.Used >= c.UsesMax:
		return nil, ErrUsedUp
	case c.CustomerUsesMax > 0 && c.CustomerUsed >= c.CustomerUsesMax:
		return nil, ErrUsed
	case c.FirstTime && c.Known:
		return nil, ErrNotFirst
	case len(c.PlanIDs) > 0 && !c.Member:
		return nil, ErrMembers
	case len(c.LocationIDs) > 0 && !slices.Contains(c.LocationIDs, cart.LocationID):
		return nil, ErrNotThis
	case (c.Amount > 0 || c.LeastAmount > 0) && c.Currency != cart.Currency:
		return nil, ErrNotThis
	}
	lines, subtotal := make([]bool, len(cart.Lines)), int64(0)
	for i, l := range cart.Lines {
		lines[i] = c.AppliesTo.covers(l) && (l.Goods || c.booked(l))
		if lines[i] {
			subtotal += l.Amount
		}
	}
	switch {
	case subtotal == 0:
		return nil, ErrNotThis
	case subtotal < c.LeastAmount:
		return nil, ErrTooLittle.With("least", c.LeastAmount).With("currency", string(c.Currency))
	}
	return lines, nil
}

// booked reports whether the offering and the date of a booking are eligible.
func (c Candidate) booked(l Line) bool {
	return (len(c.OfferingIDs) == 0 || slices.Contains(c.OfferingIDs, l.OfferingID)) &&
		(len(c.Weekdays) == 0 || slices.Contains(c.Weekdays, l.Day))
}
