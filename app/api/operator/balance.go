package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/api/wire"
	"foyer/app/checkout"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/credit"
)

// CustomerBalance is how a customer stands with the business.
type CustomerBalance struct {
	Sums []BalanceSum `json:"sums" doc:"By currency; empty when the customer has nothing and owes nothing."`
}

// BalanceSum is how a customer stands in one currency; amounts in minor units.
type BalanceSum struct {
	Currency money.Currency `json:"currency"`
	Credit   int64          `json:"credit" doc:"Account credit: what they can pay with."`
	Due      int64          `json:"due" doc:"What they owe for bookings, as far as the caller's booking.view goes."`
	FeesDue  int64          `json:"feesDue" doc:"And for fees."`
	Balance  int64          `json:"balance" doc:"Credit less what they owe: less than nothing when they owe more."`
}

// CreditTransaction is one change of a customer's account credit. It never changes.
type CreditTransaction struct {
	ID         uuid.UUID      `json:"id"`
	LocationID uuid.UUID      `json:"locationId" doc:"Where it was; credit itself is of the whole business."`
	Kind       credit.Kind    `json:"kind" doc:"Granted and removed: by hand. Spent: something was paid with it. Returned: what was paid went back here."`
	Amount     int64          `json:"amount" doc:"Minor units; less than nothing where it was spent or removed."`
	Balance    int64          `json:"balance" doc:"The credit after it."`
	Currency   money.Currency `json:"currency"`
	PaymentID  *uuid.UUID     `json:"paymentId" doc:"What was paid with it, or was handed back as credit."`
	RefundID   *uuid.UUID     `json:"refundId" doc:"Of a card payment that was refunded as credit."`
	Note       string         `json:"note" doc:"What was said about it; may be empty."`
	By         string         `json:"by" doc:"Who did it; may be empty."`
	CreatedAt  time.Time      `json:"createdAt"`
}

type listCreditIn struct {
	CustomerPath
	op.Page
}

type adjustCreditIn struct {
	CustomerPath
	Body adjustCreditBody
}

type adjustCreditBody struct {
	LocationID uuid.UUID `json:"locationId" doc:"In whose currency, and in whose books."`
	Amount     int64     `json:"amount" minimum:"-1000000000000" maximum:"1000000000000" doc:"Minor units: more than nothing gives credit, less takes it away."`
	Note       string    `json:"note" minLength:"1" maxLength:"500" doc:"Why."`
}

func (a *surface) balances() {
	declare(a, op.Spec{
		ID: "getCustomerBalance", Method: "GET", Path: "/businesses/{id}/customers/{customerId}/balance", Tag: "customers", Compact: true, Feature: "crm.view",
		Summary: "Get a customer's balance", Description: "Their account credit and what they owe, by currency.",
	}, func(ctx context.Context, sc tenancy.Scope, in *CustomerPath) (CustomerBalance, error) {
		out := CustomerBalance{Sums: []BalanceSum{}}
		if _, err := a.CRM.Get(ctx, sc, in.CustomerID); err != nil {
			return out, err
		}
		list, err := a.Agenda.Balance(ctx, sc, in.CustomerID)
		out.Sums = wire.Show(list, func(s agenda.Standing) BalanceSum {
			return BalanceSum{Currency: s.Currency, Credit: s.Credit, Due: s.Due, FeesDue: s.FeesDue, Balance: s.Balance()}
		})
		return out, err
	})
	declare(a, op.Spec{
		ID: "listCreditTransactions", Method: "GET", Path: "/businesses/{id}/customers/{customerId}/balance/transactions", Tag: "customers", Feature: "crm.view",
		Summary: "List the moves of a customer's credit", Description: "How their account credit has changed, the latest first.",
	}, wire.Filtered(a.Cursors, "credit.moves", a.creditTransactions, showCreditTransaction,
		func(_ tenancy.Scope, in *listCreditIn, page paging.In[paging.Moment]) creditTransactionsOf {
			return creditTransactionsOf{in.CustomerID, page}
		}))
	declare(a, op.Spec{
		ID: "adjustCustomerBalance", Method: "POST", Path: "/businesses/{id}/customers/{customerId}/balance/adjustments", Tag: "customers",
		Feature: "balance.adjust", Success: 201,
		Summary: "Grant or take back credit",
		Description: "Changes a customer's account credit by hand, with a reason. It is in the books from then on and is never changed: a mistake is put right by another one." +
			wire.Refuses("credit_short") + " details.creditAmount is what there is.",
	}, func(ctx context.Context, sc tenancy.Scope, in *adjustCreditIn) (CreditTransaction, error) {
		m, err := a.Credit.Adjust(ctx, sc, credit.AdjustInput{
			CustomerID: in.CustomerID, LocationID: in.Body.LocationID, Amount: in.Body.Amount, Note: in.Body.Note,
		})
		return showCreditTransaction(m), err
	})
	declare(a, op.Spec{
		ID: "collectCustomerBalance", Method: "POST", Path: "/businesses/{id}/customers/{customerId}/balance/collect", Tag: "customers", Feature: "payment.take", Quoted: true,
		Summary: "Charge a saved card for what a customer owes",
		Description: "Charges what is due for bookings, and fees for cancelling late and for not coming, to a card that the customer had the studio keep, as they agreed then. " +
			"What is due for bookings at a location is one payment, and each fee one of its own; no service fee is added. It is charged a moment later, and once: then it is " +
			"paid, or chargeFailed of the fee or of the booking's money says why not, and the customer is mailed either way." +
			wire.Refuses("nothing_to_pay", "fee_not_due", "payment_processing", "card_gone", "card_without_consent", "card_unavailable", "card_amount_refused",
				"below_card_minimum"),
	}, a.collectBalance)
}

type collectBalanceIn struct {
	CustomerPath
	Body collectBalanceBody
}

type collectBalanceBody struct {
	CardID     uuid.UUID   `json:"cardId,omitempty" doc:"One of the customer's saved cards. Left out: the one that they had kept last, of those that have not expired."`
	BookingIDs []uuid.UUID `json:"bookingIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Bookings whose price is due; of a course whichever of its dates. Without feeIds too: all that the customer owes where the caller may take money."`
	FeeIDs     []uuid.UUID `json:"feeIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Fees that are due."`
	op.Quote
}

// BalanceCharge is what is being charged to a card, and is not paid yet.
type BalanceCharge struct {
	CustomerID uuid.UUID      `json:"customerId"`
	CardID     uuid.UUID      `json:"cardId" doc:"The card."`
	Brand      string         `json:"brand" doc:"Of the card."`
	Last4      string         `json:"last4" doc:"Of the card's number."`
	Amount     int64          `json:"amount" doc:"Minor units: of all lines."`
	Currency   money.Currency `json:"currency"`
	Lines      []SaleLine     `json:"lines" doc:"Prices of bookings, with their tax, and fees."`
}

func (a *surface) collectBalance(ctx context.Context, sc tenancy.Scope, in *collectBalanceIn) (op.Quoted[BalanceCharge, BalanceCharge], error) {
	got, err := a.Checkout.Collect(ctx, sc, checkout.CollectInput{CustomerID: in.CustomerID, CardID: in.Body.CardID, BookingIDs: in.Body.BookingIDs, FeeIDs: in.Body.FeeIDs})
	out := BalanceCharge{
		CustomerID: got.CustomerID, CardID: got.Card.ID, Brand: got.Card.Brand, Last4: got.Card.Last4, Amount: got.Amount, Currency: got.Currency,
		Lines: wire.Show(got.Lines, func(l checkout.SaleLine) SaleLine { return SaleLine(l) }),
	}
	return op.Quoted[BalanceCharge, BalanceCharge]{Done: out, Effects: out}, err
}

// creditTransactionsOf asks for a page of a customer's moves.
type creditTransactionsOf struct {
	customer uuid.UUID
	page     paging.In[paging.Moment]
}

func (a *surface) creditTransactions(ctx context.Context, sc tenancy.Scope, of creditTransactionsOf) (out paging.Page[credit.Transaction, paging.Moment], err error) {
	if _, err := a.CRM.Get(ctx, sc, of.customer); err != nil {
		return out, err
	}
	return a.Agenda.CreditTransactions(ctx, sc, of.customer, of.page)
}

func showCreditTransaction(m credit.Transaction) CreditTransaction {
	return CreditTransaction{
		ID: m.ID, LocationID: m.LocationID, Kind: m.Kind, Amount: m.Amount, Balance: m.Balance, Currency: m.Currency, PaymentID: m.ManualPaymentID,
		RefundID: m.RefundID, Note: m.Note, By: m.ActorName, CreatedAt: m.CreatedAt,
	}
}
