package ledger

import (
	"strings"

	"github.com/google/uuid"
)

// Account is the code of an account.
type Account string

// The accounts.
const (
	IncomeClass      Account = "income.class"
	IncomeSession    Account = "income.session" // appointments
	IncomeSpace      Account = "income.space"   // rentals
	IncomeProduct    Account = "income.product"
	IncomePack       Account = "income.pack"
	IncomeMembership Account = "income.membership"
	IncomeBookingFee Account = "income.booking_fee"
	Uncategorized    Account = "income.uncategorized" // of unknown origin: a charge made without the product

	ProcessorFees  Account = "expense.processor_fees"  // the processor's own fees. A30.
	BookingFees    Account = "expense.booking_fees"    // the platform's share. A24.
	Disputes       Account = "expense.disputes"        // reversed by banks
	DisputeFees    Account = "expense.dispute_fees"    // the processor's fees for disputes
	ProcessorOther Account = "expense.processor_other" // the processor's fees for no single payment, and unknown ones

	Clearing      Account = "clearing.processor" // the balance at the processor
	ClearingOther Account = "clearing.trx"       // paid by another method: the studio's terminal, a transfer
	Cash          Account = "asset.cash_on_hand" // the till
	Bank          Account = "asset.bank"         // the studio's own account

	Credit    Account = "stored_value.credit" // the customers' account credit
	GiftCards Account = "stored_value.gift"   // what gift cards are worth
	// The parts of the prices of plans that are not earned yet.
	DeferredPack       Account = "deferred.pack"
	DeferredMembership Account = "deferred.membership"

	IncomeOther Account = "income.other"     // cash over or short; granted credit
	TrxFees     Account = "expense.trx_fees" // fees on settlements of other payment methods
)

const (
	taxes      = "tax:"
	categories = "income.rc:"
)

// Tax returns the account of the tax payable at one rate.
func Tax(rate uuid.UUID) Account { return Account(taxes + rate.String()) }

// IncomeOf returns the account of the income of a revenue category. It takes the place of the account of the kind.
func IncomeOf(revenueCategory uuid.UUID) Account {
	return Account(categories + revenueCategory.String())
}

// Taxes reports whether it is an account of tax payable.
func (a Account) Taxes() bool { return strings.HasPrefix(string(a), taxes) }

// rate returns the tax rate of an account; nil of another one.
func (a Account) rate() *uuid.UUID { return a.idAfter(taxes) }

// revenueCategory returns the revenue category of an account; nil of another one.
func (a Account) revenueCategory() *uuid.UUID { return a.idAfter(categories) }

// idAfter returns the id after a prefix of the code; nil if the account does not have that prefix.
func (a Account) idAfter(prefix string) *uuid.UUID {
	s, ok := strings.CutPrefix(string(a), prefix)
	if !ok {
		return nil
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return nil
	}
	return &id
}
