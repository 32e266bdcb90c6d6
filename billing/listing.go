package billing

import (
	"context"
	"errors"
	"hash/fnv"
	"time"

	"github.com/google/uuid"

	"foyer/app/pg"
)

// When an account is listed. Each has its own time of the night, in hours of UTC, so that they are not all asked for at once.
const (
	nightBegins  = 1 * time.Hour
	nightLasts   = 4 * time.Hour
	listAgain    = time.Hour          // after a try that failed or was cut off
	listSoon     = 10 * time.Second   // after an event that tells of something which is only listed
	listOverlap  = 2 * 24 * time.Hour // is read again each time: what the processor wrote late is found
	listingsMost = 20                 // in one round
)

// nextListing is the next time in a night that is an account's.
func nextListing(account string, now time.Time) time.Time {
	h := fnv.New32a()
	_, _ = h.Write([]byte(account)) // it never fails
	into := time.Duration(h.Sum32()%uint32(nightLasts/time.Second)) * time.Second
	own := now.UTC().Truncate(24 * time.Hour).Add(nightBegins + into)
	if !own.After(now) {
		own = own.Add(24 * time.Hour)
	}
	return own
}

// ListingsDue is the sweep billing.listings: of every account whose time has come it lists what happened on its balance since the last
// time, its payouts and its disputes, keeps what it did not know, writes it into the books, and holds the books against the balance
// (Reconcile). So no lost event loses anything for longer than a night. The next time is set before, so several processes share the work
// and a crash loses none; one account's failure does not keep the others from being listed.
func (s *Service) ListingsDue(ctx context.Context) error {
	if s.processor == nil {
		return nil
	}
	due, err := dueListings(ctx, s.db, listingsMost)
	for _, d := range due {
		if failed := s.listDue(ctx, d.BusinessID, d.ID); failed != nil {
			err = errors.Join(err, failed)
			if ctx.Err() != nil { // the process ends, and the next round goes on
				return err
			}
			s.log.Warn("what happened on an account could not be listed", "business", d.BusinessID, "listing", d.ID, "error", failed)
		}
	}
	return err
}

// listDue lists one account whose time has come.
func (s *Service) listDue(ctx context.Context, business, id uuid.UUID) error {
	type claimed struct {
		Listing listing
		Mine    bool
	}
	c, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (claimed, error) {
		l, found, err := claimListing(ctx, tx, id, tx.Now().Add(listAgain))
		return claimed{l, found && l.Env == s.Env()}, err
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
	case errors.Is(err, ErrAccountDisconnected): // nothing can be asked any more; a new connection goes on
		err, next = nil, time.Time{}
	case err == nil:
		next = nextListing(c.Listing.AccountID, begun)
	}
	return errors.Join(err, s.endListing(ctx, business, c.Listing, through, next))
}

func (s *Service) endListing(ctx context.Context, business uuid.UUID, l listing, through, next time.Time) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return saveListing(ctx, tx, l, through, next) })
}

// list asks for everything since the last listing, and a little before. What has come is kept page by page, so a failure in the middle
// loses nothing, and what cannot be booked does not keep the rest from being booked. complete says that everything is kept, whatever
// became of it.
func (s *Service) list(ctx context.Context, business uuid.UUID, l listing, begun time.Time) (complete bool, err error) {
	if begun.Sub(l.ListedThrough) > accountReadAfter {
		if err := s.readAccount(ctx, business, l.AccountID); err != nil {
			return false, err
		}
		if err := s.domainAgain(ctx, business, l.AccountID); err != nil && ctx.Err() == nil {
			s.log.Warn("the domain of the pages could not be looked at again", "business", business, "account", l.AccountID, "error", err)
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
	if err := s.listDisputes(ctx, business, l.AccountID, from, seen); err != nil {
		return false, err
	}
	unclear := errors.Join(s.feesAskedBack(ctx, business, l.AccountID), s.answersWaiting(ctx, business, l.AccountID), s.book(ctx, business, l.AccountID))
	return true, errors.Join(unclear, s.reconcile(ctx, business, l.AccountID, begun))
}

// accountReadAfter is how old a listing is before the account itself is read with the next: once a night.
const accountReadAfter = 12 * time.Hour

// readAccount reads the account of a listing, if it is still the business's own.
func (s *Service) readAccount(ctx context.Context, business uuid.UUID, account string) error {
	c, err := s.connection(ctx, s.db.View(business))
	if err != nil || c.AccountID != account {
		return err
	}
	_, err = s.refresh(ctx, business)
	return err
}

// sources are what was read at the processor in this listing (true), and what has to be (false), by its id there.
type sources map[string]bool

func (s sources) ask(id string) {
	if _, known := s[id]; !known && id != "" {
		s[id] = false
	}
}

// listTransactions keeps the balance transactions of an account since a time, and returns how many were not known.
func (s *Service) listTransactions(ctx context.Context, business uuid.UUID, account string, from time.Time, seen sources) (int, error) {
	in, n := BalanceList{List: List{Account: account, Since: from}}, 0
	for {
		page, err := s.processor.ListBalance(ctx, in)
		if err != nil {
			return n, err
		}
		if len(page.Items) == 0 {
			return n, nil
		}
		news, err := pg.InTx(ctx, s.db, business, func(tx *pg.Tx) ([]fresh, error) {
			return saveTransactions(ctx, tx, s.Env(), account, page.Items)
		})
		if err != nil {
			return n, err
		}
		n += len(news)
		for _, m := range news { // a payout or a dispute of long ago that moved again
			switch m.Category {
			case CategoryPayout, CategoryPayoutReversal, CategoryDispute, CategoryDisputeReversal:
				seen.ask(m.Source)
			}
		}
		if !page.More {
			return n, nil
		}
		in.After = page.Items[len(page.Items)-1].ID
	}
}

// wake has an account listed soon, because something happened there of which only a list tells.
func (s *Service) wake(ctx context.Context, business uuid.UUID, account string) error {
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return wakeListing(ctx, tx, s.Env(), account, tx.Now().Add(listSoon)) })
}
