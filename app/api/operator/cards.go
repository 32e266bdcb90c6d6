package operator

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// PaymentMethodPage lists the saved cards of a customer, at most 200.
type PaymentMethodPage = op.List[wire.PaymentMethod]

// cardPath is the path of a saved card.
type cardPath struct {
	CustomerPath
	PaymentMethodID uuid.UUID `path:"paymentMethodId" doc:"The saved card."`
}

// cards declares the saved cards of a customer.
func (a *surface) cards() {
	declare(a, op.Spec{
		ID: "listCustomerPaymentMethods", Method: "GET",
		Path: "/businesses/{businessId}/customers/{customerId}/payment-methods", Tag: "customers", Feature: "payment.take",
		Summary:     "List a customer's saved cards",
		Description: "Returns the customer's saved cards, newest first, in one page of at most 200.",
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPath) (PaymentMethodPage, error) {
		cards, err := a.Billing.Cards(ctx, sc, in.CustomerID)
		return PaymentMethodPage{Items: wire.Show(cards, wire.ShowPaymentMethod)}, err
	})
	declare(a, op.Spec{
		ID: "deleteCustomerPaymentMethod", Method: "DELETE", Path: "/businesses/{businessId}/customers/{customerId}/payment-methods/{paymentMethodId}", Tag: "customers", Feature: "payment.take",
		Summary: "Remove a customer's saved card",
		Description: "The card is not charged any more, and is deleted at the processor shortly after. Returns 404 for a " +
			"card that is removed already.",
	}, func(ctx context.Context, sc tenancy.Scope, in *cardPath) (op.NoContent, error) {
		return op.NoContent{}, a.Billing.RemoveCard(ctx, sc, in.CustomerID, in.PaymentMethodID)
	})
}
