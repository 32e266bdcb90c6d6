package storefront

import (
	"context"

	"foyer/app/tenancy"
	"foyer/app/web/op"
)

type applyCodeIn struct {
	CartPath
	Body applyCodeBody
}

type applyCodeBody struct {
	Code string `json:"code" minLength:"1" maxLength:"60" doc:"Code as entered by the customer." example:"spring20"`
}

func (a *surface) cartCode() {
	op.Declare(a.Ops, op.Spec{
		ID: "applyCartCode", Method: "PUT", Path: "/storefront/carts/{token}/code", Tag: "storefront",
		Summary: "Apply a promo code to a cart",
		Description: "Replaces the cart's current code. A code without effect is refused with 400 on body.code, with " +
			"details.reason (code_unknown, code_not_yet, code_expired, code_used_up, code_used, code_first_time, " +
			"code_members, code_not_for_this, code_too_little, code_nothing_more), and changes nothing. A code for members " +
			"needs a cart that one holds. The discount is recalculated on every call, and fixed once payment begins.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *applyCodeIn) (Cart, error) {
		c, err := a.Checkout.ApplyCode(ctx, sc, in.Token, in.Body.Code)
		return showCart(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "removeCartCode", Method: "DELETE", Path: "/storefront/carts/{token}/code", Tag: "storefront",
		Summary:     "Remove the promo code from a cart",
		Description: "Returns the updated cart. Without a code nothing changes.",
		Access:      op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (Cart, error) {
		c, err := a.Checkout.RemoveCode(ctx, sc, in.Token)
		return showCart(c), err
	})
}
