package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing/ledger"
)

// bookTx keeps what is new about a payment that succeeded and writes it into the books: the sale, and what it cost once the processor
// says so. was is how the payment's locked row stands, parts what it was for. It ends the transaction, with what also queues.
func (s *Service) bookTx(ctx context.Context, tx *pg.Tx, was, p Payment, costs *Settlement, parts []Part, also func(*pg.Batch)) (Payment, error) {
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

// fits reports whether a balance transaction is about an amount of a payment. One that is not is left to a person: what an account
// that converts currencies has been given is not what was paid.
func (s *Service) fits(tx *pg.Tx, p Payment, got Settlement, amount int64) bool {
	if got.Currency == p.Currency && got.Gross == amount {
		return true
	}
	s.log.Error("the processor has booked another amount than was paid", "business", tx.Business(), "payment", p.ID,
		"balance_transaction", got.ID, "amount", got.Gross, "currency", got.Currency)
	return false
}

func (p Payment) place(at time.Time) ledger.Context {
	return ledger.Context{LocationID: p.LocationID, Currency: p.Currency, At: at}
}

// fees are what a balance transaction of the payment took, or gave back.
func (p Payment) fees(got Settlement, at time.Time) ledger.Entry {
	return ledger.Fees(p.place(at), got.ID, got.ProcessorFee, got.PlatformFee)
}

// lookForCosts asks the processor what a payment cost that succeeded. One that it does not know any more is at least in the books.
func (s *Service) lookForCosts(ctx context.Context, business uuid.UUID, p Payment) error {
	in, err := s.processor.GetPayment(ctx, p.AccountID, p.IntentID)
	if gone(err) {
		in, err = Intent{
			ID: p.IntentID, Account: p.AccountID, Status: p.Status, Amount: p.Amount, Fee: p.FeeAmount, Currency: p.Currency,
		}, nil
	}
	if err != nil {
		return err
	}
	_, err = s.Apply(ctx, business, p, in)
	return err
}

// bookRefundIn queues what the processor says about the money of a refund: that it has left its balance, and what of the fees came
// back with it; that it is there again because the refund failed. It is written once each, whenever it is learned.
func (s *Service) bookRefundIn(b *pg.Batch, tx *pg.Tx, p Payment, r *RefundRequest, got Refund) error {
	at := p.place(tx.Now())
	var entries []ledger.Entry
	switch {
	case got.Settlement != nil && s.fits(tx, p, *got.Settlement, -r.Amount):
		r.BalanceTransaction = got.Settlement.ID
		r.FeeAmount = min(max(-got.Settlement.PlatformFee, 0), r.Amount) // what came back of the fee, as the processor booked it
		entries = append(entries, ledger.CardRefund(at, r.ID, postings(r.Parts)), p.fees(*got.Settlement, tx.Now()))
	case r.State == RequestSucceeded && r.ExternalID == "": // all of it is back, and nobody knows by which refund
		entries = append(entries, ledger.CardRefund(at, r.ID, postings(r.Parts)))
	}
	if !r.State.Counts() && r.BalanceTransaction != "" {
		entries = append(entries, ledger.RefundFailed(at, r.ID, postings(r.Parts)))
	}
	return ledger.PostIn(b, tx, entries...)
}
