package order

import (
	"fmt"
	"maps"
	"slices"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ErrSoldOut means that a seller has less than an item asks for: details.itemId names the item of the cart; of a sale
// at the desk, what is sold.
var ErrSoldOut = fault.New(fault.Conflict, "sold_out", "This is sold out.")

// Seller sells lines of a kind without seats. A hold holds the seats of a cart, and by its seller each other item is
// reserved as long; the seller hands it out when the order is fulfilled. At the desk no hold is needed: Sell reserves
// and hands out at once, or, while a saved card is charged, lines of the open order are reserved as items of a cart.
//
// A method adds to the batch what all of the items need, and sends nothing. The function that it returns is called
// after the batch was sent. The caller has locked the cart, except for Quote, and of a return the order. A seller's
// locks come after those of carts and orders, and before those of account credit and other sources of tenders.
type Seller interface {
	// Quote reads the offers of items: the function sets them.
	Quote(b *pg.Batch, r pg.Reader, items []*CartItem) func()
	// Reserve takes what is scarce: for all of the items, or for none, and then the function returns the reason as a
	// fault, ErrSoldOut among them. An item that is reserved already is left alone.
	Reserve(b *pg.Batch, tx *pg.Tx, items []*CartItem) func() error
	// Release undoes Reserve, of items that were not sold.
	Release(b *pg.Batch, tx *pg.Tx, items []uuid.UUID)
	// Fulfil hands out what was reserved.
	Fulfil(b *pg.Batch, tx *pg.Tx, sale Sale)
	// Sell hands out, at the desk, what no hold has reserved: all of the lines, or none, and then the function returns
	// the reason as a fault, ErrSoldOut among them. The order is written.
	Sell(b *pg.Batch, tx *pg.Tx, sale Sale) func() error
	// LockReturn locks what Return changes. The function returns the refusal of a kind that is not returned, or not now.
	LockReturn(b *pg.Batch, tx *pg.Tx, back Return) func() error
	// Return takes back lines of a fulfilled order, after LockReturn. Their returns are written.
	Return(b *pg.Batch, tx *pg.Tx, back Return)
}

// CartItem is an item of a cart without a seat, as its seller sees it.
type CartItem struct {
	ID, LocationID uuid.UUID
	Kind           Kind
	Subject        uuid.UUID // what it sells; uuid.Nil: the seller knows it by the item
	Quantity       int
	AtDesk         bool   // it is sold at the desk: ID is that of a line of an open order, once that is written
	Consent        string // of an item that is added to a cart: the words that the customer agreed to; may be empty
	Offer
}

// Offer is what a seller says of an item at this moment.
type Offer struct {
	Name    string       // the label of its line
	Item                 // its price for all of the quantity, tax and income
	Problem *fault.Error // why it cannot be bought; nil: it can
}

// Sale is the fulfilment of the lines of one kind of an order.
type Sale struct {
	Order, Customer, Location uuid.UUID
	By                        tenancy.Actor // at the desk
	Lines                     []SoldItem
}

// SoldItem is a line without a seat that is sold.
type SoldItem struct {
	LineID     uuid.UUID
	CartItemID uuid.UUID // of its reservation: of a line that was reserved at the desk, the line
	Kind       Kind
	Subject    uuid.UUID `db:"subject_id,null"` // uuid.Nil: the seller knows it by the item
	Quantity   int
}

// Return is the return of lines of one kind of an order.
type Return struct {
	Order, Customer, Location uuid.UUID
	By                        tenancy.Actor
	Note                      string // may be empty
	Lines                     []ReturnedItem
}

// ReturnedItem is a part of a line without a seat that is returned.
type ReturnedItem struct {
	ReturnID, LineID uuid.UUID
	Kind             Kind
	Subject          uuid.UUID `db:"subject_id,null"` // uuid.Nil: the seller knows it by the item
	Quantity         int
	Restock          bool // it is for sale again
}

// Sellers are the sellers of kinds without seats.
type Sellers map[Kind]Seller

// check panics if a kind of lines has no seller, or a seller is for seats or fees: a mistake to find at start.
func (s Sellers) check(kinds []Kind) {
	for _, k := range kinds {
		if own := k.Seat() || k == Fee; own == (s[k] != nil) {
			panic(fmt.Sprintf("order: lines of kind %s need one seller; seats and fees have their own verbs", k))
		}
	}
}

// ByKind groups items or lines by their seller, in the order of the kinds: two sales take their locks in one order.
func ByKind[T any](s Sellers, items []T, kind func(T) Kind, do func(Seller, []T)) {
	by := map[Kind][]T{}
	for _, it := range items {
		by[kind(it)] = append(by[kind(it)], it)
	}
	for _, k := range slices.Sorted(maps.Keys(by)) {
		do(s[k], by[k])
	}
}

// Connect sets the ports, once. It panics if one of them or a seller is missing.
func (s *Service) Connect(p Ports) {
	p.Sellers.check(Kind("").All())
	s.Late.Connect(p)
}

// Sellers returns the sellers of kinds without seats.
func (s *Service) Sellers() Sellers { return s.Ports().Sellers }
