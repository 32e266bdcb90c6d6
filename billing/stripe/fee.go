package stripe

import (
	"context"
	"foyer/billing/processor"

	"github.com/stripe/stripe-go/v79"
)

// returnOf is the metadata key of a fee refund that names its cause: a key of Stripe lives for a day, this as long as
// the fee.
const returnOf = "return_of"

// ReturnFee refunds a part of an application fee. The fee is the platform's, so the request has no account, but the
// reading of the payment has one.
func (s *Adapter) ReturnFee(ctx context.Context, in processor.FeeReturn) (processor.FeeReturned, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "return fee"
	if err := mustKey(op, in.Key); err != nil {
		return processor.FeeReturned{}, err
	}
	fee, err := s.feeOf(ctx, in)
	if err != nil {
		return processor.FeeReturned{}, err
	}
	done, before, err := s.returnedOf(ctx, fee, in.Key)
	if err != nil || done.ID != "" {
		return done, err
	}
	minor := min(in.Amount, in.Whole-before)
	if minor <= 0 {
		return processor.FeeReturned{}, nil
	}
	amount, err := units(op, minor, in.Currency)
	if err != nil {
		return processor.FeeReturned{}, err
	}
	r, err := s.api.FeeRefunds.New(&stripe.FeeRefundParams{
		Params: call(ctx, "", in.Key), ID: stripe.String(fee), Amount: stripe.Int64(amount), Metadata: map[string]string{returnOf: in.Key},
	})
	if err == nil {
		return processor.FeeReturned{ID: r.ID, Amount: minor}, nil
	}
	err = failed(op, err)
	if e, ok := err.(*processor.Error); ok && e.Kind == processor.ErrRefused && e.Param == "amount" {
		e.Kind = processor.ErrRefundTooLarge
	}
	return processor.FeeReturned{}, err
}

// returnedOf returns the fee refund of a key, if it was made, and otherwise the amount of the fee refunded before:
// with refunds, for other keys, and by the platform by hand.
func (s *Adapter) returnedOf(ctx context.Context, fee, key string) (done processor.FeeReturned, before int64, err error) {
	const op = "list returned fees"
	params := &stripe.FeeRefundListParams{ID: stripe.String(fee)}
	params.ListParams = stripe.ListParams{Context: ctx, Limit: stripe.Int64(pageMost)}
	found := s.api.FeeRefunds.List(params)
	for found.Next() {
		r := found.FeeRefund()
		amounts := read(r.Currency)
		minor := amounts.minor(r.Amount)
		if amounts.err != nil {
			return processor.FeeReturned{}, 0, unreadable(op, amounts.err)
		}
		if r.Metadata[returnOf] == key {
			return processor.FeeReturned{ID: r.ID, Amount: minor}, 0, nil
		}
		before += minor
	}
	if err := found.Err(); err != nil {
		return processor.FeeReturned{}, 0, failed(op, err)
	}
	return processor.FeeReturned{}, before, nil
}

// feeOf returns the id of a payment's platform fee.
func (s *Adapter) feeOf(ctx context.Context, in processor.FeeReturn) (string, error) {
	const op = "read fee"
	params := &stripe.PaymentIntentParams{Params: call(ctx, in.Account, "")}
	params.AddExpand("latest_charge")
	pi, err := s.api.PaymentIntents.Get(in.Payment, params)
	if err != nil {
		return "", failed(op, err)
	}
	if pi.LatestCharge == nil || pi.LatestCharge.ApplicationFee == nil || pi.LatestCharge.ApplicationFee.ID == "" {
		return "", &processor.Error{Op: op, Detail: "it has no application fee yet", Kind: processor.ErrFeeUnknown}
	}
	return pi.LatestCharge.ApplicationFee.ID, nil
}
