package ledger

import (
	"time"

	"github.com/google/uuid"

	"foyer/app/civil"
	"foyer/app/money"
)

// Span selects a part of the books.
type Span struct {
	From, To  civil.Date
	Everyone  bool        // all locations, ignoring Locations
	Locations []uuid.UUID // those only
	Currency  money.Currency
	Monthly   bool // by month; else by day
}

// Turnover is the sum of the postings to an account in a day or a month, by event. Amounts are in minor units, a
// debit positive.
type Turnover struct {
	Date       time.Time // the day, or the first of the month
	LocationID uuid.UUID
	Currency   money.Currency
	Account    Account
	Event      Event
	Amount     int64
	Credit     int64 // the credits in it, as a positive amount
	Base       int64 // the taxable amount of a tax
	Count      int   // of postings
	Credits    int   // of them, that are credits
}

// Rate returns the tax rate of the account; uuid.Nil of another one.
func (t Turnover) Rate() uuid.UUID { return t.Account.TaxRate() }

// Opening is the balance of an account before a span, a debit positive. A tax is payable for each location; other
// accounts have one balance for the whole business.
type Opening struct {
	LocationID uuid.UUID `db:",null"` // uuid.Nil: the whole business
	Currency   money.Currency
	Account    Account
	Amount     int64
}

// TaxRate returns the tax rate of an account of tax payable; uuid.Nil of another one.
func (a Account) TaxRate() uuid.UUID { return orNil(a.rate()) }

// RevenueCategory returns the revenue category of an account of income; uuid.Nil of another one.
func (a Account) RevenueCategory() uuid.UUID { return orNil(a.revenueCategory()) }

func orNil(id *uuid.UUID) uuid.UUID {
	if id == nil {
		return uuid.Nil
	}
	return *id
}

// Kinds of accounts, for Turnovers and Openings.
const (
	AllIncome   = "income.%"
	AllTaxes    = taxes + "%"
	AllStored   = "stored_value.%" // account credit
	AllDeferred = "deferred.%"     // sold, and not yet delivered
)
