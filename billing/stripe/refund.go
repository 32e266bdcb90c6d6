package stripe

import (
	"context"
	"fmt"
	"foyer/billing/processor"

	"github.com/stripe/stripe-go/v79"
)

// Refund refunds to the card and, with ReturnFee, the same share of the platform's fee to the studio, which would
// lose it otherwise. Stripe refuses to refund a fee of a charge without one, and never refunds its own fee.
func (s *Adapter) Refund(ctx context.Context, in processor.NewRefund) (processor.Refund, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "refund"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Refund{}, err
	}
	amount, err := units(op, in.Amount, in.Currency)
	if err != nil {
		return processor.Refund{}, err
	}
	if amount <= 0 {
		return processor.Refund{}, &processor.Error{Op: op, Param: "amount", Detail: fmt.Sprint(in.Amount), Kind: processor.ErrAmountRefused}
	}
	params := &stripe.RefundParams{
		Params:        call(ctx, in.Account, in.Key),
		PaymentIntent: stripe.String(in.Payment),
		Amount:        stripe.Int64(amount),
		Metadata:      in.Metadata,
	}
	if in.ReturnFee {
		params.RefundApplicationFee = stripe.Bool(true)
	}
	params.AddExpand("balance_transaction")
	r, err := s.api.Refunds.New(params)
	if err == nil {
		return refund(op, r)
	}
	err = failed(op, err)
	// Stripe has no code for an amount above the refundable amount, only for a payment that is fully refunded.
	if e, ok := err.(*processor.Error); ok && e.Kind == processor.ErrRefused && e.Param == "amount" {
		e.Kind = processor.ErrRefundTooLarge
	}
	return processor.Refund{}, err
}

// GetRefund reads a refund with its balance transaction.
func (s *Adapter) GetRefund(ctx context.Context, account, id string) (processor.Refund, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "get refund"
	params := &stripe.RefundParams{Params: call(ctx, account, "")}
	params.AddExpand("balance_transaction")
	r, err := s.api.Refunds.Get(id, params)
	if err != nil {
		return processor.Refund{}, failed(op, err)
	}
	return refund(op, r)
}

func refund(op string, r *stripe.Refund) (processor.Refund, error) {
	status, ok := refundStatuses[r.Status]
	if !ok {
		return processor.Refund{}, unreadable(op, fmt.Errorf("refund status %q is unknown", r.Status))
	}
	amounts := read(r.Currency)
	out := processor.Refund{
		ID: r.ID, Status: status, Amount: amounts.minor(r.Amount), Currency: amounts.info.Code,
		Reason: string(r.FailureReason), Metadata: r.Metadata,
	}
	if amounts.err != nil {
		return processor.Refund{}, unreadable(op, amounts.err)
	}
	if r.PaymentIntent != nil {
		out.PaymentID = r.PaymentIntent.ID
	}
	if r.Charge != nil {
		out.ChargeID = r.Charge.ID
	}
	var err error
	if out.Settlement, err = settlement(r.BalanceTransaction); err != nil {
		return processor.Refund{}, unreadable(op, err)
	}
	return out, nil
}

var refundStatuses = map[stripe.RefundStatus]processor.RefundStatus{
	stripe.RefundStatusPending:        processor.RefundPending,
	stripe.RefundStatusRequiresAction: processor.RefundPending,
	stripe.RefundStatusSucceeded:      processor.RefundSucceeded,
	stripe.RefundStatusFailed:         processor.RefundFailed,
	stripe.RefundStatusCanceled:       processor.RefundCanceled,
}

// ListRefunds reads the refunds of a payment. There are rarely more than two; Stripe lists a hundred.
func (s *Adapter) ListRefunds(ctx context.Context, account, payment string) ([]processor.Refund, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "list refunds"
	params := &stripe.RefundListParams{PaymentIntent: stripe.String(payment)}
	params.ListParams, _ = page(ctx, processor.List{Account: account})
	params.AddExpand("data.balance_transaction")
	found := s.api.Refunds.List(params)
	var out []processor.Refund
	for found.Next() {
		r, err := refund(op, found.Refund())
		if err != nil {
			return nil, err
		}
		out = append(out, r)
	}
	if err := found.Err(); err != nil {
		return nil, failed(op, err)
	}
	return out, nil
}
