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
	IncomeBookingFee Account = "income.booking_fee"
	Uncategorized    Account = "income.uncategorized" // money of which nobody knows what for: a charge made without the product

	ProcessorFees  Account = "expense.processor_fees"  // what the processor takes for itself. A30.
	BookingFees    Account = "expense.booking_fees"    // the platform's share. A24.
	Disputes       Account = "expense.disputes"        // what banks took back
	DisputeFees    Account = "expense.dispute_fees"    // and the processor's fee for it
	ProcessorOther Account = "expense.processor_other" // what the processor takes for no one payment, and what nobody can name

	Clearing      Account = "clearing.processor" // what the processor holds for the studio
	ClearingOther Account = "clearing.trx"       // what was paid by a way of the studio's own: its terminal, a transfer
	Cash          Account = "asset.cash_on_hand" // the till
	Bank          Account = "asset.bank"         // the studio's own account

	Credit      Account = "stored_value.credit" // what customers can pay with
	IncomeOther Account = "income.other"        // what was too much in the till, or too little; credit that was granted
	TrxFees     Account = "expense.trx_fees"    // what whoever carries money paid elsewhere keeps of it
)

const taxes = "tax:"

// Tax is the account of what is owed to the state at one rate.
func Tax(rate uuid.UUID) Account { return Account(taxes + rate.String()) }

// Taxes tells whether it is what is owed to the state.
func (a Account) Taxes() bool { return strings.HasPrefix(string(a), taxes) }

// rate is the tax rate of an account; nil of another one.
func (a Account) rate() *uuid.UUID {
	s, ok := strings.CutPrefix(string(a), taxes)
	if !ok {
		return nil
	}
	id, err := uuid.Parse(s)
	if err != nil {
		return nil
	}
	return &id
}
