package checkout

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	// itsCart: a cart cannot be changed.
	itsCart := []*fault.Error{ErrOrdered, ErrOther}
	return declare.Domain{
		Package: "app/checkout",
		Tables: []declare.Table{
			{
				Name: "cart_items", Life: declare.Swept(7*declare.Day,
					"not exists (select from orders o where o.cart_id = x.cart_id)"),
				Readers: []string{"app/plan", "app/agreement", "app/booking", "app/integrity", "app/product", "billing/giftcard"},
			},
			{
				Name: "cart_tenders", Life: declare.Swept(7*declare.Day,
					"not exists (select from orders o where o.cart_id = x.cart_id)"),
			},
			{
				Name: "carts", Life: declare.Swept(7*declare.Day,
					"not exists (select from orders o where o.cart_id = x.id)"),
				Readers: []string{"app/plan", "app/booking", "app/order"},
			},
		},
		Refuses: map[string][]*fault.Error{
			"freeHold":             {ErrPaymentPending},
			"addCartItem":          append([]*fault.Error{ErrCartFull}, itsCart...),
			"updateCartItem":       itsCart,
			"removeCartItem":       itsCart,
			"applyCartCode":        itsCart,
			"removeCartCode":       itsCart,
			"useCartCredit":        append([]*fault.Error{ErrNotHeld, ErrPaymentPending}, itsCart...),
			"chooseCartPlan":       append([]*fault.Error{ErrNotHeld, ErrPaymentPending}, itsCart...),
			"listCompatiblePlans":  {ErrNotHeld, ErrOther},
			"acceptCartAgreements": itsCart,
			"holdCart":             append([]*fault.Error{ErrEmpty, ErrPriceChanged, ErrPaymentPending}, itsCart...),
			"releaseHold":          append([]*fault.Error{ErrPaymentPending}, itsCart...),
			"startPayment": append([]*fault.Error{
				ErrEmpty, ErrNotHeld, ErrNothingToPay, ErrPriceChanged, ErrPaymentPending,
			}, itsCart...),
			"confirmCart": append([]*fault.Error{
				ErrEmpty, ErrNotHeld, ErrPaymentRequired, ErrPaymentPending, ErrRefunded, ErrNothingToPay, ErrNotAtStudio, ErrPriceChanged,
			}, itsCart...),
		},
		Messages: []words.Text{
			"This item has no attendee.",
			"Use 1 to 999.",
			"This date is part of a course. Add the whole course to the cart.",
			"All dates of this course have begun.",
			"This cannot be paid at the studio.",
			"This cart is already booked.",
			"Another customer is booking with this cart. Start a new one.",
			"The cart is empty.",
			"This cart is full.",
			"This is already in the cart.",
			"The price has changed.",
			"The items of this cart are not held for you yet.",
			"There is nothing to pay.",
			"This has not been paid yet.",
			"The payment is being processed. This takes a moment.",
			"The payment came too late: an item is gone, and the full amount is refunded to your card.",
		},
	}
}
