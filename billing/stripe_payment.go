package billing

import (
	"context"
	"fmt"
	"strings"

	"github.com/stripe/stripe-go/v79"

	"foyer/app/money"
)

// CreatePayment makes a direct charge on the studio's account, for a card, to be confirmed in the customer's browser. The
// platform's fee is left out when it is 0, because Stripe wants it positive.
func (s *Stripe) CreatePayment(ctx context.Context, in NewPayment) (Intent, error) {
	const op = "create payment"
	if err := mustKey(op, in.Key); err != nil {
		return Intent{}, err
	}
	amount, err := units(op, in.Amount, in.Currency)
	if err != nil {
		return Intent{}, err
	}
	if in.Account == "" || in.Fee < 0 || (in.Fee > 0 && in.Fee >= in.Amount) {
		detail := fmt.Sprintf("fee %d of %d on account %q", in.Fee, in.Amount, in.Account)
		return Intent{}, &ProcessorError{Op: op, Detail: detail, kind: ErrProcessorRefused}
	}
	params := &stripe.PaymentIntentParams{
		Params:             call(ctx, in.Account, in.Key),
		Amount:             stripe.Int64(amount),
		Currency:           stripe.String(strings.ToLower(string(in.Currency))),
		PaymentMethodTypes: stripe.StringSlice([]string{"card"}),
		Description:        text(in.Description),
		Metadata:           in.Metadata,
	}
	if in.Fee > 0 {
		fee, err := units(op, in.Fee, in.Currency)
		if err != nil {
			return Intent{}, err
		}
		params.ApplicationFeeAmount = stripe.Int64(fee)
	}
	pi, err := s.api.PaymentIntents.New(params)
	return s.intent(op, in.Account, pi, err)
}

// GetPayment reads a payment with its charge and what that did to the balance, in one call.
func (s *Stripe) GetPayment(ctx context.Context, account, id string) (Intent, error) {
	params := &stripe.PaymentIntentParams{Params: call(ctx, account, "")}
	params.AddExpand("latest_charge.balance_transaction")
	pi, err := s.api.PaymentIntents.Get(id, params)
	return s.intent("get payment", account, pi, err)
}

// CancelPayment gives up a payment that has not succeeded.
func (s *Stripe) CancelPayment(ctx context.Context, account, id, key string) (Intent, error) {
	const op = "cancel payment"
	if err := mustKey(op, key); err != nil {
		return Intent{}, err
	}
	pi, err := s.api.PaymentIntents.Cancel(id, &stripe.PaymentIntentCancelParams{Params: call(ctx, account, key)})
	in, err := s.intent(op, account, pi, err)
	if e, ok := err.(*ProcessorError); ok && e.Code == string(stripe.ErrorCodePaymentIntentUnexpectedState) {
		e.kind = ErrPaymentFinal
	}
	return in, err
}

// intent maps an answer. The payment inside a decline is an answer like any other.
func (s *Stripe) intent(op, account string, pi *stripe.PaymentIntent, err error) (Intent, error) {
	if err != nil {
		if pi = declined(err); pi == nil {
			return Intent{}, failed(op, err)
		}
	}
	status, ok := statuses[pi.Status]
	if !ok {
		return Intent{}, unreadable(op, fmt.Errorf("payment status %q is unknown", pi.Status))
	}
	r := read(pi.Currency)
	out := Intent{
		ID: pi.ID, Account: account, ClientSecret: pi.ClientSecret, Status: status,
		Amount: r.minor(pi.Amount), Fee: r.minor(pi.ApplicationFeeAmount), Currency: r.info.Code,
		Metadata: pi.Metadata, Failure: failure(pi.LastPaymentError),
	}
	if n := pi.NextAction; n != nil && n.RedirectToURL != nil {
		out.RedirectURL = n.RedirectToURL.URL
	}
	if c := pi.LatestCharge; c != nil {
		out.ChargeID, out.Card = c.ID, cardOf(c)
		out.Settlement, err = settlement(c.BalanceTransaction)
		if err != nil {
			return Intent{}, unreadable(op, err)
		}
	}
	if r.err != nil {
		return Intent{}, unreadable(op, r.err)
	}
	return out, nil
}

var statuses = map[stripe.PaymentIntentStatus]Status{
	stripe.PaymentIntentStatusRequiresPaymentMethod: StatusAwaitingMethod,
	stripe.PaymentIntentStatusRequiresConfirmation:  StatusAwaitingCustomer,
	stripe.PaymentIntentStatusRequiresAction:        StatusAwaitingCustomer,
	stripe.PaymentIntentStatusProcessing:            StatusProcessing,
	stripe.PaymentIntentStatusRequiresCapture:       StatusAuthorized,
	stripe.PaymentIntentStatusSucceeded:             StatusSucceeded,
	stripe.PaymentIntentStatusCanceled:              StatusCanceled,
}

func failure(e *stripe.Error) *Failure {
	if e == nil {
		return nil
	}
	return &Failure{Code: string(e.Code), DeclineCode: string(e.DeclineCode), Message: e.Msg}
}

// cardOf is nil while the charge is only known by its id.
func cardOf(c *stripe.Charge) *Card {
	if c.PaymentMethodDetails == nil || c.PaymentMethodDetails.Card == nil {
		return nil
	}
	return &Card{Brand: string(c.PaymentMethodDetails.Card.Brand), Last4: c.PaymentMethodDetails.Card.Last4}
}

// settlement maps a balance transaction. It is nil until there is one, which with Stripe's default capture method is some
// seconds after success, and nil while only its id is known.
func settlement(b *stripe.BalanceTransaction) (*Settlement, error) {
	if b == nil || b.Currency == "" {
		return nil, nil
	}
	r := read(b.Currency)
	out := &Settlement{ID: b.ID, Currency: money.Currency(r.info.Code), Gross: r.minor(b.Amount), Net: r.minor(b.Net)}
	for _, d := range b.FeeDetails {
		if d.Type == "application_fee" {
			out.PlatformFee += r.minor(d.Amount)
		} else {
			out.ProcessorFee += r.minor(d.Amount)
		}
	}
	return out, r.err
}

// Refund gives money back to the card and, with ReturnFee, the same share of the platform's fee to the studio, which would
// lose it otherwise. Stripe refuses to return a fee of a charge that carried none, and never returns its own fee.
func (s *Stripe) Refund(ctx context.Context, in NewRefund) (Refund, error) {
	const op = "refund"
	if err := mustKey(op, in.Key); err != nil {
		return Refund{}, err
	}
	amount, err := units(op, in.Amount, in.Currency)
	if err != nil {
		return Refund{}, err
	}
	if amount <= 0 {
		return Refund{}, &ProcessorError{Op: op, Param: "amount", Detail: fmt.Sprint(in.Amount), kind: ErrAmountRefused}
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
	// Stripe has no code for "more than is left", only for "nothing is left".
	if e, ok := err.(*ProcessorError); ok && e.kind == ErrProcessorRefused && e.Param == "amount" {
		e.kind = ErrRefundTooLarge
	}
	return Refund{}, err
}

// GetRefund reads a refund with what it did to the balance.
func (s *Stripe) GetRefund(ctx context.Context, account, id string) (Refund, error) {
	const op = "get refund"
	params := &stripe.RefundParams{Params: call(ctx, account, "")}
	params.AddExpand("balance_transaction")
	r, err := s.api.Refunds.Get(id, params)
	if err != nil {
		return Refund{}, failed(op, err)
	}
	return refund(op, r)
}

func refund(op string, r *stripe.Refund) (Refund, error) {
	status, ok := refundStatuses[r.Status]
	if !ok {
		return Refund{}, unreadable(op, fmt.Errorf("refund status %q is unknown", r.Status))
	}
	amounts := read(r.Currency)
	out := Refund{
		ID: r.ID, Status: status, Amount: amounts.minor(r.Amount), Currency: amounts.info.Code,
		Reason: string(r.FailureReason), Metadata: r.Metadata,
	}
	if amounts.err != nil {
		return Refund{}, unreadable(op, amounts.err)
	}
	if r.PaymentIntent != nil {
		out.PaymentID = r.PaymentIntent.ID
	}
	if r.Charge != nil {
		out.ChargeID = r.Charge.ID
	}
	var err error
	if out.Settlement, err = settlement(r.BalanceTransaction); err != nil {
		return Refund{}, unreadable(op, err)
	}
	return out, nil
}

var refundStatuses = map[stripe.RefundStatus]RefundStatus{
	stripe.RefundStatusPending:        RefundPending,
	stripe.RefundStatusRequiresAction: RefundPending,
	stripe.RefundStatusSucceeded:      RefundSucceeded,
	stripe.RefundStatusFailed:         RefundFailed,
	stripe.RefundStatusCanceled:       RefundCanceled,
}
