package billing

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// ReasonExternal is the reason of a refund that the studio made on the processor's website.
const ReasonExternal RefundReason = "external"

// takeRefund stores the processor's state of a refund: one of ours, or one that the studio made on the processor's
// website from a payment of ours, stored from now on. It reports whether it is either.
func (s *Service) takeRefund(ctx context.Context, business uuid.UUID, account string, got processor.Refund) (bool, error) {
	v := s.db.View(business)
	id, ours, err := refundOfExternal(ctx, v, account, got)
	if err == nil && !ours {
		id, ours, err = s.importRefund(ctx, business, account, got)
	}
	if err != nil || !ours {
		return false, err
	}
	return true, s.keepRefund(ctx, business, id, got)
}

// importRefund stores a refund that the studio made on the processor's website. It names no lines, so it is spread
// over the refundable parts of the payment, by largest remainder; the platform's share of it is refunded by itself
// (feeOfExternalTx). found is false if it belongs to no payment of ours, or has no effect.
func (s *Service) importRefund(ctx context.Context, business uuid.UUID, account string, got processor.Refund) (id uuid.UUID, found bool, err error) {
	if got.PaymentID == "" || got.Settlement == nil && (got.Status == processor.RefundFailed || got.Status == processor.RefundCanceled) {
		return uuid.Nil, false, nil
	}
	p, ours, err := paymentOfIntent(ctx, s.db.View(business), s.Env(), processor.Intent{ID: got.PaymentID, Account: account})
	if err != nil || !ours {
		return uuid.Nil, false, err
	}
	if !p.Done() { // a paid payment is refunded, and its success was not reported
		if p, err = s.reread(ctx, business, p); err != nil {
			return uuid.Nil, false, err
		}
	}
	if p.Status != processor.StatusSucceeded {
		return uuid.Nil, false, nil
	}
	keep := func(known bool) (RefundRequest, error) {
		return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (RefundRequest, error) { return s.importTx(ctx, tx, p.ID, got, known) })
	}
	r, err := keep(false)
	if errors.Is(err, errAboveRefundable) {
		if err = s.rereadRefunds(ctx, business, p); err == nil {
			r, err = keep(true)
		}
	}
	if err == nil && r.Reason == ReasonExternal {
		s.log.Info("a refund was made on the processor's website", "business", business, "payment", p.ID, "refund", r.ID, "amount", r.Amount)
	}
	return r.ID, err == nil, err
}

// errAboveRefundable: the refund exceeds the refundable amount here. One of the refunds before it may have failed
// without a report: then that much more is refundable.
var errAboveRefundable = errors.New("billing: the refund exceeds the refundable amount")

// rereadRefunds reads the stored refunds of a payment again.
func (s *Service) rereadRefunds(ctx context.Context, business uuid.UUID, p Payment) error {
	all, err := s.processor.ListRefunds(ctx, p.AccountID, p.IntentID)
	if err != nil {
		return err
	}
	for _, got := range all {
		id, ours, err := refundOfExternal(ctx, s.db.View(business), p.AccountID, got)
		if err == nil && ours {
			err = s.keepRefund(ctx, business, id, got)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// importTx is importRefund of a paid payment. If the refunds before leave too little it returns errAboveRefundable,
// unless their states are known.
func (s *Service) importTx(ctx context.Context, tx *pg.Tx, payment uuid.UUID, got processor.Refund, known bool) (RefundRequest, error) {
	p, err := lockPayment(ctx, tx, payment)
	if err != nil {
		return RefundRequest{}, err
	}
	sold, earlier, err := s.soldAndRefunds(ctx, tx, p)
	if err != nil {
		return RefundRequest{}, err
	}
	for _, r := range earlier {
		if r.ExternalID == got.ID { // another call was faster
			return r, nil
		}
	}
	left := RefundableParts(sold, earlier)
	switch {
	case tender.Sum(left) >= got.Amount:
	case !known:
		return RefundRequest{}, errAboveRefundable
	default:
		// The requests exceed the payment: the processor will refuse those it has not done, and refunds as credit are
		// unknown to it.
		for _, r := range earlier {
			if r.State == RequestSucceeded && r.ExternalID == "" && r.Amount == got.Amount && r.Destination == ToOriginal {
				return r, nil // all of it was refunded, by a refund unknown until now: this one
			}
		}
		left = RefundableParts(sold, slices.DeleteFunc(slices.Clone(earlier), func(r RefundRequest) bool { return r.ExternalID == "" }))
	}
	gifts, err := s.refundablePurchases(ctx, tx, left)
	if err != nil {
		return RefundRequest{}, err
	}
	r := RefundRequest{
		ID: pg.NewID(), PaymentID: p.ID, Amount: got.Amount, State: RequestSubmitted, Reason: ReasonExternal, Destination: ToOriginal, ExternalID: got.ID,
		Parts: externalParts(left, gifts, min(got.Amount, tender.Sum(left))),
		DueAt: tx.Now().Add(refundFirst), CreatedAt: tx.Now(), UpdatedAt: tx.Now(),
	}
	if err := insertRefund(ctx, tx, r); err != nil {
		return RefundRequest{}, err
	}
	return r, s.returnPurchases(ctx, tx, p.place(tx.Now()), r)
}

// externalParts spreads an amount over refundable parts: what gift cards have paid already comes last.
func externalParts(left []tender.Part, gifts map[uuid.UUID]int64, amount int64) []tender.Part {
	free := within(left, gifts)
	parts := tender.ShareOf(free, min(amount, tender.Sum(free)), nil)
	if amount -= tender.Sum(parts); amount == 0 {
		return parts
	}
	for _, p := range tender.ShareOf(tender.Without(left, parts), amount, nil) {
		i := slices.IndexFunc(parts, func(q tender.Part) bool { return q.Line == p.Line && q.Account == p.Account })
		if i < 0 {
			parts = append(parts, p)
			continue
		}
		parts[i].Amount += p.Amount
	}
	return parts
}

// externalRefund looks for the reason that the processor's refundable amount is smaller than our request: it has this
// request, though its answer was lost, or the studio refunded on the processor's website. Then ours is no longer
// needed, if it was for all of it.
func (s *Service) externalRefund(
	ctx context.Context, business uuid.UUID, r RefundRequest, p Payment,
) (got processor.Refund, found bool, err error) {
	all, err := s.processor.ListRefunds(ctx, p.AccountID, p.IntentID)
	if err != nil {
		if processor.Retryable(err) {
			return processor.Refund{}, false, err
		}
		return processor.Refund{}, false, nil // the refusal stands for itself
	}
	external := false
	for _, o := range all {
		if o.Metadata["refund_id"] == r.ID.String() {
			return o, true, nil
		}
		if _, err := s.takeRefund(ctx, business, p.AccountID, o); err != nil {
			return processor.Refund{}, false, err
		}
		external = external || o.Metadata["refund_id"] == "" && o.Status != processor.RefundFailed && o.Status != processor.RefundCanceled
	}
	if external && r.Amount == p.Amount {
		return processor.Refund{Status: processor.RefundCanceled, Reason: "it was refunded on the processor's own site"}, true, nil
	}
	return processor.Refund{}, false, nil
}

// ReadIntent reads a payment of the processor and applies it to ours.
func (s *Service) ReadIntent(ctx context.Context, business uuid.UUID, account, intent string) error {
	in, err := s.processor.GetPayment(ctx, account, intent)
	if err != nil {
		return err
	}
	p, found, err := paymentOfIntent(ctx, s.db.View(business), s.Env(), in)
	if err != nil || !found {
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// ReadRefund reads a refund of the processor and stores it, including one that the studio made there.
func (s *Service) ReadRefund(ctx context.Context, business uuid.UUID, account, id string) error {
	got, err := s.processor.GetRefund(ctx, account, id)
	if err != nil {
		return err
	}
	_, err = s.takeRefund(ctx, business, account, got)
	return err
}
