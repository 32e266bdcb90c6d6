package ledgersim

import (
	"slices"
	"strings"
)

// subTypes are the types of accounts with the subtypes that the original accepts for them.
var subTypes = map[string][]string{
	"Bank":                {"CashOnHand", "Checking", "MoneyMarket", "RentsHeldInTrust", "Savings", "TrustAccounts"},
	"Accounts Receivable": {"AccountsReceivable"},
	"Other Current Asset": {
		"AllowanceForBadDebts", "DevelopmentCosts", "EmployeeCashAdvances", "Inventory", "LoansToOfficers", "LoansToOthers",
		"LoansToStockholders", "OtherCurrentAssets", "PrepaidExpenses", "Retainage", "UndepositedFunds",
	},
	"Fixed Asset": {
		"AccumulatedDepreciation", "Buildings", "FurnitureAndFixtures", "LeaseholdImprovements", "MachineryAndEquipment",
		"OtherFixedAssets", "Vehicles",
	},
	"Other Asset":      {"Goodwill", "Licenses", "OrganizationalCosts", "OtherLongTermAssets", "SecurityDeposits"},
	"Accounts Payable": {"AccountsPayable"},
	"Credit Card":      {"CreditCard"},
	"Other Current Liability": {
		"DirectDepositPayable", "FederalIncomeTaxPayable", "GlobalTaxPayable", "GlobalTaxSuspense", "InsurancePayable",
		"LineOfCredit", "LoanPayable", "OtherCurrentLiabilities", "PayrollClearing", "PayrollTaxPayable",
		"PrepaidExpensesPayable", "RentsInTrustLiability", "SalesTaxPayable", "StateLocalIncomeTaxPayable",
		"TrustAccountsLiabilities",
	},
	"Long Term Liability": {"NotesPayable", "OtherLongTermLiabilities", "ShareholderNotesPayable"},
	"Equity": {
		"AccumulatedAdjustment", "CommonStock", "OpeningBalanceEquity", "OwnersEquity", "PaidInCapitalOrSurplus",
		"PartnerContributions", "PartnerDistributions", "PartnersEquity", "RetainedEarnings", "TreasuryStock",
	},
	"Income": {
		"DiscountsRefundsGiven", "NonProfitIncome", "OtherPrimaryIncome", "SalesOfProductIncome", "ServiceFeeIncome",
		"UnappliedCashPaymentIncome",
	},
	"Other Income": {
		"DividendIncome", "InterestEarned", "OtherInvestmentIncome", "OtherMiscellaneousIncome", "TaxExemptInterest",
	},
	"Cost of Goods Sold": {
		"CostOfLaborCos", "EquipmentRentalCos", "OtherCostsOfServiceCos", "ShippingFreightDeliveryCos",
		"SuppliesMaterialsCogs",
	},
	"Expense": {
		"AdvertisingPromotional", "Auto", "BadDebts", "BankCharges", "CharitableContributions", "CommissionsAndFees",
		"CostOfLabor", "DuesSubscriptions", "Entertainment", "EquipmentRental", "Insurance", "InterestPaid",
		"LegalProfessionalFees", "OfficeGeneralAdministrativeExpenses", "OtherBusinessExpenses",
		"OtherMiscellaneousServiceCost", "PayrollExpenses", "RentOrLeaseOfBuildings", "RepairMaintenance",
		"ShippingFreightDelivery", "SuppliesMaterials", "TaxesPaid", "Travel", "TravelMeals", "Utilities",
	},
	"Other Expense": {
		"Amortization", "Depreciation", "ExchangeGainOrLoss", "OtherMiscellaneousExpense", "PenaltiesSettlements",
	},
}

func knownSubType(kind, sub string) bool { return slices.Contains(subTypes[kind], sub) }

// classification is the part of the books that a type of account belongs to.
func classification(kind string) string {
	switch {
	case kind == "Bank", strings.HasSuffix(kind, "Asset"), kind == "Accounts Receivable":
		return "Asset"
	case kind == "Credit Card", kind == "Accounts Payable", strings.HasSuffix(kind, "Liability"):
		return "Liability"
	case strings.HasSuffix(kind, "Income"):
		return "Revenue"
	case kind == "Equity":
		return "Equity"
	}
	return "Expense"
}

// chartOf makes a chart. A row has, between bars, an id, a fully qualified name, a type and a subtype, and optionally a
// number and a currency.
func chartOf(currency string, rows ...string) []*Account {
	var out []*Account
	for _, row := range rows {
		f := strings.Split(row, "|")
		a := &Account{ID: f[0], Name: f[1], Type: f[2], SubType: f[3], Currency: currency}
		if at := strings.LastIndex(a.Name, ":"); at >= 0 {
			a.Parent, a.Name = a.Name[:at], a.Name[at+1:]
		}
		if len(f) > 4 {
			a.Number = f[4]
		}
		if len(f) > 5 {
			a.Currency = f[5]
		}
		out = append(out, a)
	}
	return out
}

// chartUS is the chart of a fitness studio in the United States that took over the provider's proposals.
func chartUS(currency string) []*Account {
	return chartOf(currency,
		"1|Services|Income|ServiceFeeIncome",
		"2|Retained Earnings|Equity|RetainedEarnings",
		"4|Undeposited Funds|Other Current Asset|UndepositedFunds",
		"7|Advertising & Marketing|Expense|AdvertisingPromotional",
		"8|Bank Charges & Fees|Expense|BankCharges",
		"9|Contractors|Expense|CostOfLabor",
		"11|Insurance|Expense|Insurance",
		"12|Legal & Professional Services|Expense|LegalProfessionalFees",
		"13|Meals & Entertainment|Expense|TravelMeals",
		"15|Office Supplies & Software|Expense|OfficeGeneralAdministrativeExpenses",
		"16|Other Business Expenses|Expense|OtherBusinessExpenses",
		"17|Rent & Lease|Expense|RentOrLeaseOfBuildings",
		"18|Repairs & Maintenance|Expense|RepairMaintenance",
		"20|Taxes & Licenses|Expense|TaxesPaid",
		"22|Utilities|Expense|Utilities",
		"24|Uncategorized Income|Income|ServiceFeeIncome",
		"25|Uncategorized Expense|Expense|OtherMiscellaneousServiceCost",
		"26|Uncategorized Asset|Other Current Asset|OtherCurrentAssets",
		"27|Opening Balance Equity|Equity|OpeningBalanceEquity",
		"31|Sales of Product Income|Income|SalesOfProductIncome",
		"32|Sales|Income|SalesOfProductIncome",
		"33|Accounts Payable (A/P)|Accounts Payable|AccountsPayable",
		"35|Business Checking|Bank|Checking",
		"36|Savings|Bank|Savings",
		"41|Business Credit Card|Credit Card|CreditCard",
		"44|Interest Earned|Other Income|InterestEarned",
		"45|Income|Income|OtherPrimaryIncome",
		"46|Income:Classes|Income|ServiceFeeIncome",
		"47|Income:Private Sessions|Income|ServiceFeeIncome",
		"48|Income:Memberships|Income|ServiceFeeIncome",
		"80|Cost of Goods Sold|Cost of Goods Sold|SuppliesMaterialsCogs",
		"84|Accounts Receivable (A/R)|Accounts Receivable|AccountsReceivable",
		"89|Sales Tax Payable|Other Current Liability|SalesTaxPayable",
		"90|Sales Tax Agency Payable|Other Current Liability|GlobalTaxPayable",
		"91|Petty Cash|Bank|CashOnHand",
		"92|Refunds & Discounts|Income|DiscountsRefundsGiven",
	)
}

// chartIE is the chart of a studio in Ireland or the United Kingdom: accounts with numbers, value added tax, and one
// account in dollars.
func chartIE(currency string) []*Account {
	return chartOf(currency,
		"1|Sales|Income|SalesOfProductIncome|4000",
		"2|Class Income|Income|ServiceFeeIncome|4010",
		"3|Workshops and Retreats|Income|ServiceFeeIncome|4020",
		"4|Room Hire|Income|OtherPrimaryIncome|4100",
		"5|Billable Expense Income|Income|OtherPrimaryIncome|4900",
		"10|Bank Current Account|Bank|Checking|1200",
		"11|Deposit Account|Bank|Savings|1210",
		"12|Dollar Account|Bank|Checking|1220|USD",
		"13|Cash in Hand|Bank|CashOnHand|1230",
		"14|Undeposited Funds|Other Current Asset|UndepositedFunds|1250",
		"15|Prepayments|Other Current Asset|PrepaidExpenses|1103",
		"16|Debtors|Accounts Receivable|AccountsReceivable|1100",
		"20|Creditors|Accounts Payable|AccountsPayable|2100",
		"21|VAT Control|Other Current Liability|GlobalTaxPayable|2200",
		"22|VAT Suspense|Other Current Liability|GlobalTaxSuspense|2201",
		"23|PAYE/PRSI|Other Current Liability|PayrollTaxPayable|2210",
		"24|Directors' Loan|Long Term Liability|ShareholderNotesPayable|2300",
		"30|Ordinary Share Capital|Equity|CommonStock|3000",
		"31|Retained Earnings|Equity|RetainedEarnings|3200",
		"40|Bank and Card Charges|Expense|BankCharges|7901",
		"41|Commissions and Fees|Expense|CommissionsAndFees|6100",
		"42|Rent and Rates|Expense|RentOrLeaseOfBuildings|7100",
		"43|Wages and Salaries|Expense|PayrollExpenses|7000",
		"44|Light and Heat|Expense|Utilities|7200",
		"45|Bad Debts|Expense|BadDebts|8100",
		"46|Sundry Expenses|Expense|OtherBusinessExpenses|8200",
		"50|Exchange Gain or Loss|Other Expense|ExchangeGainOrLoss|7906",
		"51|Purchases|Cost of Goods Sold|SuppliesMaterialsCogs|5000",
	)
}
