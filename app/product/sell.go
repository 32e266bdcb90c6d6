package product

import (
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/billing/ledger"
)

// Few is the largest number of available items that customers are told.
const Few = 5

// offer is a variant at a location, for an item of a cart.
type offer struct {
	Item              uuid.UUID
	Name              string // of the product
	Choices           []string
	Sold              bool // published, and not archived
	AtLocation        bool // the location sells it
	PriceAmount       int64
	TaxRateID         *uuid.UUID
	TaxName           string
	TaxPPM            int64
	RevenueCategoryID *uuid.UUID
	Available         *int // nil: any quantity
}

// refusal returns the reason that so many cannot be bought; nil if they can.
func (o offer) refusal(quantity int) *fault.Error {
	if refusal := unsold(o.Item, o.Sold, o.AtLocation); refusal != nil {
		return refusal
	}
	if o.Available != nil && *o.Available < quantity {
		return soldOut(o.Item, *o.Available)
	}
	return nil
}

// unsold returns the reason that an item is not for sale at its location; nil if it is.
func unsold(item uuid.UUID, sold, atLocation bool) *fault.Error {
	switch {
	case !sold:
		return ErrUnavailable.With("itemId", item.String())
	case !atLocation:
		return ErrNotAtLocation.With("itemId", item.String())
	}
	return nil
}

// soldOut has the number that is available, as customers are told it.
func soldOut(item uuid.UUID, available int) *fault.Error {
	refusal := order.ErrSoldOut.With("itemId", item.String())
	if available = max(0, available); available <= Few {
		refusal = refusal.With("available", available)
	}
	return refusal
}

// income returns the account of the income of a product.
func income(category *uuid.UUID) ledger.Account {
	if category != nil {
		return ledger.IncomeOf(*category)
	}
	return ledger.IncomeProduct
}

// Quote implements order.Seller: items are variants.
func (s *Service) Quote(b *pg.Batch, r pg.Reader, items []*order.CartItem) func() {
	var offers []offer
	queueOffers(b, r, items, &offers)
	return func() {
		for _, it := range items {
			i := slices.IndexFunc(offers, func(o offer) bool { return o.Item == it.ID })
			if i < 0 {
				it.Problem = fault.Missing()
				continue
			}
			o := offers[i]
			it.Name, it.Problem = label(o.Name, o.Choices), o.refusal(it.Quantity)
			it.ListedAmount, it.Income = o.PriceAmount*int64(it.Quantity), income(o.RevenueCategoryID)
			if o.TaxRateID != nil {
				it.Tax = &order.Tax{RateID: *o.TaxRateID, Name: o.TaxName, PPM: o.TaxPPM}
			}
		}
	}
}

// Reserve implements order.Seller: it holds stock of variants that are tracked.
func (s *Service) Reserve(b *pg.Batch, tx *pg.Tx, items []*order.CartItem) func() error {
	var short shortage
	var refused bool
	queueReserve(b, tx, items, &short, &refused)
	return func() error {
		if !refused {
			return nil
		}
		if refusal := unsold(short.Item, short.Sold, short.AtLocation); refusal != nil {
			return refusal
		}
		return soldOut(short.Item, short.Available)
	}
}

// Release implements order.Seller.
func (s *Service) Release(b *pg.Batch, tx *pg.Tx, items []uuid.UUID) { queueRelease(b, tx, items) }

// Fulfil implements order.Seller: what is held leaves the stock, by a move for each line.
func (s *Service) Fulfil(b *pg.Batch, tx *pg.Tx, sale order.Sale) {
	lines, items := make([]uuid.UUID, len(sale.Lines)), make([]uuid.UUID, len(sale.Lines))
	for i, l := range sale.Lines {
		lines[i], items[i] = l.LineID, l.CartItemID
	}
	queueFulfil(b, tx, lines, items)
}

// Sell implements order.Seller: what is tracked leaves the stock, by a move for each line.
func (s *Service) Sell(b *pg.Batch, tx *pg.Tx, sale order.Sale) func() error {
	var short shortage
	var refused bool
	queueSell(b, tx, sale, &short, &refused)
	return func() error {
		if !refused {
			return nil
		}
		if refusal := unsold(short.Item, short.Sold, short.AtLocation); refusal != nil {
			return refusal
		}
		return order.ErrSoldOut.With("itemId", short.Item.String()).With("available", max(0, short.Available))
	}
}

// LockReturn implements order.Seller: it refuses what would exceed the largest stock of a location.
func (s *Service) LockReturn(b *pg.Batch, tx *pg.Tx, back order.Return) func() error {
	var full bool
	queueLockReturn(b, tx, back, &full)
	return func() error {
		if full {
			return ErrFull
		}
		return nil
	}
}

// Return implements order.Seller: what is tracked and for sale again is added to the stock, by a move for each line.
func (s *Service) Return(b *pg.Batch, tx *pg.Tx, back order.Return) { queueReturn(b, tx, back) }
