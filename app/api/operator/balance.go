package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/owed"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/credit"
)

// CustomerBalance is the balance of a customer with the business.
type CustomerBalance struct {
	Sums []BalanceSum `json:"sums" doc:"Balances by currency; empty if there is neither credit nor an amount due."`
}

// BalanceSum is a customer's balance in one currency, in minor units.
type BalanceSum struct {
	Currency money.Currency `json:"currency"`
	Credit   int64          `json:"credit" doc:"Available account credit."`
	Due      int64          `json:"due" doc:"Amount due for bookings, within the scope of the caller's booking.view."`
	FeesDue  int64          `json:"feesDue" doc:"Fees due."`
	Balance  int64          `json:"balance" doc:"Credit less the amounts due; negative if more is due than there is credit."`
}

// CreditTransaction is one immutable change of a customer's account credit.
type CreditTransaction struct {
	ID         uuid.UUID      `json:"id"`
	LocationID uuid.UUID      `json:"locationId" doc:"Location of the transaction. The credit itself belongs to the whole business."`
	Kind       credit.Kind    `json:"kind" doc:"Kind of transaction. granted and removed: adjusted by staff. spent: used for a payment. returned: refunded as credit."`
	Amount     int64          `json:"amount" doc:"Amount in minor units; negative if spent or removed."`
	Balance    int64          `json:"balance" doc:"Credit after the transaction."`
	Currency   money.Currency `json:"currency"`
	PaymentID  *uuid.UUID     `json:"paymentId" doc:"The payment made with the credit, or refunded as credit."`
	RefundID   *uuid.UUID     `json:"refundId" doc:"The refund of a card payment that was made as credit."`
	Note       string         `json:"note" doc:"Note; may be empty."`
	By         string         `json:"by" doc:"Name of the actor; may be empty."`
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
	LocationID uuid.UUID `json:"locationId" doc:"Location for the currency and the books."`
	Amount     int64     `json:"amount" minimum:"-1000000000000" maximum:"1000000000000" doc:"Amount in minor units: positive adds credit, negative removes credit."`
	Note       string    `json:"note" minLength:"1" maxLength:"500" doc:"Reason for the adjustment."`
}

func (a *surface) balances() {
	declare(a, op.Spec{
		ID: "getCustomerBalance", Method: "GET", Path: "/businesses/{id}/customers/{customerId}/balance", Tag: "customers",
		Feature:     "crm.view",
		Summary:     "Get a customer's balance",
		Description: "Returns the customer's account credit and amounts due, by currency.",
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
		Summary:     "List a customer's credit transactions",
		Description: "Returns the transactions of the customer's account credit, latest first.",
	}, wire.Filtered(a.Cursors, "credit.moves", a.creditTransactions, showCreditTransaction,
		func(_ tenancy.Scope, in *listCreditIn, page paging.In[paging.Moment]) creditTransactionsOf {
			return creditTransactionsOf{in.CustomerID, page}
		}))
	declare(a, op.Spec{
		ID: "adjustCustomerBalance", Method: "POST", Path: "/businesses/{id}/customers/{customerId}/balance/adjustments", Tag: "customers",
		Feature: "balance.adjust", Success: 201,
		Summary: "Adjust a customer's credit",
		Description: "Adds or removes account credit, with a reason. The transaction is immutable: correct a mistake with " +
			"another one." +
			wire.Refuses("insufficient_credit") +
			" details.creditAmount is the available credit.",
	}, func(ctx context.Context, sc tenancy.Scope, in *adjustCreditIn) (CreditTransaction, error) {
		m, err := a.Credit.Adjust(ctx, sc, credit.AdjustInput{
			CustomerID: in.CustomerID, LocationID: in.Body.LocationID, Amount: in.Body.Amount, Note: in.Body.Note,
		})
		return showCreditTransaction(m), err
	})
	declare(a, op.Spec{
		ID: "collectCustomerBalance", Method: "POST", Path: "/businesses/{id}/customers/{customerId}/balance/collect", Tag: "customers", Feature: "payment.take", Quoted: true,
		Summary: "Charge a saved card for the balance due",
		Description: "Charges amounts due for bookings, and late-cancellation and no-show fees, to a saved card of the " +
			"customer, under the recorded consent. " +
			"The amounts due for bookings at one location form one payment, and each fee is a payment of its own; no service " +
			"fee is added. The charge runs asynchronously, once: the amount " +
			"is then paid, or chargeFailed of the fee or of the booking's money has the reason, and the customer is notified " +
			"by email either way." +
			wire.Refuses("nothing_to_pay", "fee_not_due", "payment_processing", "card_removed", "card_without_consent", "card_unavailable", "card_amount_refused",
				"below_card_minimum"),
	}, a.collectBalance)
}

type collectBalanceIn struct {
	CustomerPath
	Body collectBalanceBody
}

type collectBalanceBody struct {
	CardID     uuid.UUID   `json:"cardId,omitempty" doc:"A saved card of the customer. The default is the most recently saved card that has not expired."`
	BookingIDs []uuid.UUID `json:"bookingIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Bookings with a price due; for a course, any of its dates. Without bookingIds and feeIds, every amount due at the locations where the caller can take payments is charged."`
	FeeIDs     []uuid.UUID `json:"feeIds,omitempty" maxItems:"50" uniqueItems:"true" doc:"Fees due."`
	op.Quote
}

// BalanceCharge is a charge of a saved card that is in progress.
type BalanceCharge struct {
	CustomerID uuid.UUID      `json:"customerId"`
	CardID     uuid.UUID      `json:"cardId" doc:"The saved card."`
	Brand      string         `json:"brand" doc:"Card brand."`
	Last4      string         `json:"last4" doc:"Last four digits of the card number."`
	Amount     int64          `json:"amount" doc:"Total of all lines, in minor units."`
	Currency   money.Currency `json:"currency"`
	Lines      []SaleLine     `json:"lines" doc:"Prices of bookings, with their tax, and fees."`
}

func (a *surface) collectBalance(ctx context.Context, sc tenancy.Scope, in *collectBalanceIn) (op.Quoted[BalanceCharge, BalanceCharge], error) {
	return charging(a.Owed.Collect(ctx, sc, owed.CollectInput{
		CustomerID: in.CustomerID, CardID: in.Body.CardID, BookingIDs: in.Body.BookingIDs, FeeIDs: in.Body.FeeIDs,
	}))
}

// charging shows a charge of a saved card.
func charging(got owed.Collecting, err error) (op.Quoted[BalanceCharge, BalanceCharge], error) {
	out := BalanceCharge{
		CustomerID: got.CustomerID, CardID: got.Card.ID, Brand: got.Card.Brand, Last4: got.Card.Last4, Amount: got.Amount, Currency: got.Currency,
		Lines: wire.Show(got.Lines, func(l owed.SaleLine) SaleLine { return SaleLine(l) }),
	}
	return op.Quoted[BalanceCharge, BalanceCharge]{Done: out, Effects: out}, err
}

// creditTransactionsOf is the input of a page of a customer's credit transactions.
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
		ID: m.ID, LocationID: m.LocationID, Kind: m.Kind, Amount: m.Amount, Balance: m.Balance, Currency: m.Currency,
		PaymentID: m.TenderID, RefundID: m.RefundID, Note: m.Note, By: m.ActorName, CreatedAt: m.CreatedAt,
	}
}
