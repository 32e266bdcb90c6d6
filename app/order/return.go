package order

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ErrAlreadyReturned means that less of a line can still be returned than was asked for. details.lineId names the line,
// details.returnable the quantity.
var ErrAlreadyReturned = fault.New(fault.Conflict, "already_returned",
	"So many were not sold, or some of them were returned already.")

// SoldGoods are the lines of a fulfilled order that sellers sold, locked for a return.
type SoldGoods struct {
	OrderID, CustomerID, LocationID uuid.UUID
	Currency                        money.Currency
	Anonymous                       bool // the customer is a walk-in without a record of their own
	Today                           bool // it was sold today on the location's wall clock
	Lines                           []GoodsLine
}

// GoodsLine is a line of goods.
type GoodsLine struct {
	ID       uuid.UUID
	Kind     Kind
	Subject  uuid.UUID `db:"subject_id,null"`
	Label    string
	Quantity int
	Returned int   // of the quantity
	Amount   int64 // the customer's price of the line, in minor units
}

// Share returns the part of the line's price for the next units to be returned. The shares of all units add up to the
// price: each return rounds what it and those before it come to.
func (l GoodsLine) Share(quantity int) int64 {
	upTo := func(n int) int64 { return (2*l.Amount*int64(n) + int64(l.Quantity)) / (2 * int64(l.Quantity)) }
	return upTo(l.Returned+quantity) - upTo(l.Returned)
}

// LockGoodsTx locks an order and reads its goods. Returns of it wait meanwhile. It returns a not found error for an
// order that is unknown or not fulfilled.
func LockGoodsTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) (SoldGoods, error) {
	return lockGoods(ctx, tx, id)
}

// ReturnInput is the return of a part of a line.
type ReturnInput struct {
	Line     GoodsLine // as LockGoodsTx read it
	Quantity int
	Restock  bool
	RefundID uuid.UUID // the refund with it; uuid.Nil: none
}

// returnedItems returns what sellers are told of returns, with new ids.
func returnedItems(list []ReturnInput) (items []ReturnedItem) {
	ids := pg.NewIDs(len(list))
	for i, in := range list {
		items = append(items, ReturnedItem{
			ReturnID: ids[i], LineID: in.Line.ID, Kind: in.Line.Kind, Subject: in.Line.Subject, Quantity: in.Quantity,
			Restock: in.Restock,
		})
	}
	return items
}

// LockReturnTx has the sellers of goods lock what their return changes. It returns the refusal of a seller.
func (s *Service) LockReturnTx(ctx context.Context, tx *pg.Tx, g SoldGoods, list []ReturnInput) error {
	var each []func() error
	b := tx.Batch()
	s.eachReturn(g, tenancy.Actor{}, "", returnedItems(list), func(by Seller, back Return) {
		each = append(each, by.LockReturn(b, tx, back))
	})
	if err := b.Send(ctx); err != nil {
		return err
	}
	for _, locked := range each {
		if err := locked(); err != nil {
			return err
		}
	}
	return nil
}

// ReturnTx records the return of goods, after LockReturnTx, and has their sellers take them back.
func (s *Service) ReturnTx(
	ctx context.Context, tx *pg.Tx, by tenancy.Actor, g SoldGoods, note string, list []ReturnInput,
) error {
	items := returnedItems(list)
	b := tx.Batch()
	insertReturns(b, tx, by, note, items, list)
	s.eachReturn(g, by, note, items, func(by Seller, back Return) { by.Return(b, tx, back) })
	return b.Send(ctx)
}

// eachReturn groups returned items by their seller.
func (s *Service) eachReturn(
	g SoldGoods, by tenancy.Actor, note string, items []ReturnedItem, do func(Seller, Return),
) {
	ByKind(s.Sellers(), items, func(it ReturnedItem) Kind { return it.Kind }, func(seller Seller, of []ReturnedItem) {
		do(seller, Return{
			Order: g.OrderID, Customer: g.CustomerID, Location: g.LocationID, By: by, Note: note, Lines: of,
		})
	})
}
