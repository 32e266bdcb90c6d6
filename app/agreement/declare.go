package agreement

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package's part of the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/agreement",
		Tables: []declare.Table{
			{Name: "agreement_acceptances", Life: declare.Trade, Record: "Signed agreement"},
			{Name: "agreement_copies", Life: declare.Trade},
			{Name: "agreement_documents", Life: declare.Trade, Record: "Agreement"},
			{Name: "agreement_listings", Life: declare.Trade, Record: "Offering with a required agreement"},
		},
		Refuses: map[string][]*fault.Error{
			"createAgreement":      {ErrTooComplex},
			"updateAgreement":      {ErrTooComplex},
			"signMyAgreements":     {ErrStale},
			"acceptCartAgreements": {ErrStale},
			"startPayment":         {ErrOutstanding},
			"confirmCart":          {ErrOutstanding},
		},
		Messages: []words.Text{
			"Sign the required agreements first.",
			"The agreement has changed. Read the new version, and agree to it.",
			"Use at most 120 characters.",
			"This contains a character that cannot be printed. Remove it.",
		},
		Checks: []declare.Check{counted},
	}
}
