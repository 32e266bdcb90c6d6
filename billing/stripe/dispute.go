package stripe

import (
	"context"
	"fmt"
	"foyer/billing/processor"
	"slices"
	"time"

	"github.com/stripe/stripe-go/v79"
)

// GetDispute reads a dispute with its balance transactions.
func (s *Adapter) GetDispute(ctx context.Context, account, id string) (processor.Dispute, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "get dispute"
	d, err := s.api.Disputes.Get(id, &stripe.DisputeParams{Params: call(ctx, account, "")})
	if err != nil {
		return processor.Dispute{}, failed(op, err)
	}
	return dispute(op, d)
}

// SubmitEvidence submits the studio's evidence.
func (s *Adapter) SubmitEvidence(ctx context.Context, in processor.EvidenceSubmission) (processor.Dispute, error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "submit evidence"
	if err := mustKey(op, in.Key); err != nil {
		return processor.Dispute{}, err
	}
	w := in.Words
	d, err := s.api.Disputes.Update(in.Dispute, &stripe.DisputeParams{
		Params: call(ctx, in.Account, in.Key),
		Evidence: &stripe.DisputeEvidenceParams{
			ProductDescription: text(w.Product), CustomerName: text(w.CustomerName), CustomerEmailAddress: text(w.CustomerEmail),
			CustomerPurchaseIP: text(w.CustomerIP), ServiceDate: text(w.ServiceDate), AccessActivityLog: text(w.Attendance),
			CancellationPolicyDisclosure: text(w.Policy), RefundRefusalExplanation: text(w.Refusal), UncategorizedText: text(w.Other),
		},
		Submit: stripe.Bool(true),
	})
	if err != nil {
		return processor.Dispute{}, failed(op, err)
	}
	return dispute(op, d)
}

// ListDisputes reads a page of an account's disputes.
func (s *Adapter) ListDisputes(ctx context.Context, in processor.List) (processor.Listed[processor.Dispute], error) {
	ctx, cancel := context.WithTimeout(ctx, s.patience)
	defer cancel()
	const op = "list disputes"
	params := &stripe.DisputeListParams{}
	params.ListParams, params.CreatedRange = page(ctx, in)
	found := s.api.Disputes.List(params)
	var out processor.Listed[processor.Dispute]
	for found.Next() {
		d, err := dispute(op, found.Dispute())
		if err != nil {
			return processor.Listed[processor.Dispute]{}, err
		}
		out.Items = append(out.Items, d)
	}
	if err := found.Err(); err != nil {
		return processor.Listed[processor.Dispute]{}, failed(op, err)
	}
	out.More = found.Meta().HasMore
	return out, nil
}

func dispute(op string, d *stripe.Dispute) (processor.Dispute, error) {
	status := processor.DisputeStatus(d.Status) // the names are Stripe's
	if !slices.Contains(status.All(), status) {
		return processor.Dispute{}, unreadable(op, fmt.Errorf("dispute status %q is unknown", d.Status))
	}
	amount, currency, err := sum(d.Amount, d.Currency)
	if err != nil {
		return processor.Dispute{}, unreadable(op, err)
	}
	out := processor.Dispute{
		ID: d.ID, Amount: amount, Currency: currency, Status: status, Reason: string(d.Reason), CreatedAt: time.Unix(d.Created, 0).UTC(),
	}
	if d.Charge != nil {
		out.ChargeID = d.Charge.ID
	}
	if d.PaymentIntent != nil {
		out.PaymentID = d.PaymentIntent.ID
	}
	if e := d.EvidenceDetails; e != nil {
		out.EvidenceSubmitted = e.SubmissionCount > 0
		if e.DueBy != 0 {
			out.EvidenceDueBy = time.Unix(e.DueBy, 0).UTC()
		}
	}
	for _, b := range d.BalanceTransactions {
		moved, err := settlement(b)
		if err != nil {
			return processor.Dispute{}, unreadable(op, err)
		}
		if moved != nil {
			out.Settlements = append(out.Settlements, *moved)
		}
	}
	return out, nil
}
