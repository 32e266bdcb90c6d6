package storefront

import (
	"context"

	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CartCredit is the account credit available to the customer of a held cart.
type CartCredit struct {
	Amount int64 `json:"amount" doc:"Available credit with the studio, without credit reserved for other payments. In minor units of the cart's currency."`
	Use    bool  `json:"use" doc:"Whether credit pays first. The amount is totals.credit."`
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
		Summary: "Apply account credit to a cart",
		Description: "Sets whether the account credit of the cart's holder pays first. Credit pays the full total if it " +
			"suffices; confirming then books without a card. Otherwise it pays as much as leaves the minimum of a card " +
			"payment. The service fee is charged on the card's part only. Credit is deducted when the cart is booked; while a " +
			"card payment for the balance is open it is reserved as long as the seats are. An open card payment with the " +
			"other choice is canceled. Returns the updated cart.",
		Access: op.StorefrontSession, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *useCreditIn) (Cart, error) {
		c, err := a.Checkout.UseCredit(ctx, sc, in.Token, in.Body.Use)
		return showCart(c), err
	})
}

func showCartCredit(k checkout.CartCredit) CartCredit {
	return CartCredit{Amount: k.FreeAmount, Use: k.Use != nil && *k.Use}
}
