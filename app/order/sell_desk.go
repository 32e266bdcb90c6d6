package order

import (
	"context"

	"github.com/google/uuid"

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
	return sent(ctx, b, each)
}

// sent sends a batch of sellers, and returns the first refusal.
func sent(ctx context.Context, b *pg.Batch, each []func() error) error {
	if err := b.Send(ctx); err != nil {
		return err
	}
	for _, done := range each {
		if err := done(); err != nil {
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

// ReserveTx has sellers reserve lines of an open order that was just written at the desk: all of them, or it returns
// the first refusal, which ends the caller's transaction.
func (s *Service) ReserveTx(ctx context.Context, tx *pg.Tx, location uuid.UUID, lines []DraftLine) error {
	items := make([]*CartItem, len(lines))
	for i, l := range lines {
		items[i] = &CartItem{
			ID: l.ID, LocationID: location, Kind: l.Kind, Subject: l.Subject, Quantity: l.Quantity, AtDesk: true,
		}
	}
	var each []func() error
	b := tx.Batch()
	ByKind(s.Sellers(), items, func(it *CartItem) Kind { return it.Kind }, func(by Seller, of []*CartItem) {
		each = append(each, by.Reserve(b, tx, of))
	})
	return sent(ctx, b, each)
}

// FulfilTx has sellers hand out the lines that were reserved by ReserveTx, of an order that is fulfilled.
func (s *Service) FulfilTx(ctx context.Context, tx *pg.Tx, order uuid.UUID) error {
	sale, err := deskSaleOf(ctx, tx, order)
	if err != nil || len(sale.Lines) == 0 {
		return err
	}
	b := tx.Batch()
	ByKind(s.Sellers(), sale.Lines, func(l SoldItem) Kind { return l.Kind }, func(by Seller, of []SoldItem) {
		part := sale
		part.Lines = of
		by.Fulfil(b, tx, part)
	})
	return b.Send(ctx)
}

// ReleaseTx undoes ReserveTx, of an order that is not paid.
func (s *Service) ReleaseTx(ctx context.Context, tx *pg.Tx, order uuid.UUID) error {
	sale, err := deskSaleOf(ctx, tx, order)
	if err != nil || len(sale.Lines) == 0 {
		return err
	}
	b := tx.Batch()
	ByKind(s.Sellers(), sale.Lines, func(l SoldItem) Kind { return l.Kind }, func(by Seller, of []SoldItem) {
		ids := make([]uuid.UUID, len(of))
		for i, l := range of {
			ids[i] = l.LineID
		}
		by.Release(b, tx, ids)
	})
	return b.Send(ctx)
}

// deskSaleOf returns what an order without a cart sells beside seats and fees.
func deskSaleOf(ctx context.Context, r pg.Reader, order uuid.UUID) (sale Sale, err error) {
	rows, err := pg.All[struct {
		CustomerID, LocationID uuid.UUID
		SoldItem
	}](ctx, r, `select o.customer_id, o.location_id, x.id as line_id, x.id as cart_item_id, x.kind, x.subject_id,
			x.quantity
		from orders o join order_lines x on x.business_id = $1 and x.order_id = o.id
		where o.business_id = $1 and o.id = $2 and o.cart_id is null and x.subject_id is not null
		order by x.position`, r.Business(), order)
	for _, row := range rows {
		sale = Sale{Order: order, Customer: row.CustomerID, Location: row.LocationID, Lines: append(sale.Lines, row.SoldItem)}
	}
	return sale, err
}
