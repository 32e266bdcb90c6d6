package balance

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

const (
	listAgain    = time.Hour          // after a try that failed or was cut off
	listOverlap  = 2 * 24 * time.Hour // is read again each time, to find late entries of the processor
	listingsMost = 20                 // in one round
)

// ListingsDue is the sweep balance.listings. For every account due it lists the balance transactions since the last
// time, the payouts and the disputes, stores the new ones, books them, and reconciles the books with the balance. So
// a lost event loses nothing for longer than a night. The next time is set before, so several processes share the
// work and a crash loses none; one account's failure does not stop the others.
func (s *Service) ListingsDue(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := billing.DueListings(ctx, s.db, listingsMost)
	for _, d := range due {
		if failed := s.listDue(ctx, d.BusinessID, d.ID); failed != nil {
			err = errors.Join(err, failed)
			if ctx.Err() != nil { // the process ends, and the next round goes on
				return err
			}
			s.log.Warn("could not list an account", "business", d.BusinessID, "listing", d.ID, "error", failed)
		}
	}
	return err
}

// listDue lists one account that is due.
func (s *Service) listDue(ctx context.Context, business, id uuid.UUID) error {
	type claimed struct {
		Listing billing.Listing
		Mine    bool
	}
	c, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (claimed, error) {
		l, found, err := billing.ClaimListing(ctx, tx, id, tx.Now().Add(listAgain))
		return claimed{l, found && l.Env == s.billing.Env()}, err
	})
	if err != nil || !c.Mine {
		return err
	}
	begun := s.db.Clock().Now()
	complete, err := s.list(ctx, business, c.Listing, begun)
	through, next := c.Listing.ListedThrough, c.Listing.DueAt
	if complete {
		through = begun
	}
	switch {
	case errors.Is(err, processor.ErrAccountDisconnected): // no call is possible any more; a new connection goes on
		err, next = nil, time.Time{}
	case err == nil:
		next = billing.NextListing(c.Listing.AccountID, begun)
	}
	return errors.Join(err, s.endListing(ctx, business, c.Listing, through, next))
}

func (s *Service) endListing(ctx context.Context, business uuid.UUID, l billing.Listing, through, next time.Time) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return billing.SaveListing(ctx, tx, l, through, next) })
}

// list reads everything since the last listing, and a little before. It stores page by page, so a failure in the
// middle loses nothing, and a transaction that cannot be booked does not stop the others. complete reports whether
// everything is stored, booked or not.
func (s *Service) list(ctx context.Context, business uuid.UUID, l billing.Listing, begun time.Time) (complete bool, err error) {
	if begun.Sub(l.ListedThrough) > accountReadAfter {
		if err := s.billing.ReadListed(ctx, business, l.AccountID); err != nil {
			return false, err
		}
	}
	from := l.ListedThrough
	if !from.IsZero() {
		from = from.Add(-listOverlap)
	}
	seen := sources{}
	if _, err := s.listTransactions(ctx, business, l.AccountID, from, seen); err != nil {
		return false, err
	}
	if err := s.listPayouts(ctx, business, l.AccountID, from, seen); err != nil {
		return false, err
	}
	moved, err := sourcesOf(ctx, s.db.View(business), s.billing.Env(), l.AccountID, seen,
		processor.CategoryDispute, processor.CategoryDisputeReversal)
	if err == nil {
		err = s.dispute.ReadAccount(ctx, business, l.AccountID, from, moved)
	}
	if err != nil {
		return false, err
	}
	unclear := errors.Join(
		s.billing.ResumeFeeRefunds(ctx, business, l.AccountID), s.dispute.Resume(ctx, business, l.AccountID),
		s.book(ctx, business, l.AccountID))
	return true, errors.Join(unclear, s.reconcile(ctx, business, l.AccountID, begun))
}

// accountReadAfter is the age of a listing from which the account itself is read with the next: once a night.
const accountReadAfter = 12 * time.Hour

// sources are the processor's ids that this listing has read (true) or has to read (false).
type sources map[string]bool

func (s sources) ask(id string) {
	if _, known := s[id]; !known && id != "" {
		s[id] = false
	}
}

// listTransactions stores the balance transactions of an account since a time, and returns the number of new ones.
func (s *Service) listTransactions(ctx context.Context, business uuid.UUID, account string, from time.Time, seen sources) (int, error) {
	in, n := processor.BalanceList{List: processor.List{Account: account, Since: from}}, 0
	for {
		page, err := s.processor.ListBalance(ctx, in)
		if err != nil {
			return n, err
		}
		if len(page.Items) == 0 {
			return n, nil
		}
		news, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) ([]fresh, error) {
			return saveTransactions(ctx, tx, s.billing.Env(), account, page.Items)
		})
		if err != nil {
			return n, err
		}
		n += len(news)
		for _, m := range news { // an old payout or dispute with a new balance transaction
			switch m.Category {
			case processor.CategoryPayout, processor.CategoryPayoutReversal,
				processor.CategoryDispute, processor.CategoryDisputeReversal:
				seen.ask(m.Source)
			}
		}
		if !page.More {
			return n, nil
		}
		in.After = page.Items[len(page.Items)-1].ID
	}
}
