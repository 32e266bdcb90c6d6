package storefront

import (
	"context"

	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// CartCode is the code that was given for a cart.
type CartCode struct {
	Code    string `json:"code" doc:"In upper case."`
	Name    string `json:"name" doc:"Of its discount; empty when there is none of that code any more."`
	Amount  int64  `json:"amount" doc:"What it takes off now, in minor units."`
	Problem string `json:"problem" doc:"Why it takes nothing off; empty when it does." enum:",code_unknown,code_not_yet,code_over,code_used_up,code_used,code_first_time,code_not_for_this,code_too_little,code_nothing_more"`
}

// Discounted is what one discount took off.
type Discounted struct {
	Name   string `json:"name" doc:"Of the discount, as it was then."`
	Code   string `json:"code" doc:"The code that it took; empty: none."`
	Amount int64  `json:"amount" doc:"Minor units, before tax."`
}

type applyCodeIn struct {
	CartPath
	Body applyCodeBody
}

type applyCodeBody struct {
	Code string `json:"code" minLength:"1" maxLength:"60" doc:"As the customer typed it." example:"spring20"`
}

func (a *surface) cartCode() {
	op.Declare(a.Ops, op.Spec{
		ID: "applyCartCode", Method: "PUT", Path: "/storefront/carts/{token}/code", Tag: "storefront",
		Summary: "Give a cart a code",
		Description: "In place of one that it has. A code that takes nothing off is refused with 400, which names body.code, says why in " +
			"details.reason (code_unknown, code_not_yet, code_over, code_used_up, code_used, code_first_time, code_not_for_this, code_too_little, " +
			"code_nothing_more), and changes nothing. What it takes off is asked again at every reading, and stays from when the payment begins.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{400, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *applyCodeIn) (Cart, error) {
		c, err := a.Checkout.ApplyCode(ctx, sc, in.Token, in.Body.Code)
		return showCart(c), err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "removeCartCode", Method: "DELETE", Path: "/storefront/carts/{token}/code", Tag: "storefront",
		Summary: "Take the code out of a cart", Description: "Answers the cart as it is then. Without a code nothing happens.",
		Access: op.Public, Target: op.InCart("token"), Rate: op.RateStorefrontWrite, Errors: []int{404, 409},
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
