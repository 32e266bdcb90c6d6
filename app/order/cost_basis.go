package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/business"
	"foyer/app/money"
	"foyer/app/pg"
)

// CostBases returns the amounts paid for each line of the receipt, and the customer's waived fees.
func (r Receipt) CostBases() []booking.CostBasis {
	left := make([]int64, len(r.Lines)) // neither paid at the studio nor with credit: on the card, or due
	card := make([]int64, len(r.Lines))
	for i, l := range r.Lines {
		card[i] = l.CardAmount
		left[i] = LineDue(r.Totals.TaxMode, l.ListedAmount-l.DiscountAmount, l.TaxAmount) - l.PaidAmount - l.CardAmount
	}
	out := ShareFee(r.Totals.ServiceFeeAmount, card)
	for i, l := range r.Lines {
		if r.Card == nil {
			out[i] = booking.CostBasis{}
		}
		out[i].PriceAmount += l.NetAmount
		out[i].NonRefundableAmount = l.NonRefundableAmount
		if r.Totals.DueLaterAmount > 0 && l.due() {
			out[i].DueAmount = left[i]
		}
		out[i].WaivedAt = r.WaivedAt
		out[i].Plan, out[i].PlanCredits = l.Cover.Paid()
	}
	return out
}

// Paid returns the name of the plan and its credits; none without a plan.
func (c *Cover) Paid() (plan string, credits int) {
	if c == nil {
		return "", 0
	}
	return c.Name, c.Credits
}

// ShareFee spreads a service fee over the amounts of lines.
func ShareFee(serviceFee int64, dues []int64) []booking.CostBasis {
	out := make([]booking.CostBasis, len(dues))
	for i, fee := range money.Alloc(serviceFee, dues) {
		out[i] = booking.CostBasis{PriceAmount: dues[i], FeeAmount: fee}
	}
	return out
}

// LineDue returns the total of an order's line: the listed price less its discounts, and the tax on top of that.
func LineDue(mode business.TaxMode, net, tax int64) int64 {
	if mode == business.TaxExclusive {
		return net + tax
	}
	return net
}

// CostBasesOf returns the amounts of bookings of one business that were paid, by card, at the studio or with credit,
// and not refunded, or are due there, the plans that paid for them, and the waived fees of customers with a grace rule,
// by booking id. It makes one trip to the database, and none without bookings.
func CostBasesOf(ctx context.Context, v *pg.View, list []booking.Booking) (map[uuid.UUID]booking.CostBasis, error) {
	var of costBasisInput
	for _, b := range list {
		if b.ID != uuid.Nil {
			of.bookings = append(of.bookings, b.ID)
		}
		if b.Course() {
			of.courses = append(of.courses, *b.GroupID)
		}
		if b.OrderID != nil {
			of.orders = append(of.orders, *b.OrderID)
		}
		if b.Rules.HasLateGrace() {
			of.customers = append(of.customers, b.CustomerID)
		}
	}
	if len(of.bookings)+len(of.customers) == 0 {
		return nil, nil
	}
	got, err := readCostBases(ctx, v, of)
	if err != nil {
		return nil, err
	}
	out := map[uuid.UUID]booking.CostBasis{}
	for _, b := range list {
		s := got.sold.of(b)
		for _, t := range got.paid {
			if ofLine(b, t.BookingID, t.GroupID) {
				s.PriceAmount, s.NonRefundableAmount = s.PriceAmount+t.Amount, max(s.NonRefundableAmount, t.NonRefundableAmount)
			}
		}
		for _, o := range got.due {
			if ofLine(b, o.BookingID, o.GroupID) && isDue(b.State) {
				s.DueAmount = o.Amount
			}
		}
		for _, p := range got.plans {
			if p.BookingID == b.ID {
				s.Plan, s.PlanCredits = p.Plan, p.Credits
			}
		}
		for _, f := range got.past {
			if f.CustomerID == b.CustomerID {
				s.WaivedAt = append(s.WaivedAt, f.At)
			}
		}
		out[b.ID] = s
	}
	return out, nil
}

// ofLine reports whether a line of an order is for a booking; that of a course is for all its dates.
func ofLine(b booking.Booking, line uuid.UUID, group *uuid.UUID) bool {
	return line == b.ID || b.Course() && group != nil && *group == *b.GroupID
}

// soldRows are all lines of orders that were paid by card, those of an order together.
type soldRows []soldRow

// of returns the amount paid for a booking; of a date of a course, for all of it.
func (rows soldRows) of(b booking.Booking) (s booking.CostBasis) {
	asked := map[uuid.UUID]bool{}
	for _, r := range rows {
		if ofLine(b, r.BookingID, r.GroupID) {
			asked[r.BookingID] = true
		}
	}
	for id, lines := range shares(rows) {
		if !asked[id] {
			continue
		}
		for _, line := range lines {
			s.PriceAmount, s.FeeAmount, s.NonRefundableAmount = s.PriceAmount+line.due, s.FeeAmount+line.fee, max(s.NonRefundableAmount, line.kept)
			if line.authorized {
				s.AuthorizedAmount += line.due + line.fee
			}
		}
	}
	return s
}
