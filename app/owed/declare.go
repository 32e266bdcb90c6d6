package owed

import (
	"foyer/app/catalog"
	"foyer/app/checkout"
	"foyer/app/declare"
	"foyer/app/fault"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	return declare.Domain{
		Package: "app/owed",
		Refuses: map[string][]*fault.Error{
			"createSale": {
				checkout.ErrNothingToPay, ErrMoreThanDue, ErrFeesInFull, ErrGoodsInFull, ErrOneCustomer,
				catalog.ErrLocationArchived,
			},
			"cancelPlan":             {checkout.ErrPaymentPending},
			"cancelMyPlan":           {checkout.ErrPaymentPending},
			"changePlan":             {checkout.ErrPaymentPending},
			"withdrawPlanChange":     {checkout.ErrPaymentPending},
			"changeMyPlan":           {checkout.ErrPaymentPending},
			"withdrawMyPlanChange":   {checkout.ErrPaymentPending},
			"chargeFee":              {checkout.ErrPaymentPending},
			"collectCustomerBalance": {checkout.ErrNothingToPay, checkout.ErrPaymentPending, ErrAtOneCurrency},
		},
	}
}
