package storefront

import (
	"context"

	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CartCredit is the account credit that the customer of a held cart can pay with.
type CartCredit struct {
	Amount int64 `json:"amount" doc:"What they have with the studio, without what is kept for other payments of theirs. Minor units of the cart's currency."`
	Use    bool  `json:"use" doc:"It pays first. How much it pays is totals.credit."`
}

type useCreditIn struct {
	CartPath
	Body useCreditBody
}

type useCreditBody struct {
	Use bool `json:"use" doc:"Whether account credit pays first."`
}

func (a *surface) cartCredit() {
	op.Declare(a.Ops, op.Spec{
		ID: "useCartCredit", Method: "PUT", Path: "/storefront/carts/{token}/credit", Tag: "storefront",
		Summary: "Pay with account credit",
		Description: "Says whether the account credit of who holds the cart pays first: all of it if there is that much, which confirming then books " +
			"without a card, and else as much as leaves a card nothing less than it can pay. The service fee is of the card's part alone. Credit is " +
			"taken when the cart is booked; while a card pays the rest it is kept as long as the seats are. A card payment that began with the other " +
			"choice is given up. Answers the cart as it is then.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *useCreditIn) (Cart, error) {
		c, err := a.Checkout.UseCredit(ctx, sc, in.Token, in.Body.Use)
		return showCart(c), err
	})
}

func showCartCredit(k checkout.CartCredit) CartCredit {
	return CartCredit{Amount: k.FreeAmount, Use: k.Use != nil && *k.Use}
}
