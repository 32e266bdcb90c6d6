package agreement

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/agreement",
		Tables: []declare.Table{
			{Name: "agreement_acceptances", Life: declare.Trade, Record: "Acceptance of an agreement"},
			{Name: "agreement_copies", Life: declare.Trade},
			{Name: "agreement_documents", Life: declare.Trade, Record: "Agreement"},
			{Name: "agreement_listings", Life: declare.Trade, Record: "Offering that asks for an agreement"},
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
			"Agree to what this booking asks for first.",
			"The words have changed. Read them again, and agree to what they say now.",
			"Use at most 120 characters.",
			"There is a character in it that cannot be printed.",
		},
		Checks: []declare.Check{counted},
	}
}
