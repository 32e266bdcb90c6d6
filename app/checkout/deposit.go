package checkout

import (
	"context"
	"slices"
	"time"

	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// CartDeposit means that a deposit would do for a cart. It has the two amounts of the customer's choice: the amounts
// to pay now after account credit.
type CartDeposit struct {
	InFull       bool       // they chose to pay the full amount now
	NowAmount    int64      // to pay now with a deposit
	FullAmount   int64      // to pay now for all of it
	BalanceDueAt *time.Time // when a saved card is charged, for the earliest line; nil: never
}

// choice returns the choice of the customer of a cart; nil if nothing of it requires a deposit, or the deposit is no
// less than all.
func (l *loaded) choice(terms order.Terms) *CartDeposit {
	if !slices.ContainsFunc(l.items, func(it order.Item) bool { return it.Deposit.Required() }) {
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
	return &CartDeposit{
		InFull: inFull, NowAmount: part.Totals.DueNow(), FullAmount: full.Totals.DueNow(), BalanceDueAt: l.balanceDueAt(),
	}
}

// balanceDueAt returns when the balances of deposits are charged to a saved card, by the earliest line; nil if they are
// not: the balance of a later booking is paid at the studio.
func (l *loaded) balanceDueAt() (at *time.Time) {
	for i, line := range l.Lines {
		from, charged := l.items[i].Deposit.BalanceDueFrom(line.StartsAt)
		if charged && from.After(l.now) && (at == nil || from.Before(*at)) {
			at = &from
		}
	}
	return at
}

// PayInFull sets whether the cart's holder pays the full amount now, where a deposit would do. A card payment with
// the other choice is canceled; if it succeeds all the same, it is refunded. The same choice again changes nothing,
// and neither does a choice without a deposit. It returns the cart as it is then.
//
// It needs the session of the cart's holder. It returns identity.ErrSignIn, a not found error, ErrOther, ErrOrdered,
// and ErrPaymentPending while a payment is in progress.
func (s *Service) PayInFull(ctx context.Context, sc tenancy.Scope, token string, yes bool) (Cart, error) {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (bool, error) { return s.payInFull(ctx, tx, l, yes) })
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// payInFull has the customer of a locked cart pay the full amount now, or a deposit where one is enough. An order
// with the other choice is given up. changed reports whether the cart has changed.
func (s *Service) payInFull(ctx context.Context, tx *pg.Tx, l loaded, yes bool) (changed bool, err error) {
	if l.terms.InFull == yes || l.Deposit == nil {
		return false, nil
	}
	if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
		return false, err
	}
	return true, setPayInFull(ctx, tx, l.ID, yes)
}
