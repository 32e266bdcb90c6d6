package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
)

// Reconciliation is how the books were held against what the processor says, the last time, for one account and currency. Three figures have
// to be one: what the books say that the processor holds, the sum of everything that is known to have happened there, and what the
// processor says itself.
type Reconciliation struct {
	AccountID  string `db:"account"`
	Currency   money.Currency
	Books      int64 // clearing.processor, without what is underway
	Underway   int64 // sold within two days, and not on the processor's balance yet
	Recorded   int64 // the net of all movements that are known, without what is held
	Held       int64 // put aside by the processor: the studio's, and not on its balance
	Balance    int64 // at the processor: available and pending
	Difference int64 // Balance + Held - Books; 0 when they agree
	CheckedAt  time.Time
}

// Agrees reports whether all figures are one.
func (t Reconciliation) Agrees() bool { return t.Difference == 0 && t.Recorded == t.Books }

// Reconciliations are those of a business's accounts, with what may explain a difference.
type Reconciliations struct {
	Items         []Reconciliation
	Unmatched     []BalanceTransaction // not in the books: the oldest first, unmatchedMost at most
	ListedThrough time.Time            // up to when everything is known; zero while an account was never listed to the end
}

// unmatchedMost is how many movements a report lists: who has more has one reason for them.
const unmatchedMost = 100

// Reconciliations returns how the books were last held against the processor's balance. That is done every night, and soon after money moved
// otherwise than by a sale or a refund. It needs payment.view without a limit, in the whole business.
func (s *Service) Reconciliations(ctx context.Context, sc tenancy.Scope) (Reconciliations, error) {
	if err := mayView(sc); err != nil {
		return Reconciliations{}, err
	}
	if s.processor == nil {
		return Reconciliations{}, nil
	}
	v := s.db.View(sc.Tenant)
	through, err := listedThrough(ctx, v, s.Env())
	if err != nil {
		return Reconciliations{}, err
	}
	items, unmatched, err := readReconciliations(ctx, v, s.Env())
	return Reconciliations{Items: items, Unmatched: unmatched, ListedThrough: through}, err
}

const (
	reconcileTries   = 3
	reconcileOverlap = 5 * time.Minute    // the processor's clock need not be ours
	underwayWithin   = 2 * 24 * time.Hour // a sale that the processor has not booked by then is a difference
)

// reconcile holds the books against the balance. Money moves meanwhile: when something came that was not known, it is booked, and the
// balance is asked for again.
func (s *Service) reconcile(ctx context.Context, business uuid.UUID, account string, begun time.Time) error {
	for try := 1; ; try++ {
		held, err := s.processor.Balance(ctx, account)
		if err != nil {
			return err
		}
		news, err := s.listTransactions(ctx, business, account, begun.Add(-reconcileOverlap), sources{})
		if err != nil {
			return err
		}
		if news > 0 && try < reconcileTries {
			if err := s.book(ctx, business, account); err != nil {
				return err
			}
			continue
		}
		return s.saveReconciliation(ctx, business, account, held)
	}
}

func (s *Service) saveReconciliation(ctx context.Context, business uuid.UUID, account string, held []Held) error {
	found, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) ([]Reconciliation, error) { return saveReconciliations(ctx, tx, s.Env(), account, held) })
	for _, t := range found {
		if !t.Agrees() {
			s.log.Error("the books do not say what the processor holds", "business", business, "account", account, "currency", t.Currency,
				"books", t.Books, "kept", t.Recorded, "balance", t.Balance, "held", t.Held, "difference", t.Difference)
		}
	}
	return err
}
