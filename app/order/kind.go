package order

import (
	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/billing/ledger"
)

// Kind is what a line sells, and decides which column of it names that.
type Kind string

// The kinds. The first three sell seats, and are the kinds of offerings.
const (
	Class       = Kind(catalog.Class)
	Appointment = Kind(catalog.Appointment)
	Rental      = Kind(catalog.Rental)
	Fee         = Kind("fee")       // a late-cancellation or no-show fee
	Product     = Kind("product")   // a variant of a product: without a seat
	GiftCard    = Kind("gift_card") // a gift card
	Plan        = Kind("plan")      // a plan: a pack of credits, or a pass
)

// All returns all kinds.
func (Kind) All() []Kind { return []Kind{Class, Appointment, Rental, Fee, Product, GiftCard, Plan} }

// Seat reports whether a line of this kind sells a seat.
func (k Kind) Seat() bool { return k == Class || k == Appointment || k == Rental }

// incomes are the accounts of the income of seats without a revenue category.
var incomes = map[catalog.Kind]ledger.Account{
	catalog.Class: ledger.IncomeClass, catalog.Appointment: ledger.IncomeSession, catalog.Rental: ledger.IncomeSpace,
}

// IncomeOf returns the account of the income of an offering: of its revenue category, else of its kind.
func IncomeOf(kind catalog.Kind, category *uuid.UUID) ledger.Account {
	if category != nil {
		return ledger.IncomeOf(*category)
	}
	return incomes[kind]
}
