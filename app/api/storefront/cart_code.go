package storefront

import (
	"context"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CartCode is the promo code of a cart.
type CartCode struct {
	Code    string `json:"code" doc:"The code, in upper case."`
	Name    string `json:"name" doc:"Name of its discount; empty if the code no longer exists."`
	Amount  int64  `json:"amount" doc:"Current discount, in minor units."`
	Problem string `json:"problem" doc:"Why it has no effect; empty if it has." enum:",code_unknown,code_not_yet,code_expired,code_used_up,code_used,code_first_time,code_not_for_this,code_too_little,code_nothing_more"`
}

// Discounted is the amount of one discount.
type Discounted struct {
	Name   string `json:"name" doc:"Name of the discount at that time."`
	Code   string `json:"code" doc:"Code of the discount; empty if it is automatic."`
	Amount int64  `json:"amount" doc:"Amount in minor units, before tax."`
}

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
			"code_not_for_this, code_too_little, code_nothing_more), and changes nothing. The discount is recalculated on " +
			"every call, and fixed once payment begins.",
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

func showCode(c checkout.Code) CartCode {
	out := CartCode{Code: c.Code, Name: c.Name, Amount: c.Amount}
	if c.Problem != nil {
		out.Problem = c.Problem.Reason
	}
	return out
}

func showDiscounts(list []checkout.Discounted) []Discounted {
	return wire.Show(list, func(d checkout.Discounted) Discounted {
		return Discounted{Name: d.Name, Code: d.Code, Amount: d.Amount}
	})
}
