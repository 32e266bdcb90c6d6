package discount

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/fault"
	"foyer/app/money"
)

// Candidate is a discount that a cart may have, with what the orders there are say about it. The cart's own order is not counted.
type Candidate struct {
	Discount
	Used         int  `json:"used"`          // orders that stand; 0 unless there is a most
	CustomerUsed int  `json:"customer_used"` // of whom the cart is; 0 unless there is a most, and before somebody holds it
	Known        bool `json:"known"`         // whose cart it is has booked before; false unless that matters
}

// Limited tells whether it can be used up, or be over for somebody, by orders that are made: see Lock.
func (c Candidate) Limited() bool { return c.limited() }

// Cart is what a discount is asked about.
type Cart struct {
	LocationID uuid.UUID
	Currency   money.Currency
	Today      civil.Date // at the location
	Lines      []Line
}

// Line is one item of a cart.
type Line struct {
	OfferingID uuid.UUID
	Day        time.Weekday // that it begins on, at the location
	Amount     int64        // as listed
}

// Why a code takes nothing off. Each names the field code.
var (
	ErrUnknown  = refusal("code_unknown", "We do not know this code.")
	ErrNotYet   = refusal("code_not_yet", "This code cannot be used yet.")
	ErrExpired  = refusal("code_over", "This code is over.")
	ErrUsedUp   = refusal("code_used_up", "This code has been used as often as it can be.")
	ErrUsed     = refusal("code_used", "You have used this code already.")
	ErrNotFirst = refusal("code_first_time", "This code is for a first booking.")
	ErrNotThis  = refusal("code_not_for_this", "This code is not for what is in your cart.")
	// ErrTooLittle carries details.least and details.currency: what the lines that it is for have to come to.
	ErrTooLittle = refusal("code_too_little", "What is in your cart costs too little for this code.")
	// ErrNothingMore is no refusal of a code but says why one takes nothing off: what is taken off without it is as much or more.
	ErrNothingMore = refusal("code_nothing_more", "Your price is as low without this code.")
)

func refusal(reason, message string) *fault.Error {
	e := fault.New(fault.Validation, reason, message)
	e.Fields = []fault.Field{{Field: "code", Message: message}}
	return e
}

// Reasons are the codes of all of them.
func Reasons() []string {
	var out []string
	for _, e := range []*fault.Error{ErrUnknown, ErrNotYet, ErrExpired, ErrUsedUp, ErrUsed, ErrNotFirst, ErrNotThis, ErrTooLittle, ErrNothingMore} {
		out = append(out, e.Reason)
	}
	return out
}

// For tells which lines of a cart are eligible, or why none is: ErrNotYet, ErrOver, ErrUsedUp, ErrUsed, ErrNotFirst, ErrNotThis,
// ErrTooLittle. It is pure.
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
	case len(c.LocationIDs) > 0 && !slices.Contains(c.LocationIDs, cart.LocationID):
		return nil, ErrNotThis
	case (c.Amount > 0 || c.LeastAmount > 0) && c.Currency != cart.Currency:
		return nil, ErrNotThis
	}
	lines, subtotal := make([]bool, len(cart.Lines)), int64(0)
	for i, l := range cart.Lines {
		lines[i] = (len(c.OfferingIDs) == 0 || slices.Contains(c.OfferingIDs, l.OfferingID)) &&
			(len(c.Weekdays) == 0 || slices.Contains(c.Weekdays, l.Day))
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
