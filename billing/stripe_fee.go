package billing

import (
	"context"

	"github.com/stripe/stripe-go/v79"
)

// returnOf is where a returned fee says what it was returned for: a key of Stripe lives for a day, this as long as the fee.
const returnOf = "return_of"

// ReturnFee gives a part of an application fee back. The fee is the platform's, so the account is not named, as it is where its payment
// is read.
func (s *Stripe) ReturnFee(ctx context.Context, in FeeReturn) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "return fee"
	if err := mustKey(op, in.Key); err != nil {
		return "", err
	}
	amount, err := units(op, in.Amount, in.Currency)
	if err != nil {
		return "", err
	}
	fee, err := s.feeOf(ctx, in)
	if err != nil {
		return "", err
	}
	done := &stripe.FeeRefundListParams{ID: stripe.String(fee)}
	done.ListParams = stripe.ListParams{Context: ctx, Limit: stripe.Int64(pageMost)}
	for found := s.api.FeeRefunds.List(done); ; {
		if !found.Next() {
			if err := found.Err(); err != nil {
				return "", failed(op, err)
			}
			break
		}
		if r := found.FeeRefund(); r.Metadata[returnOf] == in.Key {
			return r.ID, nil
		}
	}
	r, err := s.api.FeeRefunds.New(&stripe.FeeRefundParams{
		Params: call(ctx, "", in.Key), ID: stripe.String(fee), Amount: stripe.Int64(amount), Metadata: map[string]string{returnOf: in.Key},
	})
	if err == nil {
		return r.ID, nil
	}
	err = failed(op, err)
	if e, ok := err.(*ProcessorError); ok && e.kind == ErrProcessorRefused && e.Param == "amount" {
		e.kind = ErrRefundTooLarge
	}
	return "", err
}

// feeOf is the id of the platform's fee of a payment.
func (s *Stripe) feeOf(ctx context.Context, in FeeReturn) (string, error) {
	const op = "read fee"
	params := &stripe.PaymentIntentParams{Params: call(ctx, in.Account, "")}
	params.AddExpand("latest_charge")
	pi, err := s.api.PaymentIntents.Get(in.Payment, params)
	if err != nil {
		return "", failed(op, err)
	}
	if pi.LatestCharge == nil || pi.LatestCharge.ApplicationFee == nil || pi.LatestCharge.ApplicationFee.ID == "" {
		return "", &ProcessorError{Op: op, Detail: "it has no application fee yet", kind: ErrFeeUnknown}
	}
	return pi.LatestCharge.ApplicationFee.ID, nil
}
