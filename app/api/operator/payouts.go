package operator

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/api/wire"
	"foyer/app/money"
	"foyer/app/paging"
	"foyer/app/tenancy"
	"foyer/app/web/op"
	"foyer/billing/balance"
	"foyer/billing/processor"
)

// Payout is a transfer from the processor to the studio's bank account.
type Payout struct {
	ID             uuid.UUID              `json:"id"`
	ExternalID     string                 `json:"externalId" doc:"The processor's id of the payout." example:"po_1N2b3C"`
	Amount         int64                  `json:"amount" doc:"Amount in minor units; negative if the bank account is debited."`
	Currency       money.Currency         `json:"currency"`
	Status         processor.PayoutStatus `json:"status" doc:"Status of the payout. A paid payout can still fail some days later."`
	ArrivesOn      string                 `json:"arrivesOn" format:"date" doc:"Arrival date, without a time zone." example:"2026-06-12"`
	Automatic      bool                   `json:"automatic" doc:"Whether it follows the account's payout schedule. The contents of a manual payout are unknown."`
	FailureCode    string                 `json:"failureCode" doc:"The processor's failure code; empty if it has not failed."`
	FailureMessage string                 `json:"failureMessage" doc:"The processor's failure message; empty if it has not failed."`
	Test           bool                   `json:"test" doc:"Whether it is in test mode, without real money."`
	CreatedAt      time.Time              `json:"createdAt" doc:"When it was created at the processor."`
	ListedAt       *time.Time             `json:"listedAt" doc:"When its contents became completely known; null before, and for a manual payout."`
}

// PayoutLine is a balance transaction in a payout: a payment, a refund, a fee.
type PayoutLine struct {
	ID           uuid.UUID          `json:"id"`
	ExternalID   string             `json:"externalId" doc:"The processor's id of the balance transaction."`
	Category     processor.Category `json:"category"`
	Type         string             `json:"type" doc:"The processor's type of the transaction, finer than the category."`
	PaymentID    *uuid.UUID         `json:"paymentId" doc:"The payment it belongs to; null for other transactions."`
	OrderID      *uuid.UUID         `json:"orderId" doc:"Order of the payment; null for other transactions."`
	Gross        int64              `json:"gross" doc:"Gross amount in minor units; negative if it left the balance."`
	ProcessorFee int64              `json:"processorFee" doc:"Processor fee; negative if it was refunded."`
	PlatformFee  int64              `json:"platformFee" doc:"Platform fee; negative if it was refunded."`
	Net          int64              `json:"net" doc:"Net amount: gross less both fees."`
	At           time.Time          `json:"at"`
}

// PayoutSum is the total of the lines of one category.
type PayoutSum struct {
	Category     processor.Category `json:"category"`
	Count        int                `json:"count" doc:"Number of lines."`
	Gross        int64              `json:"gross" doc:"Gross amount, in minor units."`
	ProcessorFee int64              `json:"processorFee" doc:"Processor fees, in minor units."`
	PlatformFee  int64              `json:"platformFee" doc:"Platform fees, in minor units."`
	Net          int64              `json:"net" doc:"Net amount, in minor units."`
}

// PayoutDetail is a payout with its balance transactions.
type PayoutDetail struct {
	Payout Payout       `json:"payout" doc:"The payout."`
	Lines  []PayoutLine `json:"lines" doc:"Its balance transactions, oldest first, at most 1000."`
	More   bool         `json:"more" doc:"Whether there are more lines."`
	Sums   []PayoutSum  `json:"sums" doc:"Totals of all lines, by category."`
}

// Reconciliation is the latest comparison of the books with the processor's balance, for one account and currency.
type Reconciliation struct {
	AccountID  string         `json:"accountId" doc:"The processor's id of the account."`
	Currency   money.Currency `json:"currency"`
	Books      int64          `json:"books" doc:"Balance at the processor according to the books, in minor units, without the amount underway."`
	Underway   int64          `json:"underway" doc:"Sales of the last two days that are not on the processor's balance yet."`
	Recorded   int64          `json:"recorded" doc:"Sum of all recorded balance transactions."`
	Held       int64          `json:"reserved" doc:"Amount reserved by the processor: the studio's, and not on its balance."`
	Balance    int64          `json:"balance" doc:"Balance reported by the processor: available and pending."`
	Difference int64          `json:"difference" doc:"Balance and reserved amount, less books. 0 means reconciled."`
	CheckedAt  time.Time      `json:"checkedAt" doc:"When the comparison was made."`
}

// Reconciliations are the reconciliations of a business.
type Reconciliations struct {
	Items         []Reconciliation `json:"items"`
	Unmatched     []PayoutLine     `json:"unmatched" doc:"Balance transactions without an entry in the books, oldest first, at most 100."`
	ListedThrough *time.Time       `json:"listedThrough" doc:"Time up to which every balance transaction is known; null until an account has been listed to the end."`
}

type listPayoutsIn struct {
	op.Page
	Status processor.PayoutStatus `query:"status" doc:"Only payouts in this status."`
}

type payoutPath struct {
	PayoutID uuid.UUID `path:"payoutId" doc:"The payout."`
}

func (a *surface) payouts() {
	declare(a, op.Spec{
		ID: "listPayouts", Method: "GET", Path: "/businesses/{businessId}/payouts", Tag: "commerce", Feature: "payment.view",
		Summary: "List payouts", Description: "Returns the processor's payouts to the studio's bank account, latest first.",
	}, wire.Filtered(a.Cursors, "payouts", a.Balance.Payouts, showPayout,
		func(_ tenancy.Scope, in *listPayoutsIn, page paging.In[paging.Moment]) balance.PayoutsInput {
			out := balance.PayoutsInput{Page: page}
			if in.Status != "" {
				out.Statuses = []processor.PayoutStatus{in.Status}
			}
			return out
		}))
	declare(a, op.Spec{
		ID: "getPayout", Method: "GET", Path: "/businesses/{businessId}/payouts/{payoutId}", Tag: "commerce", Feature: "payment.view",
		Summary:     "Get a payout",
		Description: "Returns a payout with its balance transactions: payments, refunds and others, each with its fees.",
	}, wire.ByName(a.Balance.Payout, func(in *payoutPath) uuid.UUID { return in.PayoutID }, showPayoutDetail))
	declare(a, op.Spec{
		ID: "getReconciliation", Method: "GET", Path: "/businesses/{businessId}/reconciliation", Tag: "commerce", Feature: "payment.view",
		Summary: "Get the reconciliation",
		Description: "Returns the latest comparison of the books with the balance reported by the processor. It runs every " +
			"night, and soon after balance transactions other than a sale or a refund.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Reconciliations, error) {
		t, err := a.Balance.Reconciliations(ctx, sc)
		return showReconciliations(t), err
	})
}

func showPayout(p balance.Payout) Payout {
	return Payout{
		ID: p.ID, ExternalID: p.ExternalID, Amount: p.Amount, Currency: p.Currency, Status: p.Status,
		ArrivesOn: p.ArrivesOn.Format(time.DateOnly), Automatic: p.Automatic, FailureCode: p.FailureCode, FailureMessage: p.FailureMessage,
		Test: p.Test(), CreatedAt: p.HappenedAt, ListedAt: wire.TimeOrNull(p.ListedAt),
	}
}

func showPayoutDetail(p balance.PayoutDetail) PayoutDetail {
	out := PayoutDetail{Payout: showPayout(p.Payout), Lines: showLines(p.Lines), More: p.More, Sums: make([]PayoutSum, len(p.Sums))}
	for i, s := range p.Sums {
		out.Sums[i] = PayoutSum(s)
	}
	return out
}

func showLines(all []balance.Transaction) []PayoutLine {
	out := make([]PayoutLine, len(all))
	for i, m := range all {
		out[i] = showLine(m)
	}
	return out
}

func showLine(m balance.Transaction) PayoutLine {
	return PayoutLine{
		ID: m.ID, ExternalID: m.ExternalID, Category: m.Category, Type: m.Type,
		PaymentID: wire.Optional(m.PaymentID), OrderID: wire.Optional(m.OrderID), Gross: m.Gross,
		ProcessorFee: m.ProcessorFee, PlatformFee: m.PlatformFee, Net: m.Net, At: m.HappenedAt,
	}
}

func showReconciliations(t balance.Reconciliations) Reconciliations {
	out := Reconciliations{Items: make([]Reconciliation, len(t.Items)), Unmatched: showLines(t.Unmatched), ListedThrough: wire.TimeOrNull(t.ListedThrough)}
	for i, o := range t.Items {
		out.Items[i] = Reconciliation(o)
	}
	return out
}
