package discount

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package to the product.
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
				ErrUnknown, ErrNotYet, ErrExpired, ErrUsedUp, ErrUsed, ErrNotFirst, ErrMembers, ErrNotThis,
				ErrTooLittle, ErrNothingMore,
			},
		},
		Fields: map[string]words.Console{"appliesTo": "applies to", "planIds": "for members of"},
		Messages: []words.Text{
			"This code is not valid.",
			"This code cannot be used yet.",
			"This code has expired.",
			"This code has reached its usage limit.",
			"You have already used this code.",
			"This code is for first bookings only.",
			"This code is for members only.",
			"This code does not apply to your cart.",
			"The eligible items in your cart are below the minimum for this code.",
			"This code does not lower your price.",
		},
	}
}
