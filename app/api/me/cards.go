package me

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing"
)

// MyPaymentMethod is a saved card of the caller.
type MyPaymentMethod struct {
	wire.PaymentMethod
	BusinessID   uuid.UUID `json:"businessId" doc:"The studio the card is saved with. No other studio can charge it."`
	BusinessName string    `json:"businessName"`
	Consent      string    `json:"consent" doc:"Text of the consent, as displayed."`
	ConsentedAt  time.Time `json:"consentedAt" doc:"When the consent was given."`
}

// MyPaymentMethodPage lists the caller's saved cards, at most 200.
type MyPaymentMethodPage = op.List[MyPaymentMethod]

type cardIn struct {
	PaymentMethodID uuid.UUID `path:"paymentMethodId" doc:"The saved card."`
}

func (a *surface) myCards() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyPaymentMethods", Method: "GET", Path: "/me/payment-methods", Tag: "me",
		Summary: "List own saved cards",
		Description: "Returns the saved cards of the signed-in person in all businesses, newest first, in one page of at " +
			"most 200. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (MyPaymentMethodPage, error) {
		cards, err := a.Checkout.MyCards(ctx, sc.Principal)
		return MyPaymentMethodPage{Items: wire.Show(cards, showMyCard)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "deleteMyPaymentMethod", Method: "DELETE", Path: "/me/payment-methods/{paymentMethodId}", Tag: "me",
		Summary: "Remove an own saved card",
		Description: "The studio cannot charge it any more, and it is deleted at the processor shortly after. Returns 404 " +
			"for another person's card and for one that is removed already.",
		Access: op.Session, Errors: []int{400, 401, 403, 404, 409},
	}, func(ctx context.Context, sc tenancy.Scope, in *cardIn) (op.NoContent, error) {
		return op.NoContent{}, a.Checkout.RemoveMyCard(ctx, sc.Principal, in.PaymentMethodID)
	})
}

func showMyCard(c billing.OwnCard) MyPaymentMethod {
	return MyPaymentMethod{
		PaymentMethod: wire.ShowPaymentMethod(c.SavedCard), BusinessID: c.BusinessID, BusinessName: c.BusinessName,
		Consent: c.ConsentText, ConsentedAt: c.ConsentedAt,
	}
}
