package tender

import (
	"cmp"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing/ledger"
)

// Source is what a kind of tender is paid from: something of value that a customer has with the studio, as account
// credit. A tender of it is agreed with an order and keeps its amount until it expires; it is captured, which spends
// it, when the order is fulfilled. A card and payments at the studio have none.
//
// A method adds to the batch and sends nothing; the function that it returns is called after the batch was sent.
type Source interface {
	// Account is the account of the books from which it pays.
	Account() ledger.Account
	// Free reads what orders can use now, in the order of requests: without what is reserved for others.
	Free(b *pg.Batch, r pg.Reader, requests []Request) func() []Available
	// Lock is Free, and keeps it as it is until the transaction ends.
	Lock(b *pg.Batch, tx *pg.Tx, requests []Request) func() []Available
	// Spend takes the amount of a tender that is captured. The caller has locked it and has checked that it is enough.
	Spend(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t Tender)
	// Return refunds an amount of a tender to where it came from, or with t of another kind, to the customer of its
	// order.
	Return(b *pg.Batch, tx *pg.Tx, by tenancy.Actor, t Tender, back Return)
	// Short is the refusal if only so much is free.
	Short(free int64) error
}

// Request names a source for an order.
type Request struct {
	SourceID   uuid.UUID // uuid.Nil: account credit, by the customer
	CustomerID uuid.UUID
	OrderID    uuid.UUID // what is reserved for it is free; uuid.Nil: none
	Currency   money.Currency
}

// Available is what a source has for an order.
type Available struct {
	Amount int64
	Label  string    // its name on receipts: the last characters of a gift card; empty: that of its kind
	EndsAt time.Time `db:",null"` // zero: never
}

// Return is the amount of a refund.
type Return struct {
	RefundID uuid.UUID
	Amount   int64
	Note     string
}

// Sources are the sources of kinds that have one.
type Sources map[Kind]Source

// SourceOrder compares two kinds by when their sources are locked. Whoever locks several of them in a transaction does
// it in this order: no two transactions wait for each other. Gift cards come before account credit, as in a refund of
// the purchase of one as credit, which has to know first what is left of it.
func SourceOrder(a, b Kind) int { return cmp.Compare(b, a) }
