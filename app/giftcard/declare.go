package giftcard

import (
	"foyer/app/checkout"
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
	"foyer/billing/giftcard"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/giftcard",
		Refuses: map[string][]*fault.Error{
			"addCartItem": {ErrUnavailable, ErrBuysNone},
			"holdCart":    {ErrUnavailable},
			"useCartGiftCard": {
				ErrBuysNone, giftcard.ErrUnusable, checkout.ErrNotHeld, checkout.ErrOther, checkout.ErrOrdered,
				checkout.ErrPaymentPending,
			},
			"removeCartGiftCard": {checkout.ErrNotHeld, checkout.ErrOther, checkout.ErrOrdered, checkout.ErrPaymentPending},
			"getGiftCardBalance": {giftcard.ErrUnusable},
			"findGiftCard":       {giftcard.ErrUnusable},
			"createSale":         {giftcard.ErrUnusable, giftcard.ErrShort},
			"adjustGiftCard":     {giftcard.ErrShort},
			"sendGiftCard":       {giftcard.ErrSent},
			"setGiftCardTerms":   {fault.ErrStale},
			"startPayment":       {giftcard.ErrUnusable, giftcard.ErrShort},
			"confirmCart":        {giftcard.ErrUnusable, giftcard.ErrShort},
		},
		Messages: []words.Text{
			"A gift card cannot be returned. Refund its payment instead.",
			"A gift card cannot pay for a gift card. Buy it separately.",
			"Choose a date within a year.",
			"Enter an amount within the limits of this studio.",
			"Enter an email address.",
			"Gift card",
			"There is not enough on this gift card.",
			"This code cannot be used here. Check it and try again.",
			"This date is in the past.",
			"This gift card is not sold here any more.",
			"Too many codes were tried. Try again later.",
			"Use at most 500 characters.",
		},
	}
}
