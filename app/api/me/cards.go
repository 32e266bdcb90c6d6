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

// MyPaymentMethod is a card that a studio keeps for the caller.
type MyPaymentMethod struct {
	wire.PaymentMethod
	BusinessID   uuid.UUID `json:"businessId" doc:"Who keeps it: no other studio can charge it."`
	BusinessName string    `json:"businessName"`
	Consent      string    `json:"consent" doc:"What was agreed to, as it was shown."`
	ConsentedAt  time.Time `json:"consentedAt" doc:"When."`
}

// MyPaymentMethodPage is the caller's saved cards, at most 200 of them.
type MyPaymentMethodPage = op.List[MyPaymentMethod]

type cardIn struct {
	PaymentMethodID uuid.UUID `path:"paymentMethodId" doc:"The saved card."`
}

func (a *surface) myCards() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyPaymentMethods", Method: "GET", Path: "/me/payment-methods", Tag: "me", Compact: true,
		Summary: "List own saved cards", Description: "The cards that studios keep for the signed-in person, in all businesses, the newest first, in one page of at most 200. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (MyPaymentMethodPage, error) {
		cards, err := a.Checkout.MyCards(ctx, sc.Principal)
		return MyPaymentMethodPage{Items: wire.Show(cards, showMyCard)}, err
	})
	op.Declare(a.Ops, op.Spec{
		ID: "deleteMyPaymentMethod", Method: "DELETE", Path: "/me/payment-methods/{paymentMethodId}", Tag: "me",
		Summary: "Remove an own saved card", Description: "The studio charges it no more, from now on, and the processor forgets it a moment later. Somebody else's is not found, nor is one that is removed already.",
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
