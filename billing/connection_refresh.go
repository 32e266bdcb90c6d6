package billing

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/pg"
	"foyer/app/tenancy"
	"foyer/policy"
)

// Refresh reads the account at the processor and keeps what it finds: on the return from onboarding, which proves
// nothing by itself, and whenever somebody asks. It needs business.manage.
func (s *Service) Refresh(ctx context.Context, sc tenancy.Scope) (Connection, error) {
	if err := policy.Require(sc, policy.BusinessManage); err != nil {
		return Connection{}, err
	}
	return s.refresh(ctx, sc.Tenant)
}

// refreshTries bounds how often a refresh starts again because another one wrote in between.
const refreshTries = 3

// refresh reads and writes. Of two at once the one that read first must not write last, so a write only replaces the row
// that was there before the reading.
func (s *Service) refresh(ctx context.Context, business uuid.UUID) (Connection, error) {
	for try := 1; ; try++ {
		before, err := s.connection(ctx, s.db.View(business))
		if err != nil || before.AccountID == "" {
			return before, err
		}
		a, err := s.processor.GetAccount(ctx, before.AccountID)
		if err != nil {
			return Connection{}, err
		}
		type kept struct {
			Connection Connection
			Saved      bool
		}
		k, err := pg.InTx(pg.WithoutClaim(ctx), s.db, business, func(tx *pg.Tx) (kept, error) {
			c, saved, err := saveAccount(ctx, tx, before, a)
			return kept{c, saved}, err
		})
		if err != nil || k.Saved {
			return k.Connection, err
		}
		if try == refreshTries {
			return s.connection(ctx, s.db.View(business))
		}
	}
}

// AccountJob reads a business's account again, because a payment was refused for a reason that may lie there.
type AccountJob struct {
	Business uuid.UUID `json:"business"`
}

// Kind names the job in the outbox.
func (AccountJob) Kind() string { return "billing.account" }

// RefreshAccount is the job billing.account.
func (s *Service) RefreshAccount(ctx context.Context, job AccountJob) error {
	if s.processor == nil {
		return nil
	}
	_, err := s.refresh(ctx, job.Business)
	return err
}
