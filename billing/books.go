package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/ledger"
	"foyer/billing/processor"
	"foyer/billing/tender"
)

// bookTx stores the changes of a payment that succeeded and books them: the sale, and its fees once the processor
// reports them. was is the payment's locked row, parts are its parts. It ends the transaction, with the queries of
// also.
func (s *Service) bookTx(
	ctx context.Context, tx *pg.Tx, was, p Payment, costs *processor.Settlement, parts []tender.Part, also func(*pg.Batch),
) (Payment, error) {
	if was.BalanceTransaction != "" {
		return was, nil
	}
	b := tx.Batch()
	if !was.Done() {
		savePaymentIn(b, tx, &p)
	}
	entries := []ledger.Entry{ledger.CardSale(p.place(p.SucceededAt), p.ID, postings(parts))}
	if costs != nil && s.fits(tx, p, *costs, p.Amount) {
		p.BalanceTransaction, p.ProcessorFee, p.DueAt = costs.ID, costs.ProcessorFee, time.Time{}
		saveCostsIn(b, tx, &p)
		entries = append(entries, p.fees(*costs, p.SucceededAt))
	}
	if err := ledger.PostIn(b, tx, entries...); err != nil {
		return Payment{}, err
	}
	also(b)
	return p, b.Commit(ctx)
}

// fits reports whether a balance transaction matches an amount of a payment. One that does not is left to a person:
// an account that converts currencies receives another amount than was paid.
func (s *Service) fits(tx *pg.Tx, p Payment, got processor.Settlement, amount int64) bool {
	if got.Currency == p.Currency && got.Gross == amount {
		return true
	}
	s.log.Error("the processor booked another amount than the payment's", "business", tx.Business(), "payment", p.ID,
		"balance_transaction", got.ID, "amount", got.Gross, "currency", got.Currency)
	return false
}

func (p Payment) place(at time.Time) ledger.Context {
	return ledger.Context{LocationID: p.LocationID, Currency: p.Currency, At: at}
}

// fees returns the entry of the fees of a payment's balance transaction.
func (p Payment) fees(got processor.Settlement, at time.Time) ledger.Entry {
	return ledger.Fees(p.place(at), got.ID, got.ProcessorFee, got.PlatformFee)
}

// lookForCosts reads the fees of a payment that succeeded from the processor. A payment that the processor no longer
// has is at least booked.
func (s *Service) lookForCosts(ctx context.Context, business uuid.UUID, p Payment) error {
	in, err := s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	if processor.Gone(err) {
		in, err = processor.Intent{
			ID: p.IntentID, Account: p.AccountID, Status: p.Status, Amount: p.Amount, Fee: p.FeeAmount, Currency: p.Currency,
		}, nil
	}
	if err != nil {
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// bookRefundIn queues the entries of a refund: that it has left the processor's balance, with the fees refunded; and
// that it is there again because the refund failed. Each is written once, whenever it is learned.
func (s *Service) bookRefundIn(b *pg.Batch, tx *pg.Tx, p Payment, r *RefundRequest, got processor.Refund) error {
	at := p.place(tx.Now())
	var entries []ledger.Entry
	switch {
	case got.Settlement != nil && s.fits(tx, p, *got.Settlement, -r.Amount):
		r.BalanceTransaction = got.Settlement.ID
		r.FeeAmount = min(max(-got.Settlement.PlatformFee, 0), r.Amount) // the fee refunded, as the processor booked it
		entries = append(entries, ledger.CardRefund(at, r.ID, postings(r.Parts)), p.fees(*got.Settlement, tx.Now()))
	case r.State == RequestSucceeded && r.ExternalID == "": // all of it is refunded, by an unknown refund
		entries = append(entries, ledger.CardRefund(at, r.ID, postings(r.Parts)))
	}
	if !r.State.Counts() && r.BalanceTransaction != "" {
		entries = append(entries, ledger.RefundFailed(at, r.ID, postings(r.Parts)))
	}
	return ledger.PostIn(b, tx, entries...)
}
