package booking

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
)

// ExpireDue is the sweep booking.expire: it ends expired holds and releases their seats. It can run in several
// processes at once and any number of times: each skips the holds that another process has locked.
func (s *Service) ExpireDue(ctx context.Context) error {
	for {
		due, found, err := dueHolds(ctx, s.db, HoldsSweep)
		if err != nil {
			return err
		}
		ended := 0
		for business, ids := range due {
			n, failed := s.expire(ctx, business, ids)
			ended += n
			err = errors.Join(err, failed) // the others' seats shall not wait for this one's
		}
		if err != nil || found < HoldsSweep || ended == 0 {
			return err
		}
	}
}

// ExpireAt ends the expired holds with a seat of one of these occurrences, and reports whether there were any. A hold
// past its time is expired for all readers: a caller that finds a time full calls ExpireAt and tries again, and does
// not wait for the sweep. Due rounds of the waitlists there run too: seats that the waitlist leaves are available to
// all customers.
func (s *Service) ExpireAt(ctx context.Context, business uuid.UUID, occurrences []uuid.UUID) (bool, error) {
	ids, err := overdueAt(ctx, s.db.View(business), occurrences)
	if err != nil {
		return false, err
	}
	ended, err := s.expire(ctx, business, ids)
	if err != nil {
		return false, err
	}
	looked, err := s.Ports().RoundsAt(ctx, business, occurrences)
	return ended > 0 || looked, err
}

// ExpireSlots ends the business's expired holds of appointments and rentals, and reports whether there were any. It
// is ExpireAt for a time with a conflict: people and spaces are shared by many times, so all expired holds end.
func (s *Service) ExpireSlots(ctx context.Context, business uuid.UUID) (bool, error) {
	ids, err := overdueIn(ctx, s.db.View(business))
	if err != nil {
		return false, err
	}
	ended, err := s.expire(ctx, business, ids)
	return ended > 0, err
}

// ExpireHolds ends those of these holds that are past their time.
func (s *Service) ExpireHolds(ctx context.Context, business uuid.UUID, ids []uuid.UUID) error {
	_, err := s.expire(ctx, business, ids)
	return err
}

func (s *Service) expire(ctx context.Context, business uuid.UUID, ids []uuid.UUID) (int, error) {
	if len(ids) == 0 {
		return 0, nil
	}
	return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) {
		claimed, err := claimOverdue(ctx, tx, ids)
		if err != nil || len(claimed) == 0 {
			return 0, err
		}
		return len(claimed), endHolds(ctx, tx, tenancy.System(business, tenancy.SurfaceJob), TransitionExpire, claimed...)
	})
}
