package checkout

import (
	"context"
	"slices"
	"time"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// CartDeposit is that a deposit would do for a cart, and the two amounts of which its customer chooses one: what is left to pay now
// when credit has paid first.
type CartDeposit struct {
	InFull       bool       // they chose to pay all of it now
	NowAmount    int64      // to pay now with a deposit
	FullAmount   int64      // to pay now for all of it
	BalanceDueAt *time.Time // from when on the rest is charged to a saved card, that of the first of it; nil: it is not
}

// leaveLater says what of each line stays paid whenever its customer cancels, and what is left for the studio where a deposit is enough:
// all that is more than the deposit. Together the deposits are no less than a card can pay, as long as the lines are, and neither is what one
// of them leaves: else all of it is paid now.
func (q *Quote) leaveLater(items []Item, t Terms) {
	var now int64
	for i, it := range items {
		line := &q.Lines[i]
		if line.KeptAmount = it.Deposit.NonRefundable(line.TotalAmount, it.People); t.InFull {
			continue
		}
		// A card can pay the rest later: it is in steps of the currency.
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
	for i := range q.Lines { // no card could be charged for what is left of it
		if q.Lines[i].LaterAmount < info.MinCharge {
			q.payNow(i, q.Lines[i].LaterAmount)
		}
	}
}

// payNow has so much of what a line leaves for later paid now.
func (q *Quote) payNow(line int, amount int64) int64 {
	q.Lines[line].LaterAmount -= amount
	q.Totals.DueLaterAmount -= amount
	return amount
}

// nowAmount is what of a line is paid when it is booked.
func (p Priced) nowAmount() int64 { return p.TotalAmount - p.LaterAmount }

// paidNow splits what is paid of each line when it is booked into what a card pays and what account credit does.
func paidNow(lines []Priced, credit int64) (card, credited []int64) {
	card = make([]int64, len(lines))
	for i, l := range lines {
		card[i] = l.nowAmount()
	}
	credited = money.Alloc(credit, card)
	for i, n := range credited {
		card[i] -= n
	}
	return card, credited
}

// choice is what the customer of a cart may choose between; nil when nothing of it asks for a deposit, or it is no less than all.
func (l *loaded) choice(terms Terms) *CartDeposit {
	if !slices.ContainsFunc(l.items, func(it Item) bool { return it.Deposit.Required() }) {
		return nil
	}
	inFull := terms.InFull
	terms.InFull = false
	part, _, _ := l.payable(terms)
	if part.Totals.DueLaterAmount == 0 {
		return nil
	}
	terms.InFull = true
	full, _, _ := l.payable(terms)
	return &CartDeposit{InFull: inFull, NowAmount: part.Totals.DueNow(), FullAmount: full.Totals.DueNow(), BalanceDueAt: l.restAt()}
}

// restAt is from when on what deposits leave is charged to a saved card, by the earliest line; nil when it is not: what is
// booked later than that is paid at the studio.
func (l *loaded) restAt() (at *time.Time) {
	for i, line := range l.Lines {
		from, asked := l.items[i].Deposit.BalanceDueFrom(line.StartsAt)
		if asked && from.After(l.now) && (at == nil || from.Before(*at)) {
			at = &from
		}
	}
	return at
}

// PayInFull says whether who holds the cart pays all of it now, where a deposit would do. A card payment that began with the other choice is
// given up; should its money come all the same, it goes back. Saying the same again changes nothing, and so does it where no deposit is
// asked for. It answers the cart as it is then.
//
// It needs the session of who holds the cart. Errors: identity.ErrSignIn; not found; ErrOther, ErrOrdered; ErrPaymentPending while money is
// on its way.
func (s *Service) PayInFull(ctx context.Context, sc tenancy.Scope, token string, yes bool) (Cart, error) {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (bool, error) { return s.payInFull(ctx, tx, l, yes) })
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// payInFull has the customer of a locked cart pay all of it now, or a deposit where one is enough. An order with the other choice is
// given up. changed tells whether the cart is not as it was.
func (s *Service) payInFull(ctx context.Context, tx *pg.Tx, l loaded, yes bool) (changed bool, err error) {
	if l.terms.InFull == yes || l.Deposit == nil {
		return false, nil
	}
	if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
		return false, err
	}
	return true, setPayInFull(ctx, tx, l.ID, yes)
}
