package checkout

import (
	"bytes"
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/tender"
)

// choice is the choice to pay a cart from something that its holder has with the studio, or not to.
type choice struct {
	Kind     tender.Kind `json:"kind"`
	SourceID uuid.UUID   `json:"source_id"`
	Used     bool        `json:"used"`
}

// UsePrepaid pays a held cart from a source of its holder, besides account credit, or no longer: it is for the domain
// of the source, which has checked that it is the holder's to use. It returns the errors of UseCredit.
func (s *Service) UsePrepaid(
	ctx context.Context, sc tenancy.Scope, token string, kind tender.Kind, source uuid.UUID, yes bool,
) (Cart, error) {
	return s.choosePrepaid(ctx, sc, token, choice{Kind: kind, SourceID: source, Used: yes})
}

// choosePrepaid writes a choice for a held cart. A card payment with another one is canceled; if it succeeds all the
// same, it is refunded.
func (s *Service) choosePrepaid(ctx context.Context, sc tenancy.Scope, token string, c choice) (Cart, error) {
	_, err := use(ctx, s, sc, token, func(tx *pg.Tx, l loaded) (none struct{}, err error) {
		switch {
		case l.PersonID == nil:
			return none, ErrNotHeld
		case l.chose(c):
			return none, nil
		}
		if err := s.dropOrder(ctx, tx, l.Cart); err != nil {
			return none, err
		}
		return none, setChoice(ctx, tx, l.ID, c)
	})
	if err != nil {
		return Cart{}, err
	}
	return s.Cart(ctx, sc, token)
}

// chose reports whether a choice is the cart's already.
func (l *loaded) chose(c choice) bool {
	i := slices.IndexFunc(l.rows[0].Choices, func(o choice) bool { return o.Kind == c.Kind && o.SourceID == c.SourceID })
	if i < 0 {
		return !c.Used && c.Kind != tender.AccountCredit
	}
	return l.rows[0].Choices[i].Used == c.Used
}

// sources returns the choices of a held cart to pay from a source that its statement has not read. Nothing pays for its
// own kind: a gift card buys no gift card.
func (l *loaded) sources() []choice {
	if l.Hold == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(l.rows[0].Choices), func(c choice) bool {
		return c.Kind == tender.AccountCredit || l.Sells(order.Kind(c.Kind))
	})
}

// Sells reports whether the cart has an item of a kind.
func (c *Cart) Sells(kind order.Kind) bool {
	return slices.ContainsFunc(c.Lines, func(line Line) bool { return line.Kind == kind })
}

// readFree queues the reading of what the sources of carts have, and returns what makes them theirs.
func (s *Service) readFree(b *pg.Batch, r pg.Reader, carts []*loaded) func() {
	var each []func()
	for _, l := range carts {
		for _, c := range l.sources() {
			request := tender.Request{SourceID: c.SourceID, CustomerID: l.Hold.CustomerID, Currency: l.terms.Currency}
			if l.Order != nil {
				request.OrderID = l.Order.ID
			}
			free := s.billing.Sources()[c.Kind].Free(b, r, []tender.Request{request})
			each = append(each, func() {
				has := free()[0]
				l.free = append(l.free, held{tender.Prepaid{
					Kind: c.Kind, SourceID: c.SourceID, Label: has.Label, Amount: has.Amount,
				}, has.EndsAt})
			})
		}
	}
	return func() {
		for _, done := range each {
			done()
		}
		for _, l := range carts {
			slices.SortFunc(l.free, byEnd)
		}
	}
}

// held is what a source of a cart has.
type held struct {
	tender.Prepaid
	endsAt time.Time // zero: never
}

// byEnd compares what sources have: what ends first pays first, and what never ends last.
func byEnd(a, b held) int {
	switch {
	case a.endsAt.Equal(b.endsAt):
		return bytes.Compare(a.SourceID[:], b.SourceID[:])
	case b.endsAt.IsZero() || !a.endsAt.IsZero() && a.endsAt.Before(b.endsAt):
		return -1
	}
	return 1
}

// credited sets what the customer may pay with beside a card, and their choice: account credit comes last.
func (l *loaded) credited(f cartRow) {
	for _, h := range l.free {
		l.Sources = append(l.Sources, h.Prepaid)
	}
	l.terms.Prepaid = append(l.terms.Prepaid, l.Sources...)
	for _, c := range f.Choices {
		if c.Kind == tender.AccountCredit {
			l.useCredit = &c.Used
		}
	}
	if l.Hold == nil || f.FreeCredit <= 0 {
		return
	}
	l.Credit = &CartCredit{FreeAmount: f.FreeCredit, Use: l.useCredit}
	if l.useCredit != nil && *l.useCredit {
		l.terms.Prepaid = append(l.terms.Prepaid, tender.Prepaid{Kind: tender.AccountCredit, Amount: f.FreeCredit})
	}
}

// hideCredit hides what the holder pays with from another viewer: plans, too.
func (l *loaded) hideCredit() {
	hidden := len(l.Totals.Prepaid) > 0 || l.Totals.PlanAmount > 0
	l.Credit, l.Sources, l.HasPlans = nil, nil, false
	l.Totals.Prepaid, l.Totals.PlanAmount = nil, 0
	for i := range l.Lines {
		l.Lines[i].Cover, l.items[i].Cover = nil, nil
	}
	if !hidden || l.ordered {
		return
	}
	l.terms.Prepaid, l.terms.Tender = nil, ""
	terms := l.terms
	q, _, card := l.payable(terms)
	for i := range l.Lines {
		l.Lines[i].Priced = q.Lines[i]
	}
	l.Totals, l.Card = q.Totals, card
	l.atStudio(terms)
	if l.Deposit != nil {
		l.Deposit = l.choice(terms)
	}
}

// toPay returns the order of the cart, as it is paid.
func (l *loaded) toPay(orderID uuid.UUID) lockedOrder {
	return lockedOrder{
		ID: orderID, LocationID: l.LocationID, CustomerID: l.Hold.CustomerID, Currency: l.currency(),
		Prepaid: l.Totals.Prepaid,
	}
}

// short reads what pays an order beside a card, with lock under its locks, and returns the refusal if one of it no
// longer suffices: the second of two carts at once gets that.
func (s *Service) short(ctx context.Context, tx *pg.Tx, o lockedOrder, lock bool) (refusal, err error) {
	if len(o.Prepaid) == 0 {
		return nil, nil
	}
	b := tx.Batch()
	var each []func() error
	for _, kind := range kindsOf(o.Prepaid) {
		source := s.billing.Sources()[kind]
		var requests []tender.Request
		var amounts []int64
		for _, p := range o.Prepaid {
			if p.Kind == kind {
				requests = append(requests, tender.Request{
					SourceID: p.SourceID, CustomerID: o.CustomerID, OrderID: o.ID, Currency: o.Currency,
				})
				amounts = append(amounts, p.Amount)
			}
		}
		var read func() []tender.Available
		if lock {
			read = source.Lock(b, tx, requests)
		} else {
			read = source.Free(b, tx, requests)
		}
		each = append(each, func() error {
			for i, free := range read() {
				if free.Amount < amounts[i] {
					return source.Short(free.Amount)
				}
			}
			return nil
		})
	}
	if err := b.Send(ctx); err != nil {
		return nil, err
	}
	for _, enough := range each {
		if refusal := enough(); refusal != nil {
			return refusal, nil
		}
	}
	return nil, nil
}

// kindsOf returns the kinds, each once, in the order in which they are locked.
func kindsOf(list []tender.Prepaid) (kinds []tender.Kind) {
	for _, p := range list {
		kinds = append(kinds, p.Kind)
	}
	slices.SortFunc(kinds, tender.SourceOrder)
	return slices.Compact(kinds)
}

// lockPrepaid locks what pays an order beside a card. It returns the refusal if it no longer suffices.
func (s *Service) lockPrepaid(ctx context.Context, tx *pg.Tx, o lockedOrder) error {
	refusal, err := s.short(ctx, tx, o, true)
	return fault.When(refusal != nil, refusal, err)
}

// spend spends what pays for an order beside a card.
func (s *Service) spend(ctx context.Context, tx *pg.Tx, sc tenancy.Scope, o lockedOrder) error {
	if err := s.lockPrepaid(ctx, tx, o); err != nil {
		return err
	}
	return s.billing.CapturePrepaidTx(ctx, tx, sc, o.ID)
}
