package balance

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/money"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/ledger"
	"foyer/billing/processor"
)

// bookAtOnce is the number of balance transactions that one transaction books.
const bookAtOnce = 200

// unmatchedWatched is the time during which an unmatched balance transaction is tried again.
const unmatchedWatched = 30 * 24 * time.Hour

// book books the balance transactions of an account that are not in the books: from their own figures, or, for a
// payment of ours, by reading that again, as its lost event would have made us do. Every entry has the id of the
// balance transaction, payment or refund as its key, so a second run, or two at once, write nothing more. One that
// cannot be booked does not stop the others; the error is returned.
func (s *Service) book(ctx context.Context, business uuid.UUID, account string) error {
	if err := s.markFound(ctx, business, account); err != nil {
		return err
	}
	var unclear error
	var last Transaction
	for {
		v := s.db.View(business)
		rows, err := unbooked(ctx, v, s.billing.Env(), account, v.Now().Add(-unmatchedWatched), last, bookAtOnce)
		if err != nil || len(rows) == 0 {
			return errors.Join(unclear, err)
		}
		last = rows[len(rows)-1]
		var plain []Transaction
		for _, m := range rows {
			if !m.ours() {
				plain = append(plain, m)
				continue
			}
			if err := s.bookOurs(ctx, business, account, m); err != nil {
				unclear = errors.Join(unclear, err)
				if ctx.Err() != nil { // the process ends, and the next round goes on
					return unclear
				}
				s.log.Warn("a balance transaction could not be booked", "business", business, "balance_transaction", m.ExternalID, "error", err)
			}
		}
		if err := s.bookPlain(ctx, business, plain); err != nil {
			return errors.Join(unclear, err)
		}
	}
}

func (s *Service) markFound(ctx context.Context, business uuid.UUID, account string) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		b := tx.Batch()
		markFound(b, tx, s.billing.Env(), account)
		return b.Commit(ctx)
	})
}

// bookPlain books balance transactions from their own figures.
func (s *Service) bookPlain(ctx context.Context, business uuid.UUID, all []Transaction) error {
	if len(all) == 0 {
		return nil
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		homes := map[money.Currency]uuid.UUID{}
		entries := map[uuid.UUID][]ledger.Entry{} // by location
		var order, booked, held []uuid.UUID
		for _, m := range all {
			at := m.LocationID
			if at == uuid.Nil {
				var err error
				if at, err = s.home(ctx, tx, homes, m.Currency); err != nil {
					return err
				}
			}
			if m.Category == processor.CategoryHeld {
				held = append(held, m.ID)
				continue
			}
			if m.Category == processor.CategoryOther {
				s.log.Error("balance transaction of an unknown category", "business", business,
					"balance_transaction", m.ExternalID, "type", m.Type, "amount", m.Net, "currency", m.Currency)
			}
			if _, known := entries[at]; !known {
				order = append(order, at)
			}
			entries[at] = append(entries[at], m.entries(m.place(at))...)
			booked = append(booked, m.ID)
		}
		b := tx.Batch()
		markTransactions(b, tx, booked, TransactionBooked)
		markTransactions(b, tx, held, TransactionHeld)
		for _, at := range order {
			if err := ledger.PostIn(b, tx, entries[at]...); err != nil {
				return err
			}
		}
		return b.Commit(ctx)
	})
}

func (m Transaction) place(location uuid.UUID) ledger.Context {
	return ledger.Context{LocationID: location, Currency: m.Currency, At: m.HappenedAt}
}

// home is homeOf, read once for each currency.
func (s *Service) home(ctx context.Context, tx *pg.Tx, known map[money.Currency]uuid.UUID, c money.Currency) (uuid.UUID, error) {
	if at, ok := known[c]; ok {
		return at, nil
	}
	at, err := homeOf(ctx, tx, c)
	known[c] = at
	return at, err
}

// bookOurs reads the payment or refund of a balance transaction again, and so books it. If that has other figures,
// the balance transaction stays unmatched.
func (s *Service) bookOurs(ctx context.Context, business uuid.UUID, account string, m Transaction) error {
	var err error
	switch m.Category {
	case processor.CategoryCharge, processor.CategoryChargeFailure:
		err = s.billing.ReadIntent(ctx, business, account, m.IntentID)
	default:
		err = s.billing.ReadRefund(ctx, business, account, m.Source)
	}
	if err != nil && !processor.Gone(err) && !errors.Is(err, billing.ErrMismatch) { // these two do not change by asking again
		return err
	}
	matched, err := isMatched(ctx, s.db.View(business), m)
	if err != nil {
		return err
	}
	if !matched && m.State != TransactionUnmatched {
		s.log.Error("a balance transaction does not match its payment", "business", business, "payment", m.PaymentID,
			"balance_transaction", m.ExternalID, "type", m.Type, "amount", m.Gross, "currency", m.Currency)
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error {
		b := tx.Batch()
		if !matched {
			markTransactions(b, tx, []uuid.UUID{m.ID}, TransactionUnmatched)
			return b.Commit(ctx)
		}
		markTransactions(b, tx, []uuid.UUID{m.ID}, TransactionBooked)
		if err := ledger.PostIn(b, tx, m.entries(m.place(m.LocationID))...); err != nil { // fees: already there
			return err
		}
		return b.Commit(ctx)
	})
}
