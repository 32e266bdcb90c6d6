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

// MyPayment is a payment as its customer sees it; amounts in minor units.
type MyPayment struct {
	ID           uuid.UUID      `json:"id"`
	BusinessID   uuid.UUID      `json:"businessId"`
	BusinessName string         `json:"businessName"`
	LocationID   uuid.UUID      `json:"locationId"`
	LocationName string         `json:"locationName"`
	Zone         string         `json:"zone" doc:"The wall clock of the location."`
	Label        string         `json:"label" doc:"Of its first line."`
	LineCount    int            `json:"lineCount" doc:"How many lines its order has."`
	Fee          fees.Kind      `json:"fee" enum:",late_cancel,no_show" doc:"The fee that it paid; empty: what was booked."`
	Method       sales.Method   `json:"method" doc:"Elsewhere: by a means of the studio's own."`
	State        sales.State    `json:"state" doc:"Paid, partly_refunded or refunded."`
	Amount       int64          `json:"amount"`
	Refunded     int64          `json:"refunded" doc:"Gone back, or on its way."`
	Currency     money.Currency `json:"currency"`
	CardBrand    string         `json:"cardBrand" doc:"May be empty." example:"visa"`
	CardLast4    string         `json:"cardLast4" doc:"May be empty." example:"4242"`
	CardWallet   string         `json:"cardWallet" doc:"What the card was paid with: apple_pay, google_pay, link or another word of the processor; empty: none." example:"apple_pay"`
	Receipt      string         `json:"receipt" doc:"The token of its receipt."`
	Test         bool           `json:"test" doc:"No money moved."`
	TakenAt      *time.Time     `json:"takenAt" doc:"When the money was there."`
	CreatedAt    time.Time      `json:"createdAt" doc:"When it began."`
}

// MyBalance is what the caller can pay with.
type MyBalance struct {
	Credits []MyCredit `json:"credits" doc:"By business and currency."`
}

// MyCredit is account credit in one business.
type MyCredit struct {
	BusinessID   uuid.UUID      `json:"businessId"`
	BusinessName string         `json:"businessName"`
	Currency     money.Currency `json:"currency"`
	Amount       int64          `json:"amount" doc:"Minor units."`
}

func (a *surface) myPayments() {
	op.Declare(a.Ops, op.Spec{
		ID: "listMyPayments", Method: "GET", Path: "/me/payments", Tag: "me", Compact: true,
		Summary: "List own payments", Description: "What the signed-in person has paid in all businesses, the latest first. API keys are refused.",
		Access: op.Session, Errors: []int{400, 401, 403},
	}, wire.Filtered(a.Cursors, "me.payments", wire.Own(a.Sales.Mine), showMyPayment,
		func(_ tenancy.Scope, _ *myPaymentsIn, page paging.In[paging.Moment]) paging.In[paging.Moment] {
			return page
		}))
	op.Declare(a.Ops, op.Spec{
		ID: "getMyBalance", Method: "GET", Path: "/me/balance", Tag: "me",
		Summary: "Get own credit", Description: "The account credit of the signed-in person, by business. API keys are refused.",
		Access: op.Session, Errors: []int{401, 403},
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
		Currency: p.Currency, CardBrand: p.CardBrand, CardLast4: p.CardLast4, CardWallet: p.CardWallet, Receipt: p.Receipt, Test: p.Test, TakenAt: p.TakenAt, CreatedAt: p.CreatedAt,
	}
}
