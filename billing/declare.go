package billing

import (
	"foyer/app/declare"
	"foyer/app/fault"
	"foyer/app/words"
	"foyer/billing/processor"
)

// Declare declares this package to the product.
func (*Service) Declare() declare.Domain {
	// savedCard: a saved card that is charged off session.
	savedCard := []*fault.Error{
		processor.ErrCardRemoved, processor.ErrCardConsent, processor.ErrCardUnavailable, processor.ErrAmountRefused,
		ErrBelowCardMinimum,
	}
	// calls: errors of a call to the processor.
	calls := []*fault.Error{processor.ErrDown, processor.ErrRefused, processor.ErrAccountDisconnected}
	return declare.Domain{
		Package: "billing",
		Tables: []declare.Table{
			{Name: "payments", Life: declare.Trade, Readers: []string{"app/plan",
				"app/accounting", "app/business", "app/checkout", "app/integrity", "app/notice", "app/order",
				"app/owed", "app/report", "app/sales", "billing/balance", "billing/dispute",
			}},
			{
				Name: "processor_accounts", Life: declare.Trade, Record: "Payment account",
				Readers: []string{"app/accounting", "app/checkout"},
			},
			{Name: "processor_customers", Life: declare.Trade},
			{
				Name: "processor_listings", Life: declare.Trade,
				Readers: []string{"app/integrity", "billing/balance"},
			},
			{
				Name: "refunds", Life: declare.Trade, Record: "Refund",
				Readers: []string{"app/plan",
					"app/accounting", "app/integrity", "app/order", "app/report", "app/sales", "app/till", "billing/balance",
				},
			},
			{Name: "saved_cards", Life: declare.Trade, Record: "Saved card"},
			{Name: "webhook_events", Life: declare.Swept(30*declare.Day, "true")},
		},
		Refuses: map[string][]*fault.Error{
			"startProcessorOnboarding": append([]*fault.Error{
				ErrNotConfigured, ErrConnected, ErrPaymentsOpen, processor.ErrCountryRefused, processor.ErrAddressRefused,
			}, calls...),
			"getProcessor":           calls,
			"updateOffering":         {ErrCurrencyDiffers},
			"publishOffering":        {ErrCurrencyDiffers},
			"returnGoods":            {processor.ErrRefundDisputed},
			"refundPayment":          {processor.ErrRefundTooLarge, processor.ErrRefundDisputed, ErrRefundStep},
			"voidPayment":            {ErrNotVoidable},
			"chargeFee":              savedCard,
			"collectCustomerBalance": savedCard,
			"startPayment": append([]*fault.Error{
				ErrNotConfigured, processor.ErrCardUnavailable, ErrPaymentCanceled, processor.ErrAmountRefused, ErrBelowCardMinimum, processor.ErrCardRemoved, processor.ErrAddressRefused,
			}, calls...),
			"confirmCart": append([]*fault.Error{ErrPaymentCanceled}, calls...),
		},
		Messages: []words.Text{
			"This card is no longer saved. Use another one.",
			"The payment processor does not accept this return address.",
			"The payment processor is not responding. Nothing was lost; try again in a moment.",
			"The payment processor refused the request.",
			"The studio's payment account is not connected.",
			"This amount is below the minimum for card payments.",
			"This amount cannot be paid by card.",
			"Card payments are not set up on this system.",
			"The studio does not take cards here at the moment.",
			"This payment was cancelled. Try again.",
		},
	}
}
