package checkout

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/pg"
)

// Stakes are what the customer is about to pay for each line of the cart.
func (c Cart) Stakes() []booking.Stake {
	dues := make([]int64, len(c.Lines))
	for i, l := range c.Lines {
		dues[i] = l.TotalAmount
	}
	return stakes(c.Totals.ServiceFeeAmount, dues)
}

// Stakes are what was paid for each line of the receipt, and what its customer was forgiven.
func (r Receipt) Stakes() []booking.Stake {
	dues := make([]int64, len(r.Lines))
	for i, l := range r.Lines {
		dues[i] = due(r.Totals.TaxMode, l.ListedAmount-l.DiscountAmount, l.TaxAmount)
	}
	out := stakes(r.Totals.ServiceFeeAmount, dues)
	for i := range out {
		if r.Card == nil {
			out[i] = booking.Stake{}
		}
		if l := r.Lines[i]; r.DueAmount > 0 && l.owed() {
			out[i].DueAmount = dues[i] - l.TakenAmount
		}
		out[i].Forgiven = r.Forgiven
	}
	return out
}

// stakes spreads a service fee over what lines come to.
func stakes(serviceFee int64, dues []int64) []booking.Stake {
	out := make([]booking.Stake, len(dues))
	for i, fee := range money.Alloc(serviceFee, dues) {
		out[i] = booking.Stake{PriceAmount: dues[i], FeeAmount: fee}
	}
	return out
}

// due is what a line of an order comes to: the listed price without what was taken off it, and the tax on top of that.
func due(mode business.TaxMode, net, tax int64) int64 {
	if mode == business.TaxExclusive {
		return net + tax
	}
	return net
}

// StakesOf tells what was paid by card for bookings of one business, or is to be paid at the studio, and what the customers of
// those whose rules forgive were forgiven, by the bookings' ids. It is one trip; none when there is nothing to ask.
func StakesOf(ctx context.Context, v *pg.View, list []booking.Booking) (map[uuid.UUID]booking.Stake, error) {
	var orders, customers []uuid.UUID
	for _, b := range list {
		if b.OrderID != nil {
			orders = append(orders, *b.OrderID)
		}
		if b.Rules.ForgivesLate() {
			customers = append(customers, b.CustomerID)
		}
	}
	if len(orders)+len(customers) == 0 {
		return nil, nil
	}
	sold, owed, forgiven, err := readStakes(ctx, v, orders, customers)
	if err != nil {
		return nil, err
	}
	out := map[uuid.UUID]booking.Stake{}
	for _, b := range list {
		s := sold.of(b)
		for _, o := range owed {
			if ofLine(b, o.BookingID, o.GroupID) && owes(b.State) {
				s.DueAmount = o.Amount
			}
		}
		for _, f := range forgiven {
			if f.CustomerID == b.CustomerID {
				s.Forgiven = append(s.Forgiven, f.At)
			}
		}
		out[b.ID] = s
	}
	return out, nil
}

// ofLine tells whether a line of an order is for a booking; that of a course is for all its dates.
func ofLine(b booking.Booking, line uuid.UUID, group *uuid.UUID) bool {
	return line == b.ID || b.Course() && group != nil && *group == *b.GroupID
}

// soldRows are all lines of orders that were paid by card.
type soldRows []soldRow

// of is what was paid for a booking; of a date of a course, for all of it.
func (rows soldRows) of(b booking.Booking) booking.Stake {
	for _, r := range rows {
		if !ofLine(b, r.BookingID, r.GroupID) {
			continue
		}
		line := shares(rows)[r.BookingID]
		return booking.Stake{PriceAmount: line.due, FeeAmount: line.fee, Held: line.held}
	}
	return booking.Stake{}
}
