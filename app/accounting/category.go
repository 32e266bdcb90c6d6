package accounting

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"foyer/app/accounting/ledgeronline"
	"foyer/app/words"
)

// Category is the kind of account that a line is posted to. Every account of the ledger folds to one (Fold). A132.
type Category string

// The categories.
const (
	IncomeClass           Category = "income.class"
	IncomeSession         Category = "income.session" // appointments
	IncomeSpace           Category = "income.space"   // rentals
	IncomeMembership      Category = "income.membership"
	IncomePack            Category = "income.pack"
	IncomeProduct         Category = "income.product"
	IncomeOther           Category = "income.other"            // account credit; cash over or short
	IncomeRevenueCategory Category = "income.revenue_category" // one row for each revenue category
	IncomeBookingFee      Category = "income.booking_fee"
	IncomeUncategorized   Category = "income.uncategorized"

	LiabilitySalesTax Category = "liability.sales_tax" // one row for each tax rate

	ExpenseProcessorFees  Category = "expense.processor_fees"
	ExpenseBookingFees    Category = "expense.booking_fees"
	ExpenseDisputes       Category = "expense.disputes"
	ExpenseDisputeFees    Category = "expense.dispute_fees"
	ExpenseProcessorOther Category = "expense.processor_other"

	ClearingProcessor Category = "clearing.processor"
	ClearingTrx       Category = "clearing.trx" // manual payments by other methods than cash
	ExpenseTrxFees    Category = "expense.trx_fees"

	AssetCashOnHand Category = "asset.cash_on_hand"
	AssetBank       Category = "asset.bank"
)

// Categories lists all categories in the order of the map and of the lines of a document.
var Categories = []Category{
	IncomeClass, IncomeSession, IncomeSpace, IncomeMembership, IncomePack, IncomeProduct, IncomeOther,
	IncomeRevenueCategory, IncomeBookingFee, IncomeUncategorized,
	LiabilitySalesTax,
	ExpenseProcessorFees, ExpenseBookingFees, ExpenseDisputes, ExpenseDisputeFees, ExpenseProcessorOther,
	ClearingProcessor, ClearingTrx, ExpenseTrxFees,
	AssetCashOnHand, AssetBank,
}

// Spec describes the accounts that fit a category, and the one to create for it.
type Spec struct {
	Label       words.Console
	Description words.Console // what is posted there

	// Types are the account types that are proposed. A person may confirm an account of another type.
	Types    []string
	SubTypes []string // preferred account subtypes, the best one first

	Name    string // of the account to create: see CreateName
	Type    string // of the account to create; one of Types
	SubType string // of the account to create
}

// Account types of the provider.
const (
	typeIncome       = "Income"
	typeOtherIncome  = "Other Income"
	typeExpense      = "Expense"
	typeOtherExpense = "Other Expense"
	typeCostOfGoods  = "Cost of Goods Sold"
	typeBank         = "Bank"
	typeAsset        = "Other Current Asset"
	typeLiability    = "Other Current Liability"
)

// Account subtypes of the provider.
const (
	subServiceIncome     = "ServiceFeeIncome"
	subPrimaryIncome     = "OtherPrimaryIncome"
	subProductIncome     = "SalesOfProductIncome"
	subSalesTax          = "SalesTaxPayable"
	subOtherLiabilities  = "OtherCurrentLiabilities"
	subBankCharges       = "BankCharges"
	subBusinessExpenses  = "OtherBusinessExpenses"
	subCommissions       = "CommissionsAndFees"
	subBadDebts          = "BadDebts"
	subOtherAssets       = "OtherCurrentAssets"
	subUndepositedFunds  = "UndepositedFunds"
	subCashOnHand        = "CashOnHand"
	subChecking          = "Checking"
	subSavings           = "Savings"
	subGlobalTaxPayable  = "GlobalTaxPayable"
	subGlobalTaxSuspense = "GlobalTaxSuspense"
)

var (
	incomeTypes   = []string{typeIncome, typeOtherIncome}
	deferredTypes = []string{typeIncome, typeOtherIncome, typeLiability}
	expenseTypes  = []string{typeExpense, typeOtherExpense, typeCostOfGoods}
	clearingTypes = []string{typeAsset, typeBank}
)

// placeholder stands for the name of the tax rate or revenue category in the Name of a Spec.
const placeholder = "{name}"

// specs has the table of the categories. The subtype GlobalTaxPayable is not preferred for taxes: it marks accounts
// that the provider keeps itself, and those are never proposed.
var specs = map[Category]Spec{
	IncomeClass: {
		Label:       "Class income",
		Description: "Classes and courses before tax, with their late-cancellation and no-show fees.",
		Types:       incomeTypes, SubTypes: []string{subServiceIncome},
		Name: "Class income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeSession: {
		Label:       "Appointment income",
		Description: "Appointments before tax, with their late-cancellation and no-show fees.",
		Types:       incomeTypes, SubTypes: []string{subServiceIncome},
		Name: "Appointment income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeSpace: {
		Label:       "Space rental income",
		Description: "Rentals of rooms and other spaces before tax, with their late-cancellation and no-show fees.",
		Types:       incomeTypes, SubTypes: []string{subPrimaryIncome, subServiceIncome},
		Name: "Space rental income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeMembership: {
		Label: "Membership income",
		Description: "Memberships before tax, on the day they are sold or renewed. " +
			"If your accountant defers this income, choose a liability account here.",
		Types: incomeTypes, SubTypes: []string{subServiceIncome},
		Name: "Membership income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomePack: {
		Label: "Class pack income",
		Description: "Class packs before tax, on the day they are sold. " +
			"If your accountant defers this income, choose a liability account here.",
		Types: deferredTypes, SubTypes: []string{subServiceIncome},
		Name: "Class pack income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeProduct: {
		Label:       "Product sales",
		Description: "Retail products before tax.",
		Types:       incomeTypes, SubTypes: []string{subProductIncome},
		Name: "Product sales", Type: typeIncome, SubType: subProductIncome,
	},
	IncomeOther: {
		Label: "Other studio income",
		Description: "Account credit and gift cards, when they are issued and when they are redeemed, and cash over or " +
			"short. If your accountant defers this income, choose a liability account here.",
		Types: deferredTypes, SubTypes: []string{subPrimaryIncome},
		Name: "Other studio income", Type: typeIncome, SubType: subPrimaryIncome,
	},
	IncomeRevenueCategory: {
		Label: "Revenue category",
		Description: "Everything in this revenue category before tax. " +
			"It is posted here and not to the account for classes, appointments or rentals.",
		Types: incomeTypes, SubTypes: []string{subServiceIncome},
		Name: placeholder + " income", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeBookingFee: {
		Label: "Booking fees collected",
		Description: "Booking fees that customers pay in addition to the price, before tax. " +
			"The platform fee is posted in full to Booking platform fees.",
		Types: incomeTypes, SubTypes: []string{subServiceIncome, subPrimaryIncome},
		Name: "Booking fees collected", Type: typeIncome, SubType: subServiceIncome,
	},
	IncomeUncategorized: {
		Label:       "Uncategorized booking income",
		Description: "Payments that belong to no order, such as a charge made directly at the card processor.",
		Types:       incomeTypes, SubTypes: []string{subPrimaryIncome},
		Name: "Uncategorized booking income", Type: typeIncome, SubType: subPrimaryIncome,
	},
	LiabilitySalesTax: {
		Label:       "Sales tax",
		Description: "Tax collected at this rate, less tax refunded, until you pay it to the tax authority.",
		Types:       []string{typeLiability}, SubTypes: []string{subSalesTax, subOtherLiabilities},
		Name: placeholder + " payable", Type: typeLiability, SubType: subSalesTax,
	},
	ExpenseProcessorFees: {
		Label:       "Card processing fees",
		Description: "Fees that the card processor deducts for each payment.",
		Types:       expenseTypes, SubTypes: []string{subBankCharges, subBusinessExpenses},
		Name: "Card processing fees", Type: typeExpense, SubType: subBankCharges,
	},
	ExpenseBookingFees: {
		Label:       "Booking platform fees",
		Description: "The platform fee for each card payment, less platform fees returned for refunds.",
		Types:       expenseTypes, SubTypes: []string{subCommissions, subBusinessExpenses},
		Name: "Booking platform fees", Type: typeExpense, SubType: subBusinessExpenses,
	},
	ExpenseDisputes: {
		Label:       "Payment disputes",
		Description: "Payments that were disputed, less disputes that you won.",
		Types:       expenseTypes, SubTypes: []string{subBadDebts, subBusinessExpenses},
		Name: "Payment disputes", Type: typeExpense, SubType: subBadDebts,
	},
	ExpenseDisputeFees: {
		Label:       "Dispute fees",
		Description: "Fees that the card processor charges for disputes.",
		Types:       expenseTypes, SubTypes: []string{subBankCharges},
		Name: "Dispute fees", Type: typeExpense, SubType: subBankCharges,
	},
	ExpenseProcessorOther: {
		Label:       "Other processor charges",
		Description: "Charges of the card processor that belong to no single payment, and unrecognized ones.",
		Types:       expenseTypes, SubTypes: []string{subBankCharges},
		Name: "Other processor charges", Type: typeExpense, SubType: subBankCharges,
	},
	ClearingProcessor: {
		Label: "Card payments clearing",
		Description: "Card payments until the card processor pays them out. " +
			"The balance of this account equals your balance at the processor.",
		Types: clearingTypes, SubTypes: []string{subOtherAssets, subUndepositedFunds},
		Name: "Card payments clearing", Type: typeAsset, SubType: subOtherAssets,
	},
	ClearingTrx: {
		Label:       "External payments clearing",
		Description: "Payments recorded manually (own terminal, bank transfer) until you mark them settled.",
		Types:       clearingTypes, SubTypes: []string{subOtherAssets, subUndepositedFunds},
		Name: "External payments clearing", Type: typeAsset, SubType: subOtherAssets,
	},
	ExpenseTrxFees: {
		Label:       "External payment fees",
		Description: "Fees deducted from payments recorded manually, as entered when you mark them settled.",
		Types:       expenseTypes, SubTypes: []string{subBankCharges},
		Name: "External payment fees", Type: typeExpense, SubType: subBankCharges,
	},
	AssetCashOnHand: {
		Label:       "Cash on hand",
		Description: "Cash in your drawers, from the payment or the opening float until you deposit it at the bank.",
		Types:       []string{typeBank, typeAsset}, SubTypes: []string{subCashOnHand},
		Name: "Cash on hand", Type: typeBank, SubType: subCashOnHand,
	},
	AssetBank: {
		Label:       "Bank account",
		Description: "The bank account that receives payouts, settlements and deposited cash.",
		Types:       []string{typeBank}, SubTypes: []string{subChecking, subSavings},
		Name: "Business checking", Type: typeBank, SubType: subChecking,
	},
}

// All returns Categories.
func (Category) All() []Category { return Categories }

// Valid reports whether it is one of Categories.
func (c Category) Valid() bool {
	_, ok := specs[c]
	return ok
}

// Spec returns the description of c, the zero Spec if c is not valid. The caller must not change its slices.
func (c Category) Spec() Spec { return specs[c] }

// Label returns the name of c in English.
func (c Category) Label() string { return string(specs[c].Label) }

// Description returns what is posted to c, in English.
func (c Category) Description() string { return string(specs[c].Description) }

// Allows reports whether an account of this type is proposed for c.
func (c Category) Allows(accountType string) bool {
	return slices.Contains(specs[c].Types, accountType)
}

// CreateName returns the name of the account to create for c: at most ledgeronline.MaxAccountName characters, without
// colons and double quotes, which the provider refuses. The name is that of the tax rate or revenue category; other
// categories ignore it. It is shortened before the word that follows it, and that word is not repeated.
func CreateName(c Category, name string) string {
	template := specs[c].Name
	after, templated := strings.CutPrefix(template, placeholder)
	if !templated {
		return template
	}
	name = accountWords(name)
	if name == "" {
		name = c.Label()
	}
	if strings.HasSuffix(strings.ToLower(name), after) {
		name = name[:len(name)-len(after)]
	}
	return strings.TrimSpace(firstCharacters(name, ledgeronline.MaxAccountName-utf8.RuneCountInString(after))) + after
}

// accountWords returns a name with single spaces in place of the characters that the provider refuses.
func accountWords(name string) string {
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return r == ':' || r == '"' || unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError
	}), " ")
}

// firstCharacters returns at most n characters from the beginning of s.
func firstCharacters(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
