package storefront

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/tenancy"
	"foyer/app/web"
)

// Hold is seats kept for a cart for a while: all of them or none.
type Hold struct {
	HoldID    uuid.UUID `json:"holdId"`
	ExpiresAt time.Time `json:"expiresAt" doc:"When the seats are let go: ten minutes after the first hold."`
	Extended  bool      `json:"extended" doc:"The ten more minutes have been given; there is no second time."`
}

// Payment is what the customer's browser needs to pay by card, on the studio's own account.
type Payment struct {
	Status         string    `json:"status" enum:"new,awaiting_method,awaiting_customer,processing,authorized,succeeded,failed,canceled" doc:"Go on to confirm when it has succeeded."`
	ClientSecret   string    `json:"clientSecret" doc:"For this customer's browser only."`
	AccountID      string    `json:"accountId" doc:"The studio's account: the studio is the merchant."`
	PublishableKey string    `json:"publishableKey"`
	Amount         int64     `json:"amount" doc:"Minor units."`
	Currency       string    `json:"currency"`
	Test           bool      `json:"test" doc:"No money moves."`
	ExpiresAt      time.Time `json:"expiresAt" doc:"When the seats are let go."`
}

type holdIn struct {
	CartPath
	Body *holdBody
}

type holdBody struct {
	QuotedTotal *int64 `json:"quotedTotal,omitempty" minimum:"0" doc:"The total that the customer saw: another one answers 409 with both. Left out: the prices at which the items were added."`
	Extend      bool   `json:"extend,omitempty" doc:"Give the hold ten more minutes instead, once."`
}

type payIn struct {
	CartPath
	Body payBody
}

type payBody struct {
	QuotedTotal int64 `json:"quotedTotal" minimum:"0" doc:"The total that the customer is about to pay: another one answers 409 with both."`
}

func (a *surface) holds() {
	web.Op(a.Ops, web.Spec{
		ID: "holdCart", Method: "POST", Path: "/storefront/carts/{token}/hold", Tag: "storefront", Compact: true,
		Summary: "Hold the seats of a cart",
		Description: "Keeps all seats for ten minutes, or none. The cart is the caller's from then on. Repeating it returns the " +
			"same hold; seats of items that were added since come under it. At most five open holds a person and business. " +
			"A course is kept on all of its dates: when one is full, details.dates lists those that are.",
		Access: web.StorefrontSession, Target: web.InCart("token"), Rate: web.RateStorefront, Errors: []int{400, 401, 404, 409},
		Several: "holds of others that are over and keep this cart out are ended first: that belongs to nobody's request",
	}, a.holdCart)
	web.Op(a.Ops, web.Spec{
		ID: "releaseHold", Method: "DELETE", Path: "/storefront/carts/{token}/hold", Tag: "storefront",
		Summary: "Release the seats of a cart", Description: "Lets them go at once. A payment that began is given up; the items stay in the cart.",
		Access: web.StorefrontSession, Target: web.InCart("token"), Rate: web.RateStorefront, Errors: []int{401, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (web.NoContent, error) {
		return web.NoContent{}, a.Checkout.Release(ctx, sc, in.Token)
	})
}

func (a *surface) payments() {
	web.Op(a.Ops, web.Spec{
		ID: "startPayment", Method: "POST", Path: "/storefront/carts/{token}/payment", Tag: "storefront", Compact: true,
		Summary: "Start the card payment",
		Description: "Makes the payment of a held cart on the studio's own account, ready for the browser. Repeating it returns " +
			"the same payment; after one that failed or was given up it makes the next. Until then the items are frozen.",
		Access: web.StorefrontSession, Target: web.InCart("token"), Rate: web.RateStorefrontWrite, Errors: []int{400, 401, 404, 409},
		Several: "order and payment are written before the processor is called, and what it answers after that, as it is each time",
	}, a.startPayment)
	web.Op(a.Ops, web.Spec{
		ID: "confirmCart", Method: "POST", Path: "/storefront/carts/{token}/confirm", Tag: "storefront", Compact: true,
		Summary: "Book the cart",
		Description: "Books what the cart holds: at once when there is nothing to pay, else when the processor, asked again, says " +
			"that the payment succeeded. Repeating it returns the receipt.",
		Access: web.StorefrontSession, Target: web.InCart("token"), Rate: web.RateStorefront, Errors: []int{401, 404, 409},
		Several: "what the processor says of the payment is written as it is each time",
	}, func(ctx context.Context, sc tenancy.Scope, in *CartPath) (Confirmation, error) {
		c, err := a.Checkout.Confirm(ctx, sc, in.Token)
		return Confirmation{ReceiptToken: c.Token, Receipt: showReceipt(c.Receipt)}, err
	})
}

func (a *surface) holdCart(ctx context.Context, sc tenancy.Scope, in *holdIn) (Hold, error) {
	if in.Body != nil && in.Body.Extend {
		h, err := a.Checkout.Extend(ctx, sc, in.Token)
		return showHold(h), err
	}
	var input checkout.HoldInput
	if in.Body != nil {
		input.QuotedAmount = in.Body.QuotedTotal
	}
	h, err := a.Checkout.Hold(ctx, sc, in.Token, input)
	return showHold(h), err
}

func (a *surface) startPayment(ctx context.Context, sc tenancy.Scope, in *payIn) (Payment, error) {
	p, err := a.Checkout.Pay(ctx, sc, in.Token, checkout.PayInput{QuotedAmount: in.Body.QuotedTotal})
	return Payment{
		Status: string(p.Status), ClientSecret: p.ClientSecret, AccountID: p.AccountID, PublishableKey: p.PublishableKey,
		Amount: p.Amount, Currency: string(p.Currency), Test: p.Test, ExpiresAt: wire.Stamp(p.ExpiresAt),
	}, err
}

func showHold(h booking.Hold) Hold {
	return Hold{HoldID: h.ID, ExpiresAt: wire.Stamp(h.ExpiresAt), Extended: h.Extended}
}
