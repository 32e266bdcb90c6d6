package order

import (
	"foyer/app/money"
	"foyer/billing/tender"
)

// leaveLater computes the part of each line that is not refunded even if its customer cancels, and the part due at
// the studio where a deposit is enough: all but the deposit. Together the deposits are no less than a card can pay,
// as long as the lines are, and neither is the balance of one of them: else the full amount is paid now.
func (q *Quote) leaveLater(items []Item, t Terms) {
	var now int64
	for i, it := range items {
		line := &q.Lines[i]
		if line.NonRefundableAmount = it.Deposit.NonRefundableAmount(line.TotalAmount, it.People); t.InFull {
			continue
		}
		// A card can pay the balance later: it is in steps of the currency.
		line.LaterAmount = t.Currency.Floor(line.TotalAmount - it.Deposit.Of(line.TotalAmount, it.People))
		q.Totals.DueLaterAmount += line.LaterAmount
		now += line.TotalAmount - line.LaterAmount
	}
	info, known := money.Lookup(t.Currency)
	if t.InFull || !known {
		return
	}
	for i := range q.Lines {
		now += q.payNow(i, min(q.Lines[i].LaterAmount, max(0, info.MinCharge-now)))
	}
	for i := range q.Lines { // no card could be charged for its balance
		if q.Lines[i].LaterAmount < info.MinCharge {
			q.payNow(i, q.Lines[i].LaterAmount)
		}
	}
}

// payNow adds so much of a line's balance to the amount paid now.
func (q *Quote) payNow(line int, amount int64) int64 {
	q.Lines[line].LaterAmount -= amount
	q.Totals.DueLaterAmount -= amount
	return amount
}

// NowAmount returns the part of a line that is paid when it is booked.
func (p Priced) NowAmount() int64 { return p.TotalAmount - p.LaterAmount }

// PaidNow splits the amount of each line that is paid when it is booked into the parts of a card and of what is
// prepaid, in its order.
func PaidNow(lines []Priced, prepaid []tender.Prepaid) (card []int64, by [][]int64) {
	card = make([]int64, len(lines))
	for i, l := range lines {
		card[i] = l.NowAmount()
	}
	for _, p := range prepaid {
		parts := money.Alloc(p.Amount, card)
		for i, n := range parts {
			card[i] -= n
		}
		by = append(by, parts)
	}
	return card, by
}
