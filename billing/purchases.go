package billing

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/giftcard"
	"foyer/billing/ledger"
	"foyer/billing/tender"
)

// A refund of an order that sold something to pay with, a gift card or a plan, takes its parts of them off it, and only
// what is not used yet is refundable.

// Purchases are what lines of orders have sold that customers pay with later. Lines of others are ignored.
type Purchases interface {
	// RefundableTx locks what lines have sold, and returns by line what is not used of it.
	RefundableTx(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) (map[uuid.UUID]int64, error)
	// RefundableIn queues the reading of that for the lines of an order, without a lock: for a page, not for a refund.
	RefundableIn(b *pg.Batch, r pg.Reader, order uuid.UUID) func() map[uuid.UUID]int64
	// ReturnTx takes the refunded amounts of lines off what they have sold.
	ReturnTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context,
		lines []tender.LineRefund) error
	// RestoreTx undoes ReturnTx of a refund that failed.
	RestoreTx(ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context,
		lines []tender.LineRefund) error
}

// giftCards are the purchases of gift cards.
type giftCards struct{}

func (giftCards) RefundableTx(ctx context.Context, tx *pg.Tx, lines []uuid.UUID) (map[uuid.UUID]int64, error) {
	return giftcard.RefundableTx(ctx, tx, lines)
}

func (giftCards) RefundableIn(b *pg.Batch, r pg.Reader, order uuid.UUID) func() map[uuid.UUID]int64 {
	return giftcard.RefundableIn(b, r, order)
}

func (giftCards) ReturnTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	return giftcard.ReturnTx(ctx, tx, by, refund, at, lines)
}

func (giftCards) RestoreTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, refund uuid.UUID, at ledger.Context, lines []tender.LineRefund,
) error {
	return giftcard.RestoreTx(ctx, tx, by, refund, at, lines)
}

// purchaseAccounts are the accounts to which prices are posted until they are used.
var purchaseAccounts = []ledger.Account{ledger.GiftCards, ledger.DeferredPack, ledger.DeferredMembership}

// eachPurchase calls do for the parts of each kind of purchase, by line, in the order in which they are locked: gift
// cards last, as when an order is fulfilled.
func (s *Service) eachPurchase(parts []tender.Part, do func(Purchases, []tender.LineRefund) error) error {
	var cards, plans []tender.LineRefund
	for _, p := range parts {
		switch {
		case p.Line == uuid.Nil || !slices.Contains(purchaseAccounts, p.Account):
		case p.Account == ledger.GiftCards:
			cards = append(cards, tender.LineRefund{Line: p.Line, Amount: p.Amount})
		default:
			plans = append(plans, tender.LineRefund{Line: p.Line, Amount: p.Amount})
		}
	}
	if len(plans) > 0 {
		if err := do(s.Ports().Plans, plans); err != nil {
			return err
		}
	}
	if len(cards) > 0 {
		return do(giftCards{}, cards)
	}
	return nil
}

// refundablePurchases locks what parts have sold, and reads what is not used of it, by line; nil if there is none.
func (s *Service) refundablePurchases(
	ctx context.Context, tx *pg.Tx, parts []tender.Part,
) (left map[uuid.UUID]int64, err error) {
	err = s.eachPurchase(parts, func(of Purchases, lines []tender.LineRefund) error {
		ids := make([]uuid.UUID, len(lines))
		for i, l := range lines {
			ids[i] = l.Line
		}
		found, err := of.RefundableTx(ctx, tx, ids)
		if left == nil {
			left = map[uuid.UUID]int64{}
		}
		for line, n := range found {
			left[line] = n
		}
		return err
	})
	return left, err
}

// RefundableIn queues the reading of what is not used of the purchases of an order, by line, without a lock.
func (s *Service) RefundableIn(b *pg.Batch, r pg.Reader, order uuid.UUID) func() map[uuid.UUID]int64 {
	cards, plans := giftCards{}.RefundableIn(b, r, order), s.Ports().Plans.RefundableIn(b, r, order)
	return func() map[uuid.UUID]int64 {
		left := cards()
		for line, n := range plans() {
			left[line] = n
		}
		return left
	}
}

// within returns refundable parts without what is used of the purchases that they have sold.
func within(parts []tender.Part, left map[uuid.UUID]int64) []tender.Part {
	if len(left) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i, p := range parts {
		if n, sold := left[p.Line]; sold && slices.Contains(purchaseAccounts, p.Account) {
			parts[i].Amount = min(p.Amount, n)
		}
	}
	return parts
}

// returnPurchases takes a refund's parts of purchases off them.
func (s *Service) returnPurchases(ctx context.Context, tx *pg.Tx, at ledger.Context, r RefundRequest) error {
	by, _ := tenancy.ActingFrom(ctx)
	return s.eachPurchase(r.Parts, func(of Purchases, lines []tender.LineRefund) error {
		return of.ReturnTx(ctx, tx, by, r.ID, at, lines)
	})
}

// restorePurchases undoes it: the refund has failed.
func (s *Service) restorePurchases(ctx context.Context, tx *pg.Tx, at ledger.Context, r RefundRequest) error {
	by, _ := tenancy.ActingFrom(ctx)
	return s.eachPurchase(r.Parts, func(of Purchases, lines []tender.LineRefund) error {
		return of.RestoreTx(ctx, tx, by, r.ID, at, lines)
	})
}
