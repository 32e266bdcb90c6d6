package stripe

import (
	"context"
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v79"

	"foyer/app/money"
	"foyer/billing/processor"
)

// pageMost is Stripe's maximum page size.
const pageMost = 100

// page fills in the parameters of every list request. It reads one page: the lists of stripe-go would go on by
// themselves.
func page(ctx context.Context, in processor.List) (stripe.ListParams, *stripe.RangeQueryParams) {
	p := stripe.ListParams{Context: ctx, Limit: stripe.Int64(pageMost), Single: true}
	p.SetStripeAccount(in.Account)
	if in.After != "" {
		p.StartingAfter = stripe.String(in.After)
	}
	if in.Since.IsZero() {
		return p, nil
	}
	return p, &stripe.RangeQueryParams{GreaterThanOrEqual: in.Since.Unix()}
}

// Balance reads the balance of an account at Stripe.
func (s *Adapter) Balance(ctx context.Context, account string) ([]processor.Balance, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "get balance"
	b, err := s.api.Balance.Get(&stripe.BalanceParams{Params: call(ctx, account, "")})
	if err != nil {
		return nil, failed(op, err)
	}
	var out []processor.Balance
	of := func(cur stripe.Currency) (*processor.Balance, *reader) {
		r := read(cur)
		for i := range out {
			if out[i].Currency == r.info.Code {
				return &out[i], r
			}
		}
		out = append(out, processor.Balance{Currency: r.info.Code})
		return &out[len(out)-1], r
	}
	for _, a := range b.Available {
		h, r := of(a.Currency)
		if h.Available += r.minor(a.Amount); r.err != nil {
			return nil, unreadable(op, r.err)
		}
	}
	for _, a := range b.Pending {
		h, r := of(a.Currency)
		if h.Pending += r.minor(a.Amount); r.err != nil {
			return nil, unreadable(op, r.err)
		}
	}
	return out, nil
}

// ListBalance reads a page of an account's balance transactions, with their sources.
func (s *Adapter) ListBalance(
	ctx context.Context, in processor.BalanceList,
) (processor.Listed[processor.Transaction], error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "list balance transactions"
	params := &stripe.BalanceTransactionListParams{Payout: text(in.Payout)}
	params.ListParams, params.CreatedRange = page(ctx, in.List)
	params.AddExpand("data.source")
	found := s.api.BalanceTransactions.List(params)
	var out processor.Listed[processor.Transaction]
	for found.Next() {
		b, err := balanceTransaction(found.BalanceTransaction())
		if err != nil {
			return processor.Listed[processor.Transaction]{}, unreadable(op, err)
		}
		out.Items = append(out.Items, b)
	}
	if err := found.Err(); err != nil {
		return processor.Listed[processor.Transaction]{}, failed(op, err)
	}
	out.More = found.Meta().HasMore
	return out, nil
}

func balanceTransaction(b *stripe.BalanceTransaction) (processor.Transaction, error) {
	done, err := settlement(b)
	if err != nil {
		return processor.Transaction{}, err
	}
	if done == nil || done.Gross-done.ProcessorFee-done.PlatformFee != done.Net {
		return processor.Transaction{}, fmt.Errorf("the balance transaction %q does not add up", b.ID)
	}
	out := processor.Transaction{
		Settlement: *done, Type: string(b.Type), Category: categoryOf(b),
		CreatedAt: time.Unix(b.Created, 0).UTC(), AvailableOn: time.Unix(b.AvailableOn, 0).UTC(),
	}
	src := b.Source
	if src == nil {
		return out, nil
	}
	out.Source = src.ID
	var intent *stripe.PaymentIntent
	switch {
	case src.Charge != nil:
		intent, out.Metadata = src.Charge.PaymentIntent, src.Charge.Metadata
	case src.Refund != nil:
		intent, out.Metadata = src.Refund.PaymentIntent, src.Refund.Metadata
	case src.Dispute != nil:
		intent = src.Dispute.PaymentIntent
	}
	if intent != nil {
		out.PaymentID = intent.ID
	}
	return out, nil
}

// categories are Stripe's reporting categories.
var categories = map[stripe.BalanceTransactionReportingCategory]processor.Category{
	stripe.BalanceTransactionReportingCategoryCharge:                processor.CategoryCharge,
	stripe.BalanceTransactionReportingCategoryChargeFailure:         processor.CategoryChargeFailure,
	stripe.BalanceTransactionReportingCategoryRefund:                processor.CategoryRefund,
	stripe.BalanceTransactionReportingCategoryRefundFailure:         processor.CategoryRefundFailure,
	stripe.BalanceTransactionReportingCategoryDispute:               processor.CategoryDispute,
	stripe.BalanceTransactionReportingCategoryDisputeReversal:       processor.CategoryDisputeReversal,
	stripe.BalanceTransactionReportingCategoryFee:                   processor.CategoryFee,
	stripe.BalanceTransactionReportingCategoryPlatformEarning:       processor.CategoryPlatformFee,
	stripe.BalanceTransactionReportingCategoryPlatformEarningRefund: processor.CategoryPlatformFee,
	stripe.BalanceTransactionReportingCategoryPayout:                processor.CategoryPayout,
	stripe.BalanceTransactionReportingCategoryPayoutReversal:        processor.CategoryPayoutReversal,
	stripe.BalanceTransactionReportingCategoryTopup:                 processor.CategoryTopup,
	stripe.BalanceTransactionReportingCategoryTopupReversal:         processor.CategoryTopupReversal,
	stripe.BalanceTransactionReportingCategoryRiskReservedFunds:     processor.CategoryHeld,
	stripe.BalanceTransactionReportingCategoryConnectReservedFunds:  processor.CategoryHeld,
}

// categoryOf returns the category of a balance transaction. Reserves of a card network have a type of their own and
// no category.
func categoryOf(b *stripe.BalanceTransaction) processor.Category {
	switch b.Type {
	case stripe.BalanceTransactionTypePaymentNetworkReserveHold, stripe.BalanceTransactionTypePaymentNetworkReserveRelease:
		return processor.CategoryHeld
	}
	if c, ok := categories[b.ReportingCategory]; ok {
		return c
	}
	return processor.CategoryOther
}

// day returns the calendar date that Stripe sends as midnight UTC.
func day(unix int64) time.Time { return time.Unix(unix, 0).UTC().Truncate(24 * time.Hour) }

// sum returns an amount in a currency of Stripe's.
func sum(amount int64, cur stripe.Currency) (int64, money.Currency, error) {
	r := read(cur)
	n := r.minor(amount)
	return n, r.info.Code, r.err
}
