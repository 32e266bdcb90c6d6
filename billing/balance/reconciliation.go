package balance

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/billing"
	"foyer/billing/processor"
	"foyer/policy"
)

// Reconciliation compares the books with the processor's balance for one account and currency, as of the last time.
// Three figures have to be equal: the processor's balance in the books, the sum of all stored balance transactions,
// and the balance that the processor reports.
type Reconciliation struct {
	AccountID  string `db:"account"`
	Currency   money.Currency
	Books      int64 // clearing.processor, without Underway
	Underway   int64 // sold within two days, and not on the processor's balance yet
	Recorded   int64 // the net of all stored balance transactions, without held ones
	Held       int64 // held by the processor: the studio's, and not on its balance
	Balance    int64 // at the processor: available and pending
	Difference int64 // Balance + Held - Books; 0 if they are equal
	CheckedAt  time.Time
}

// Reconciled reports whether all figures are equal.
func (t Reconciliation) Reconciled() bool { return t.Difference == 0 && t.Recorded == t.Books }

// Reconciliations are those of a business's accounts, with possible causes of a difference.
type Reconciliations struct {
	Items         []Reconciliation
	Unmatched     []Transaction // not in the books: the oldest first, unmatchedMost at most
	ListedThrough time.Time     // all until then is stored; zero: an account was never listed fully
}

// unmatchedMost is the number of balance transactions that a report lists: more than these have one cause.
const unmatchedMost = 100

// Reconciliations returns the last reconciliations of the books with the processor's balance. They are made every
// night, and soon after a balance transaction without a sale or a refund. It needs payment.view without a limit, in
// the whole business.
func (s *Service) Reconciliations(ctx context.Context, sc tenancy.Scope) (Reconciliations, error) {
	if err := policy.RequireFull(sc, policy.PaymentView); err != nil {
		return Reconciliations{}, err
	}
	if s.processor == nil {
		return Reconciliations{}, nil
	}
	v := s.db.View(sc.Tenant)
	through, err := billing.ListedThrough(ctx, v, s.billing.Env())
	if err != nil {
		return Reconciliations{}, err
	}
	items, unmatched, err := readReconciliations(ctx, v, s.billing.Env())
	return Reconciliations{Items: items, Unmatched: unmatched, ListedThrough: through}, err
}

const (
	reconcileTries   = 3
	reconcileOverlap = 5 * time.Minute    // the processor's clock need not be ours
	underwayWithin   = 2 * 24 * time.Hour // a sale that the processor has not booked by then is a difference
)

// reconcile compares the books with the balance. If new balance transactions have come meanwhile, they are booked,
// and the balance is read again.
func (s *Service) reconcile(ctx context.Context, business uuid.UUID, account string, begun time.Time) error {
	for try := 1; ; try++ {
		balances, err := s.processor.Balance(ctx, account)
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
		return s.saveReconciliation(ctx, business, account, balances)
	}
}

func (s *Service) saveReconciliation(
	ctx context.Context, business uuid.UUID, account string, balances []processor.Balance,
) error {
	found, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) ([]Reconciliation, error) {
		return saveReconciliations(ctx, tx, s.billing.Env(), account, balances)
	})
	for _, t := range found {
		if !t.Reconciled() {
			s.log.Error("the books differ from the processor's balance", "business", business, "account", account, "currency", t.Currency,
				"books", t.Books, "kept", t.Recorded, "balance", t.Balance, "held", t.Held, "difference", t.Difference)
		}
	}
	return err
}
