package order

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/money"
)

// Off is the pipeline's input for a discount: its amount, and its lines.
type Off struct {
	ID       uuid.UUID
	Name     string // as customers read it
	Code     string // empty: it is automatic
	PPM      int64  // of the lines' price by then: 200000 is 20 %; 0: Amount
	Amount   int64  // off all of the lines together, and never more than they cost
	Combines bool   // with others that combine
	Lines    []bool // by item: the eligible ones
}

// Discounted is the amount of one discount.
type Discounted struct {
	ID     uuid.UUID `json:"discount_id"`
	Name   string    `json:"name"`
	Code   string    `json:"code"` // empty: it is automatic
	Amount int64     `json:"amount"`
}

// cover takes the whole price off the lines that a plan pays.
func (q *Quote) cover(items []Item) {
	for i, it := range items {
		if it.Cover == nil {
			continue
		}
		line := &q.Lines[i]
		line.Cover, line.DiscountAmount = it.Cover, line.DiscountAmount+line.TotalAmount
		q.Totals.DiscountAmount += line.TotalAmount
		q.Totals.PlanAmount += line.TotalAmount
		line.TotalAmount = 0
	}
}

// takeOff takes discounts off the lines. Those that combine are taken off one after the other, each off the amount
// after the ones before it; one that does not stands alone. If there are both, the customer has the larger reduction;
// of equal ones, the earlier.
func (q *Quote) takeOff(offs []Off) {
	var best []reduction
	var most int64
	try := func(offs ...Off) {
		if got, sum := q.tried(offs); sum > most {
			best, most = got, sum
		}
	}
	together := slices.DeleteFunc(slices.Clone(offs), func(o Off) bool { return !o.Combines })
	if len(together) > 0 {
		try(together...)
	}
	for _, o := range offs {
		if !o.Combines {
			try(o)
		}
	}
	for _, t := range best {
		d := Discounted{ID: t.off.ID, Name: t.off.Name, Code: t.off.Code, Amount: t.sum}
		q.Totals.Discounts = append(q.Totals.Discounts, d)
		q.Totals.DiscountAmount += t.sum
		for i, part := range t.parts {
			if part > 0 {
				d.Amount = part
				q.Lines[i].DiscountAmount += part
				q.Lines[i].TotalAmount -= part
				q.Lines[i].Discounts = append(q.Lines[i].Discounts, d)
			}
		}
	}
}

// waiveRemainder has the last discount take off the whole remaining amount: it is less than any card can pay.
func (q *Quote) waiveRemainder() {
	if len(q.Totals.Discounts) == 0 {
		return
	}
	last := &q.Totals.Discounts[len(q.Totals.Discounts)-1]
	for i := range q.Lines {
		line := &q.Lines[i]
		left := line.TotalAmount
		if left == 0 {
			continue
		}
		line.DiscountAmount, line.TotalAmount = line.DiscountAmount+left, 0
		last.Amount, q.Totals.DiscountAmount = last.Amount+left, q.Totals.DiscountAmount+left
		if n := len(line.Discounts); n > 0 && line.Discounts[n-1].ID == last.ID {
			line.Discounts[n-1].Amount += left
			continue
		}
		off := *last
		off.Amount = left
		line.Discounts = append(line.Discounts, off)
	}
}

// LeavesTooLittle reports whether the amount after discounts is above zero, and less than a card can pay.
func (q *Quote) LeavesTooLittle() bool {
	left := q.Totals.TotalAmount - q.Totals.ServiceFeeAmount
	info, known := money.Lookup(q.Totals.Currency)
	return known && len(q.Totals.Discounts) > 0 && left > 0 && left < info.MinCharge
}

// reduction is the amount that one discount takes off each line, and their sum.
type reduction struct {
	off   Off
	parts []int64
	sum   int64
}

// tried returns the reductions of discounts if all of them are taken off, without empty ones.
func (q *Quote) tried(offs []Off) (out []reduction, sum int64) {
	left := make([]int64, len(q.Lines))
	for i, l := range q.Lines {
		left[i] = l.TotalAmount
	}
	weights := make([]int64, len(left))
	for _, o := range offs {
		var subtotal int64
		for i := range left {
			weights[i] = 0
			if o.Lines[i] {
				weights[i] = left[i]
				subtotal += left[i]
			}
		}
		t := reduction{off: o, sum: o.of(subtotal)}
		if t.sum == 0 {
			continue
		}
		t.parts = money.Alloc(t.sum, weights)
		for i, part := range t.parts {
			left[i] -= part
		}
		out, sum = append(out, t), sum+t.sum
	}
	return out, sum
}

// of returns a discount's reduction of lines with that total: a percentage is rounded once.
func (o Off) of(subtotal int64) int64 {
	if o.PPM > 0 {
		return money.RoundHalfUp(subtotal, o.PPM, money.Million)
	}
	return min(o.Amount, subtotal)
}
