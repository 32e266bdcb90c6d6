package stripe

import (
	"context"
	"fmt"
	"foyer/billing/processor"
	"time"

	"github.com/stripe/stripe-go/v79"
)

// GetPayout reads a payout of an account.
func (s *Adapter) GetPayout(ctx context.Context, account, id string) (processor.Payout, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "get payout"
	p, err := s.api.Payouts.Get(id, &stripe.PayoutParams{Params: call(ctx, account, "")})
	if err != nil {
		return processor.Payout{}, failed(op, err)
	}
	return payout(op, p)
}

// ListPayouts reads a page of an account's payouts.
func (s *Adapter) ListPayouts(ctx context.Context, in processor.List) (processor.Listed[processor.Payout], error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "list payouts"
	params := &stripe.PayoutListParams{}
	params.ListParams, params.CreatedRange = page(ctx, in)
	found := s.api.Payouts.List(params)
	var out processor.Listed[processor.Payout]
	for found.Next() {
		p, err := payout(op, found.Payout())
		if err != nil {
			return processor.Listed[processor.Payout]{}, err
		}
		out.Items = append(out.Items, p)
	}
	if err := found.Err(); err != nil {
		return processor.Listed[processor.Payout]{}, failed(op, err)
	}
	out.More = found.Meta().HasMore
	return out, nil
}

func payout(op string, p *stripe.Payout) (processor.Payout, error) {
	status, ok := payoutStatuses[p.Status]
	if !ok {
		return processor.Payout{}, unreadable(op, fmt.Errorf("payout status %q is unknown", p.Status))
	}
	amount, currency, err := sum(p.Amount, p.Currency)
	if err != nil {
		return processor.Payout{}, unreadable(op, err)
	}
	return processor.Payout{
		ID: p.ID, Amount: amount, Currency: currency, Status: status, ArrivesOn: day(p.ArrivalDate), Automatic: p.Automatic,
		Complete:    p.ReconciliationStatus == stripe.PayoutReconciliationStatusCompleted,
		FailureCode: string(p.FailureCode), FailureMessage: p.FailureMessage, CreatedAt: time.Unix(p.Created, 0).UTC(),
	}, nil
}

var payoutStatuses = map[stripe.PayoutStatus]processor.PayoutStatus{
	stripe.PayoutStatusPending:   processor.PayoutPending,
	stripe.PayoutStatusInTransit: processor.PayoutInTransit,
	stripe.PayoutStatusPaid:      processor.PayoutPaid,
	stripe.PayoutStatusFailed:    processor.PayoutFailed,
	stripe.PayoutStatusCanceled:  processor.PayoutCanceled,
}
