package me

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/fees"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/sales"
	"foyer/app/tenancy"
	"foyer/app/web/op"
)

// MyPayment is a payment for its customer; amounts in minor units.
type MyPayment struct {
	ID           uuid.UUID      `json:"id"`
	BusinessID   uuid.UUID      `json:"businessId"`
	BusinessName string         `json:"businessName"`
	LocationID   uuid.UUID      `json:"locationId"`
	LocationName string         `json:"locationName"`
	Zone         string         `json:"zone" doc:"Time zone of the location."`
	Label        string         `json:"label" doc:"Label of its first line."`
	LineCount    int            `json:"lineCount" doc:"Number of lines of its order."`
	Fee          fees.Kind      `json:"fee" enum:",late_cancel,no_show" doc:"Kind of the fee it paid; empty for a payment of bookings."`
	Method       sales.Method   `json:"method" doc:"Payment method: card, cash, credit, or another method of the studio's own."`
	State        sales.State    `json:"state" doc:"State of the payment: paid, partly_refunded or refunded."`
	Amount       int64          `json:"amount"`
	Refunded     int64          `json:"refunded" doc:"Amount refunded, including pending refunds."`
	Currency     money.Currency `json:"currency"`
	CardBrand    string         `json:"cardBrand" doc:"Card brand; may be empty." example:"visa"`
	CardLast4    string         `json:"cardLast4" doc:"Last four digits of the card; may be empty." example:"4242"`
	CardWallet   string         `json:"cardWallet" doc:"Wallet of the card: apple_pay, google_pay, link or another name used by the processor; empty for none." example:"apple_pay"`
	Receipt      string         `json:"receipt" doc:"Token of the receipt."`
	Test         bool           `json:"test" doc:"Whether it is in test mode, without real money."`
	PaidAt       *time.Time     `json:"paidAt" doc:"When it was paid."`
	CreatedAt    time.Time      `json:"createdAt" doc:"When the payment began."`
}

// MyBalance is the caller's account credit.
type MyBalance struct {
	Credits []MyCredit `json:"credits" doc:"Account credit by business and currency."`
}

// MyCredit is account credit in one business.
type MyCredit struct {
	BusinessID   uuid.UUID      `json:"businessId"`
	BusinessName string         `json:"businessName"`
	Currency     money.Currency `json:"currency"`
	Amount       int64          `json:"amount" doc:"Amount in minor units."`
}

func (a *surface) myPayments() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyPayments", Method: "GET", Path: "/me/payments", Tag: "me",
		Summary:     "List own payments",
		Description: "Returns the signed-in person's payments in all businesses, latest first. API keys are refused.",
		Access:      op.Session, Errors: []int{400, 401, 403},
	}, wire.Filtered(a.Cursors, "me.payments", wire.Own(a.Sales.Mine), showMyPayment,
		func(_ tenancy.Scope, _ *myPaymentsIn, page paging.In[paging.Moment]) paging.In[paging.Moment] {
			return page
		}))
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBalance", Method: "GET", Path: "/me/balance", Tag: "me",
		Summary:     "Get own credit",
		Description: "Returns the account credit of the signed-in person, by business. API keys are refused.",
		Access:      op.Session, Errors: []int{401, 403},
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (MyBalance, error) {
		list, err := a.Sales.MyCredits(ctx, sc.Principal)
		return MyBalance{Credits: wire.Show(list, func(c sales.MyCredit) MyCredit { return MyCredit(c) })}, err
	})
}

type myPaymentsIn struct{ op.Page }

func showMyPayment(p sales.Mine) MyPayment {
	return MyPayment{
		ID: p.ID, BusinessID: p.BusinessID, BusinessName: p.BusinessName, LocationID: p.LocationID, LocationName: p.LocationName, Zone: p.Zone,
		Label: p.Label, LineCount: p.LineCount, Fee: p.Fee, Method: p.Method, State: p.State, Amount: p.Amount, Refunded: p.Refunded,
		Currency: p.Currency, CardBrand: p.CardBrand, CardLast4: p.CardLast4, CardWallet: p.CardWallet, Receipt: p.Receipt,
		Test: p.Test, PaidAt: p.PaidAt, CreatedAt: p.CreatedAt,
	}
}
