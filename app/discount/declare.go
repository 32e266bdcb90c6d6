package discount

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare tells the product about this package.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/discount",
		Tables: []declare.Table{
			{Name: "discounts", Life: declare.Trade, Record: "Discount", Readers: []string{"app/integrity"}},
		},
		Refuses: map[string][]*fault.Error{
			"createDiscount":  {ErrCodeTaken},
			"updateDiscount":  {ErrCodeTaken, ErrArchived},
			"restoreDiscount": {ErrCodeTaken},
			"applyCartCode": {
				ErrUnknown, ErrNotYet, ErrExpired, ErrUsedUp, ErrUsed, ErrNotFirst, ErrNotThis, ErrTooLittle,
				ErrNothingMore,
			},
		},
		Messages: []words.Text{
			"We do not know this code.",
			"This code cannot be used yet.",
			"This code is over.",
			"This code has been used as often as it can be.",
			"You have used this code already.",
			"This code is for a first booking.",
			"This code is not for what is in your cart.",
			"What is in your cart costs too little for this code.",
			"Your price is as low without this code.",
		},
	}
}
