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

// A refund of an order that sold gift cards takes its parts of them off the cards, and only what they have not paid yet
// is refundable.

// giftLines returns the amounts of parts that sold gift cards, by line.
func giftLines(parts []tender.Part) (lines []tender.LineRefund) {
	for _, p := range parts {
		if p.Account == ledger.GiftCards && p.Line != uuid.Nil {
			lines = append(lines, tender.LineRefund{Line: p.Line, Amount: p.Amount})
		}
	}
	return lines
}

// refundableGiftCards locks the gift cards that parts have sold, and reads what is left of each, by line; nil if there
// are none.
func refundableGiftCards(ctx context.Context, tx *pg.Tx, parts []tender.Part) (map[uuid.UUID]int64, error) {
	lines := giftLines(parts)
	if len(lines) == 0 {
		return nil, nil
	}
	ids := make([]uuid.UUID, len(lines))
	for i, l := range lines {
		ids[i] = l.Line
	}
	return giftcard.RefundableTx(ctx, tx, ids)
}

// within returns refundable parts without what the gift cards that they sold have paid already.
func within(parts []tender.Part, left map[uuid.UUID]int64) []tender.Part {
	if len(left) == 0 {
		return parts
	}
	parts = slices.Clone(parts)
	for i, p := range parts {
		if n, sold := left[p.Line]; sold && p.Account == ledger.GiftCards {
			parts[i].Amount = min(p.Amount, n)
		}
	}
	return parts
}

// returnGiftCards takes a refund's parts of gift cards off them.
func returnGiftCards(ctx context.Context, tx *pg.Tx, at ledger.Context, r RefundRequest) error {
	lines := giftLines(r.Parts)
	if len(lines) == 0 {
		return nil
	}
	by, _ := tenancy.ActingFrom(ctx)
	return giftcard.ReturnTx(ctx, tx, by, r.ID, at, lines)
}

// restoreGiftCards undoes it: the refund has failed.
func restoreGiftCards(ctx context.Context, tx *pg.Tx, at ledger.Context, r RefundRequest) error {
	lines := giftLines(r.Parts)
	if len(lines) == 0 {
		return nil
	}
	by, _ := tenancy.ActingFrom(ctx)
	return giftcard.RestoreTx(ctx, tx, by, r.ID, at, lines)
}
