package booking

import (
	"slices"
	"time"

	"foyer/app/fees"
)

// CostBasis has the facts for the cost of a cancellation that are not in the rules: the amount that the customer paid
// or is about to pay, and the number of waived fees. The zero CostBasis is that of a new customer without a payment.
type CostBasis struct {
	PriceAmount         int64       // paid, by any payment method, with tax; refunded or not by the rules
	NonRefundableAmount int64       // part of it: a non-refundable deposit
	AuthorizedAmount    int64       // authorized part of PriceAmount and FeeAmount, until the studio decides
	FeeAmount           int64       // part of the service fee: only refunded with a withdrawn request
	DueAmount           int64       // due at the studio, where nothing was paid; a cancellation cancels it
	WaivedAt            []time.Time // times of late-cancellation fees waived by the grace rule
	Plan                string      // that paid it; empty: none
	PlanCredits         int         // of it, returned or not by the rules; 0: it is unlimited
}

// Cost is the cost of a cancellation to the customer, from an instant on and until the next Cost's.
type Cost struct {
	From         time.Time
	Refused      bool  // they cannot do it themselves
	LostAmount   int64 // paid and not refunded
	FeeAmount    int64 // of the policy, to be paid
	WaivedAmount int64 // a fee waived by the grace rule
	Nth          int   // WaivedAmount: its number in the policy's count, from 1 on
}

// Costs returns the costs of a cancellation from now until the booking begins, in the order of time. Of a course b is
// the next upcoming date. A booking that has begun or is not live has none. Each Cost agrees with CancelMine: it is
// decided in the same way, at the instants at which the rules change.
func (b Booking) Costs(s CostBasis, now time.Time) []Cost {
	if b.State != Confirmed && b.State != Requested {
		return nil
	}
	var out []Cost
	for _, at := range b.turns(s, now) {
		c := b.costAt(s, at)
		if n := len(out); n == 0 || !out[n-1].same(c) {
			out = append(out, c)
		}
	}
	return out
}

// turns are the instants from now until the start at which cancelling may come to cost something else.
func (b Booking) turns(s CostBasis, now time.Time) []time.Time {
	out := []time.Time{now, b.Rules.FreeUntil(b.paidFrom()).Add(tick), b.Rules.LateFrom(b.StartsAt)}
	if b.GraceUntil != nil {
		out = append(out, b.GraceUntil.Add(tick))
	}
	for _, t := range s.WaivedAt {
		out = append(out, t.Add(fees.Window(b.Rules.Grace)))
	}
	slices.SortFunc(out, time.Time.Compare)
	return slices.DeleteFunc(out, func(t time.Time) bool { return t.Before(now) || !t.Before(b.StartsAt) })
}

func (b Booking) costAt(s CostBasis, at time.Time) Cost {
	c := Cost{From: at}
	if b.mayCancel(at) != nil {
		c.Refused = true
		return c
	}
	does, err := b.Cancelling(ByCustomer, at)
	if err != nil {
		c.Refused = true
		return c
	}
	switch {
	case !does.RefundsPrice:
		c.LostAmount = s.PriceAmount
	case does.KeepsDeposit:
		c.LostAmount = min(s.NonRefundableAmount, s.PriceAmount)
	}
	if !does.Whole {
		c.LostAmount += s.FeeAmount
	}
	if does.FeeAmount == 0 {
		return c
	}
	if nth, ok := fees.WithinGrace(b.Rules.Grace, fees.LateCancel, s.WaivedAt, at); ok {
		c.WaivedAmount, c.Nth = does.FeeAmount, nth
	} else {
		c.FeeAmount = does.FeeAmount
	}
	return c
}

// same reports whether nothing costs more or less than before.
func (c Cost) same(o Cost) bool {
	return c.Refused == o.Refused && c.LostAmount == o.LostAmount && c.FeeAmount == o.FeeAmount && c.WaivedAmount == o.WaivedAmount
}

// Free reports whether a cancellation forfeits nothing, costs nothing and uses no grace.
func (c Cost) Free() bool { return c.same(Cost{}) }
