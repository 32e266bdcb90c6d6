package billing

import (
	"context"
	"fmt"
	"time"

	"github.com/stripe/stripe-go/v79"
)

// GetPayout reads a payout of an account.
func (s *Stripe) GetPayout(ctx context.Context, account, id string) (ProcessorPayout, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "get payout"
	p, err := s.api.Payouts.Get(id, &stripe.PayoutParams{Params: call(ctx, account, "")})
	if err != nil {
		return ProcessorPayout{}, failed(op, err)
	}
	return payout(op, p)
}

// ListPayouts reads a page of an account's payouts.
func (s *Stripe) ListPayouts(ctx context.Context, in List) (Listed[ProcessorPayout], error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "list payouts"
	params := &stripe.PayoutListParams{}
	params.ListParams, params.CreatedRange = page(ctx, in)
	found := s.api.Payouts.List(params)
	var out Listed[ProcessorPayout]
	for found.Next() {
		p, err := payout(op, found.Payout())
		if err != nil {
			return Listed[ProcessorPayout]{}, err
		}
		out.Items = append(out.Items, p)
	}
	if err := found.Err(); err != nil {
		return Listed[ProcessorPayout]{}, failed(op, err)
	}
	out.More = found.Meta().HasMore
	return out, nil
}

func payout(op string, p *stripe.Payout) (ProcessorPayout, error) {
	status, ok := payoutStatuses[p.Status]
	if !ok {
		return ProcessorPayout{}, unreadable(op, fmt.Errorf("payout status %q is unknown", p.Status))
	}
	amount, currency, err := sum(p.Amount, p.Currency)
	if err != nil {
		return ProcessorPayout{}, unreadable(op, err)
	}
	return ProcessorPayout{
		ID: p.ID, Amount: amount, Currency: currency, Status: status, ArrivesOn: day(p.ArrivalDate), Automatic: p.Automatic,
		Complete:    p.ReconciliationStatus == stripe.PayoutReconciliationStatusCompleted,
		FailureCode: string(p.FailureCode), FailureMessage: p.FailureMessage, CreatedAt: time.Unix(p.Created, 0).UTC(),
	}, nil
}

var payoutStatuses = map[stripe.PayoutStatus]PayoutStatus{
	stripe.PayoutStatusPending:   PayoutPending,
	stripe.PayoutStatusInTransit: PayoutInTransit,
	stripe.PayoutStatusPaid:      PayoutPaid,
	stripe.PayoutStatusFailed:    PayoutFailed,
	stripe.PayoutStatusCanceled:  PayoutCanceled,
}
