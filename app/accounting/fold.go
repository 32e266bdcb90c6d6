package accounting

import (
	"strings"

	"github.com/google/uuid"

	"foyer/billing/ledger"
)

// Row identifies a row of the map: a category, with the tax rate of LiabilitySalesTax or the revenue category of
// IncomeRevenueCategory. The other categories have neither.
type Row struct {
	Category          Category
	TaxRateID         uuid.UUID
	RevenueCategoryID uuid.UUID
}

// Valid reports whether the category is valid, and has exactly the id that it needs. A134.
func (r Row) Valid() bool {
	return r.Category.Valid() &&
		(r.TaxRateID != uuid.Nil) == (r.Category == LiabilitySalesTax) &&
		(r.RevenueCategoryID != uuid.Nil) == (r.Category == IncomeRevenueCategory)
}

// Key returns the row_key of the row: "income.class", "liability.sales_tax:" and the id of the rate.
func (r Row) Key() string {
	switch {
	case r.TaxRateID != uuid.Nil:
		return string(r.Category) + ":" + r.TaxRateID.String()
	case r.RevenueCategoryID != uuid.Nil:
		return string(r.Category) + ":" + r.RevenueCategoryID.String()
	}
	return string(r.Category)
}

// ParseRowKey returns the valid row with this key. It accepts only what Key returns.
func ParseRowKey(key string) (Row, bool) {
	category, id, _ := strings.Cut(key, ":")
	row := Row{Category: Category(category)}
	if id != "" {
		parsed, err := uuid.Parse(id)
		if err != nil {
			return Row{}, false
		}
		if row.Category == LiabilitySalesTax {
			row.TaxRateID = parsed
		} else {
			row.RevenueCategoryID = parsed
		}
	}
	if !row.Valid() || row.Key() != key { // Parse also reads other forms of an id
		return Row{}, false
	}
	return row, true
}

// Prefixes of the ledger's accounts that exist once for each tax rate and revenue category.
const (
	taxPrefix             = "tax:"
	revenueCategoryPrefix = "income.rc:"
)

// codes has the category of each account with a fixed code.
var codes = map[ledger.Account]Category{
	ledger.IncomeClass:      IncomeClass,
	ledger.IncomeSession:    IncomeSession,
	ledger.IncomeSpace:      IncomeSpace,
	ledger.IncomeProduct:    IncomeProduct,
	ledger.IncomePack:       IncomePack,
	ledger.IncomeMembership: IncomeMembership,
	ledger.IncomeOther:      IncomeOther,
	ledger.IncomeBookingFee: IncomeBookingFee,
	ledger.Uncategorized:    IncomeUncategorized,
	ledger.Credit:           IncomeOther, // no category is a liability to customers; the row's description says so
	ledger.GiftCards:        IncomeOther,
	// No category is deferred income: the row's description says so. What is earned then changes nothing in it.
	ledger.DeferredPack:       IncomePack,
	ledger.DeferredMembership: IncomeMembership,
	ledger.ProcessorFees:      ExpenseProcessorFees,
	ledger.BookingFees:        ExpenseBookingFees,
	ledger.Disputes:           ExpenseDisputes,
	ledger.DisputeFees:        ExpenseDisputeFees,
	ledger.ProcessorOther:     ExpenseProcessorOther,
	ledger.Clearing:           ClearingProcessor,
	ledger.ClearingOther:      ClearingTrx,
	ledger.TrxFees:            ExpenseTrxFees,
	ledger.Cash:               AssetCashOnHand,
	ledger.Bank:               AssetBank,
}

// Fold returns the row of the map that an account of the ledger is posted to. As every account has one row, the lines
// of a balanced set of entries balance, too. It reports false for an unknown account.
func Fold(a ledger.Account) (Row, bool) {
	var row Row
	if id, ok := strings.CutPrefix(string(a), taxPrefix); ok {
		row.Category = LiabilitySalesTax
		row.TaxRateID, _ = uuid.Parse(id)
	} else if id, ok := strings.CutPrefix(string(a), revenueCategoryPrefix); ok {
		row.Category = IncomeRevenueCategory
		row.RevenueCategoryID, _ = uuid.Parse(id)
	} else {
		row.Category = codes[a]
	}
	if !row.Valid() {
		return Row{}, false
	}
	return row, true
}
