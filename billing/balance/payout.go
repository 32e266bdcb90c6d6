package balance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Payout is a payout to the studio's bank account, as it was last read at the processor.
type Payout struct {
	ID             uuid.UUID
	ExternalID     string // the processor's
	Amount         int64  // negative when the bank account is debited
	Currency       money.Currency
	Status         processor.PayoutStatus
	ArrivesOn      time.Time // a calendar date, at midnight UTC: it is in no zone
	Automatic      bool      // on the account's schedule; a manual one has no known lines
	FailureCode    string
	FailureMessage string // the processor's words
	Env            processor.Env
	AccountID      string `db:"account"`
	HappenedAt     time.Time
	ListedAt       time.Time `db:",null"` // when all its lines were known; zero before
}

// Test reports whether no real money is involved.
func (p Payout) Test() bool { return p.Env != processor.EnvLive }

// payoutWatched is the time during which an unfinished payout is read again: a paid one can come back within days.
const payoutWatched = 30 * 24 * time.Hour

// listPayouts stores the payouts of an account since a time, those with new balance transactions, and the lines of
// each.
func (s *Service) listPayouts(ctx context.Context, business uuid.UUID, account string, from time.Time, seen sources) error {
	in := processor.List{Account: account, Since: from}
	for {
		page, err := s.processor.ListPayouts(ctx, in)
		if err != nil {
			return err
		}
		for _, p := range page.Items {
			seen[p.ID] = true
			if err := s.keepPayout(ctx, business, account, p); err != nil {
				return err
			}
		}
		if !page.More || len(page.Items) == 0 {
			break
		}
		in.After = page.Items[len(page.Items)-1].ID
	}
	v := s.db.View(business)
	open, err := openPayouts(ctx, v, s.billing.Env(), account, v.Now().Add(-payoutWatched))
	if err != nil {
		return err
	}
	moved, err := movedPayouts(ctx, v, s.billing.Env(), account, seen)
	if err != nil {
		return err
	}
	for _, id := range append(open, moved...) {
		if seen[id] {
			continue
		}
		seen[id] = true
		if err := s.ReadPayout(ctx, business, account, id); err != nil {
			return err
		}
	}
	return nil
}

// ReadPayout reads a payout at the processor and stores it.
func (s *Service) ReadPayout(ctx context.Context, business uuid.UUID, account, id string) error {
	p, err := s.processor.GetPayout(ctx, account, id)
	if processor.Gone(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return s.keepPayout(ctx, business, account, p)
}

// keepPayout stores the state of a payout, and its lines once the processor's list of them is complete.
func (s *Service) keepPayout(ctx context.Context, business uuid.UUID, account string, p processor.Payout) error {
	listed, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (bool, error) { return savePayout(ctx, tx, s.billing.Env(), account, p) })
	if err != nil || listed || !p.Automatic || !p.Complete {
		return err
	}
	in := processor.BalanceList{List: processor.List{Account: account}, Payout: p.ID}
	for {
		page, err := s.processor.ListBalance(ctx, in)
		if err != nil {
			return err
		}
		err = pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
			if len(page.Items) == 0 {
				return nil
			}
			if _, err := saveTransactions(ctx, tx, s.billing.Env(), account, page.Items); err != nil {
				return err
			}
			ids := make([]string, len(page.Items))
			for i, m := range page.Items {
				ids[i] = m.ID
			}
			b := tx.Batch()
			payoutOf(b, tx, s.billing.Env(), account, p.ID, ids)
			return b.Commit(ctx)
		})
		if err != nil {
			return err
		}
		if !page.More || len(page.Items) == 0 {
			break
		}
		in.After = page.Items[len(page.Items)-1].ID
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return markListed(ctx, tx, s.billing.Env(), account, p.ID) })
}
