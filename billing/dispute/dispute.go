package dispute

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Dispute is a payment that the customer's bank disputes, as it was last read at the processor. Its effect on the
// books comes from its balance transactions (package balance).
type Dispute struct {
	ID            uuid.UUID
	ExternalID    string    // the processor's
	PaymentID     uuid.UUID `db:",null"` // ours; uuid.Nil: a charge made without the product
	OrderID       uuid.UUID `db:",null"` // of that payment
	LocationID    uuid.UUID `db:",null"`
	ChargeID      string    `db:"charge"`
	Amount        int64
	Currency      money.Currency
	Status        processor.DisputeStatus
	Reason        string    // the bank's: fraudulent, product_not_received …
	EvidenceDueBy time.Time `db:",null"` // the deadline for evidence, at the processor; zero if none can be submitted
	Withdrawn     int64     // withdrawn from the studio's balance, now: 0 after it was won
	FeeAmount     int64     // the processor's fee for it, now
	FeeRefunded   int64     // of the platform fee, refunded or about to be, because it was lost
	Env           processor.Env
	AccountID     string `db:"account"`
	HappenedAt    time.Time
	UpdatedAt     time.Time
	SubmittedAt   time.Time `db:",null"` // when the studio submitted evidence here; zero: it has not
	AcceptedAt    time.Time `db:",null"` // when the processor received it
}

// Test reports whether no real money is involved.
func (d Dispute) Test() bool { return d.Env != processor.EnvLive }

// ReadAccount stores the disputes of an account since a time, the undecided ones, and those of ids: with new balance
// transactions.
func (s *Service) ReadAccount(
	ctx context.Context, business uuid.UUID, account string, from time.Time, ids []string,
) error {
	in, seen := processor.List{Account: account, Since: from}, map[string]bool{}
	for {
		page, err := s.processor.ListDisputes(ctx, in)
		if err != nil {
			return err
		}
		for _, d := range page.Items {
			seen[d.ID] = true
			if err := s.keepDispute(ctx, business, account, d); err != nil {
				return err
			}
		}
		if !page.More || len(page.Items) == 0 {
			break
		}
		in.After = page.Items[len(page.Items)-1].ID
	}
	open, err := openDisputes(ctx, s.db.View(business), s.billing.Env(), account)
	if err != nil {
		return err
	}
	for _, id := range append(open, ids...) {
		if seen[id] {
			continue
		}
		seen[id] = true
		if err := s.Read(ctx, business, account, id); err != nil {
			return err
		}
	}
	return nil
}

// Read reads a dispute at the processor and stores it.
func (s *Service) Read(ctx context.Context, business uuid.UUID, account, id string) error {
	d, err := s.processor.GetDispute(ctx, account, id)
	if processor.Gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.keepDispute(ctx, business, account, d)
}

// keepDispute stores the state of a dispute, and notifies the owners of news. A decided dispute stays decided, even
// if an older reading arrives late.
func (s *Service) keepDispute(ctx context.Context, business uuid.UUID, account string, d processor.Dispute) error {
	news, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (News, error) {
		was, found, err := lockOrAddDispute(ctx, tx, s.billing.Env(), account, d)
		if err != nil || was.Status.Over() && !d.Status.Over() {
			return "", err
		}
		news := newsOf(was, found, d, tx.Now())
		if was.Status == processor.DisputeWarningReview &&
			d.Status == processor.DisputeNeedsResponse { // not evidence for this
			if err := reopenEvidence(ctx, tx, was.ID); err != nil {
				return "", err
			}
		}
		if err := saveDispute(ctx, tx, was.ID, d, was.remindNext(d, tx.Now())); err != nil {
			return "", err
		}
		if d.Status == processor.DisputeLost {
			if err := s.feeOfLossTx(ctx, tx, d.ID, account); err != nil {
				return "", err
			}
		}
		return news, tellOfDisputeTx(ctx, tx, was.ID, news)
	})
	if err == nil && news == Opened {
		s.log.Info("a payment is disputed: evidence is due", "business", business, "dispute", d.ID, "status", d.Status, "due", d.EvidenceDueBy)
	}
	return err
}
