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
	"foyer/billing"
)

// Payout is money on its way from the processor to the studio's bank account.
type Payout struct {
	ID             uuid.UUID            `json:"id"`
	ExternalID     string               `json:"externalId" doc:"The processor's own id." example:"po_1N2b3C"`
	Amount         int64                `json:"amount" doc:"In minor units; negative when the bank account is debited."`
	Currency       money.Currency       `json:"currency"`
	Status         billing.PayoutStatus `json:"status" doc:"One that was paid can still fail some days later."`
	ArrivesOn      string               `json:"arrivesOn" format:"date" doc:"A date of the calendar, in no time zone." example:"2026-06-12"`
	Automatic      bool                 `json:"automatic" doc:"On the account's schedule. What a manual payout paid out is not known."`
	FailureCode    string               `json:"failureCode" doc:"The processor's; empty when it has not failed."`
	FailureMessage string               `json:"failureMessage" doc:"The processor's words; empty when it has not failed."`
	Test           bool                 `json:"test" doc:"No money moves."`
	CreatedAt      time.Time            `json:"createdAt" doc:"At the processor."`
	ListedAt       *time.Time           `json:"listedAt" doc:"Since when all that it paid out is known; null before, and for a manual payout."`
}

// PayoutLine is something that a payout paid out: a payment, a refund, a fee.
type PayoutLine struct {
	ID           uuid.UUID        `json:"id"`
	ExternalID   string           `json:"externalId" doc:"Of the processor's balance transaction."`
	Category     billing.Category `json:"category"`
	Type         string           `json:"type" doc:"The processor's own word, finer than the category."`
	PaymentID    *uuid.UUID       `json:"paymentId" doc:"The payment of ours that it belongs to; null for anything else."`
	OrderID      *uuid.UUID       `json:"orderId" doc:"The order of that payment; null for anything else."`
	Gross        int64            `json:"gross" doc:"In minor units; negative when it left the balance."`
	ProcessorFee int64            `json:"processorFee" doc:"What the processor took of it for itself; negative when it came back."`
	PlatformFee  int64            `json:"platformFee" doc:"What the platform took of it; negative when it came back."`
	Net          int64            `json:"net" doc:"Gross without both fees."`
	At           time.Time        `json:"at"`
}

// PayoutSum adds up the lines of one category.
type PayoutSum struct {
	Category     billing.Category `json:"category"`
	Count        int              `json:"count" doc:"How many lines."`
	Gross        int64            `json:"gross" doc:"In minor units."`
	ProcessorFee int64            `json:"processorFee" doc:"In minor units."`
	PlatformFee  int64            `json:"platformFee" doc:"In minor units."`
	Net          int64            `json:"net" doc:"In minor units."`
}

// PayoutDetail is a payout with what it paid out.
type PayoutDetail struct {
	Payout Payout       `json:"payout" doc:"The payout."`
	Lines  []PayoutLine `json:"lines" doc:"What it paid out, the oldest first, 1000 at most."`
	More   bool         `json:"more" doc:"There are more lines than these."`
	Sums   []PayoutSum  `json:"sums" doc:"Of all lines, by category."`
}

// Reconciliation is how the books were last held against the processor's balance, for one account and currency.
type Reconciliation struct {
	AccountID  string         `json:"accountId" doc:"At the processor."`
	Currency   money.Currency `json:"currency"`
	Books      int64          `json:"books" doc:"What the books say that the processor holds, in minor units, without what is underway."`
	Underway   int64          `json:"underway" doc:"Sold within two days, and not on the processor's balance yet."`
	Recorded   int64          `json:"kept" doc:"The sum of everything that is known to have happened there."`
	Held       int64          `json:"held" doc:"Put aside by the processor: the studio's, and not on its balance."`
	Balance    int64          `json:"balance" doc:"What the processor says: available and pending."`
	Difference int64          `json:"difference" doc:"Balance and held, less books. 0: they agree."`
	CheckedAt  time.Time      `json:"checkedAt" doc:"When they were held against each other."`
}

// Reconciliations are those of a business.
type Reconciliations struct {
	Items         []Reconciliation `json:"items"`
	Unmatched     []PayoutLine     `json:"unmatched" doc:"What happened at the processor and is in no books, the oldest first, 100 at most."`
	ListedThrough *time.Time       `json:"listedThrough" doc:"Up to when everything is known; null while an account was never listed to the end."`
}

type listPayoutsIn struct {
	op.Page
	Status billing.PayoutStatus `query:"status" doc:"Those in this status only."`
}

type payoutPath struct {
	PayoutID uuid.UUID `path:"payoutId" doc:"The payout."`
}

func (a *surface) payouts() {
	declare(a, op.Spec{
		ID: "listPayouts", Method: "GET", Path: "/businesses/{businessId}/payouts", Tag: "commerce", Feature: "payment.view",
		Summary: "List payouts", Description: "The processor's payouts to the studio's bank account, the latest first.",
	}, wire.Filtered(a.Cursors, "payouts", a.Billing.Payouts, showPayout,
		func(_ tenancy.Scope, in *listPayoutsIn, page paging.In[paging.Moment]) billing.PayoutsInput {
			out := billing.PayoutsInput{Page: page}
			if in.Status != "" {
				out.Statuses = []billing.PayoutStatus{in.Status}
			}
			return out
		}))
	declare(a, op.Spec{
		ID: "getPayout", Method: "GET", Path: "/businesses/{businessId}/payouts/{payoutId}", Tag: "commerce", Feature: "payment.view",
		Summary: "Get a payout", Description: "One payout, with the payments, refunds and whatever else it paid out, and what each of them cost.",
	}, wire.ByName(a.Billing.Payout, func(in *payoutPath) uuid.UUID { return in.PayoutID }, showPayoutDetail))
	declare(a, op.Spec{
		ID: "getReconciliation", Method: "GET", Path: "/businesses/{businessId}/reconciliation", Tag: "commerce", Feature: "payment.view",
		Summary: "Compare the books with the processor", Description: "How the books were last held against what the processor says that it holds. " +
			"That is done every night, and soon after money moved otherwise than by a sale or a refund.",
	}, func(ctx context.Context, sc tenancy.Scope, _ *wire.Nothing) (Reconciliations, error) {
		t, err := a.Billing.Reconciliations(ctx, sc)
		return showReconciliations(t), err
	})
}

func showPayout(p billing.Payout) Payout {
	return Payout{
		ID: p.ID, ExternalID: p.ExternalID, Amount: p.Amount, Currency: p.Currency, Status: p.Status,
		ArrivesOn: p.ArrivesOn.Format(time.DateOnly), Automatic: p.Automatic, FailureCode: p.FailureCode, FailureMessage: p.FailureMessage,
		Test: p.Test(), CreatedAt: p.HappenedAt, ListedAt: wire.TimeOrNull(p.ListedAt),
	}
}

func showPayoutDetail(p billing.PayoutDetail) PayoutDetail {
	out := PayoutDetail{Payout: showPayout(p.Payout), Lines: showLines(p.Lines), More: p.More, Sums: make([]PayoutSum, len(p.Sums))}
	for i, s := range p.Sums {
		out.Sums[i] = PayoutSum(s)
	}
	return out
}

func showLines(all []billing.BalanceTransaction) []PayoutLine {
	out := make([]PayoutLine, len(all))
	for i, m := range all {
		out[i] = PayoutLine{
			ID: m.ID, ExternalID: m.ExternalID, Category: m.Category, Type: m.Type, PaymentID: wire.AppointmentOptions(m.PaymentID),
			OrderID: wire.AppointmentOptions(m.OrderID), Gross: m.Gross, ProcessorFee: m.ProcessorFee, PlatformFee: m.PlatformFee, Net: m.Net, At: m.HappenedAt,
		}
	}
	return out
}

func showReconciliations(t billing.Reconciliations) Reconciliations {
	out := Reconciliations{Items: make([]Reconciliation, len(t.Items)), Unmatched: showLines(t.Unmatched), ListedThrough: wire.TimeOrNull(t.ListedThrough)}
	for i, o := range t.Items {
		out.Items[i] = Reconciliation(o)
	}
	return out
}
