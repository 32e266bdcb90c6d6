package order

import (
	"context"

	"foyer/app/pg"
)

// SellTx has sellers hand out lines of an order that was just written at the desk: all of them, or it returns the first
// refusal, which ends the caller's transaction.
func (s *Service) SellTx(ctx context.Context, tx *pg.Tx, sale Sale) error {
	var each []func() error
	b := tx.Batch()
	ByKind(s.Sellers(), sale.Lines, func(l SoldItem) Kind { return l.Kind }, func(by Seller, of []SoldItem) {
		each = append(each, by.Sell(b, tx, Sale{
			Order: sale.Order, Customer: sale.Customer, Location: sale.Location, By: sale.By, Lines: of,
		}))
	})
	if err := b.Send(ctx); err != nil {
		return err
	}
	for _, sold := range each {
		if err := sold(); err != nil {
			return err
		}
	}
	return nil
}

// QuoteTx reads the offers of items, which are set.
func (s *Service) QuoteTx(ctx context.Context, tx *pg.Tx, items []*CartItem) error {
	var each []func()
	b := tx.Batch()
	ByKind(s.Sellers(), items, func(it *CartItem) Kind { return it.Kind }, func(by Seller, of []*CartItem) {
		each = append(each, by.Quote(b, tx, of))
	})
	if err := b.Send(ctx); err != nil {
		return err
	}
	for _, read := range each {
		read()
	}
	return nil
}
