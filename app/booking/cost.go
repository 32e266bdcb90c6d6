package booking

import (
	"slices"
	"time"

	"foyer/app/fees"
)

// CostBasis is what somebody has in a booking that the rules do not say: what they paid for it, or are about to, and how much of
// the policy's leniency they have used up. The zero Stake is that of a new customer who has paid nothing.
type CostBasis struct {
	PriceAmount      int64       // that was paid, by whatever means, with the tax on top of it: comes back, or does not, by the rules
	KeptAmount       int64       // of that: a deposit that does not come back, however early they cancel
	AuthorizedAmount int64       // of that and FeeAmount: held on a card until the studio has decided, and not taken
	FeeAmount        int64       // the booking's part of the service fee: it comes back with a request that is withdrawn, and never else
	DueAmount        int64       // to be paid at the studio, where nothing was paid; who cancels does not owe it any more
	ForgivenAt       []time.Time // when a fee for cancelling late was forgiven to them; what is older than any window may be missing
}

// Cost is what it costs the customer to cancel, from an instant on and until the next Cost's.
type Cost struct {
	From           time.Time
	Refused        bool  // they cannot do it themselves
	LostAmount     int64 // was paid and does not come back
	FeeAmount      int64 // of the policy, to be paid
	ForgivenAmount int64 // a fee that is let pass
	Nth            int   // ForgivenAmount: which one of the policy's count this would be, from 1 on
}

// Costs tells what cancelling costs the customer from now until the booking begins, in the order of time; of a course b is the
// next date to come. Nothing for a booking that has begun or does not stand. It says what CancelMine does: each Cost is decided as
// that verb decides, at the instants where the rules turn.
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
	for _, t := range s.ForgivenAt {
		out = append(out, t.Add(fees.Window(b.Rules.Forgive)))
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
		c.LostAmount = min(s.KeptAmount, s.PriceAmount)
	}
	if !does.Whole {
		c.LostAmount += s.FeeAmount
	}
	if does.FeeAmount == 0 {
		return c
	}
	if nth, ok := fees.Forgives(b.Rules.Forgive, fees.LateCancel, s.ForgivenAt, at); ok {
		c.ForgivenAmount, c.Nth = does.FeeAmount, nth
	} else {
		c.FeeAmount = does.FeeAmount
	}
	return c
}

// same tells whether nothing costs more or less than before.
func (c Cost) same(o Cost) bool {
	return c.Refused == o.Refused && c.LostAmount == o.LostAmount && c.FeeAmount == o.FeeAmount && c.ForgivenAmount == o.ForgivenAmount
}

// Free tells whether there is nothing to lose, to pay or to be forgiven.
func (c Cost) Free() bool { return c.same(Cost{}) }
