package credit

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "billing/credit",
		Tables: []declare.Table{
			{Name: "credit_transactions", Life: declare.Trade, Record: "Account credit", Readers: []string{"app/integrity"}},
			{Name: "credits", Life: declare.Trade, Readers: []string{"app/agenda", "app/integrity", "app/sales"}},
		},
		Refuses: map[string][]*fault.Error{
			"createSale":            {ErrShort},
			"adjustCustomerBalance": {ErrShort},
			"startPayment":          {ErrShort},
			"confirmCart":           {ErrShort},
		},
		Messages: []words.Text{
			"There is not enough account credit.",
		},
	}
}
