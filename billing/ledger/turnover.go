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
}

// Rate returns the tax rate of the account; uuid.Nil of another one.
func (t Turnover) Rate() uuid.UUID {
	if id := t.Account.rate(); id != nil {
		return *id
	}
	return uuid.Nil
}

// Kinds of accounts, for Turnovers.
const (
	AllIncome = "income.%"
	AllTaxes  = taxes + "%"
)
