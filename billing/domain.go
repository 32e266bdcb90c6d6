package billing

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Apple Pay is offered only on domains that are registered for the account that is paid. The domain of the hosted
// pages is registered when an account begins to accept cards, and again after a change of it (Options.Domain).
// Nothing else waits for it: cards are typed meanwhile.

// DomainJob registers the domain of the hosted pages for a business's account.
type DomainJob struct {
	Business uuid.UUID `json:"business"`
}

// Kind returns the job's name in the outbox.
func (DomainJob) Kind() string { return "billing.domain" }

// Terms returns the terms of the job's kind.
func (DomainJob) Terms() jobs.Terms { return jobs.Money() }

// wantsDomain reports whether the domain of our pages is not registered yet for wallets.
func (s *Service) wantsDomain(c Connection) bool {
	return s.domain != "" && c.State.TakesCards() && c.WalletDomain != s.domain
}

// domainTx enqueues the registration of the domain for an account that lacks it.
func (s *Service) domainTx(ctx context.Context, tx *pg.Tx, c Connection) error {
	if !s.wantsDomain(c) {
		return nil
	}
	return jobs.EnqueueTx(ctx, tx, DomainJob{Business: tx.Business()})
}

// RegisterDomain is the job billing.domain. The processor's complaint is stored with the account and shown to the
// studio; a night later the domain is tried again (domainAgain). If the processor does not respond, the job retries,
// and after it the next reading of the account.
func (s *Service) RegisterDomain(ctx context.Context, job DomainJob) error {
	if s.processor == nil {
		return nil
	}
	c, err := s.connection(ctx, s.db.View(job.Business))
	if err != nil || !s.wantsDomain(c) {
		return err
	}
	return s.registerDomain(ctx, job.Business, c)
}

// domainAgain tries a domain again on which a wallet was refused.
func (s *Service) domainAgain(ctx context.Context, business uuid.UUID, account string) error {
	c, err := s.connection(ctx, s.db.View(business))
	if err != nil || s.domain == "" || c.AccountID != account || !c.State.TakesCards() || c.WalletTrouble == "" {
		return err
	}
	return s.registerDomain(ctx, business, c)
}

func (s *Service) registerDomain(ctx context.Context, business uuid.UUID, c Connection) error {
	d, err := s.processor.RegisterDomain(ctx, processor.NewDomain{Account: c.AccountID, Name: s.domain, Key: "domain:" + c.AccountID + ":" + s.domain})
	if errors.Is(err, processor.ErrAccountDisconnected) { // the next account is registered when it is connected
		return nil
	}
	if processor.Retryable(err) {
		return err
	}
	if err != nil {
		s.log.Warn("could not register the domain of the pages for wallets", "business", business, "account", c.AccountID, "error", err)
		d.Trouble = refusal(err)
	}
	return pg.Do(ctx, s.db, business, func(tx *pg.Tx) error { return setDomain(ctx, tx, c, s.domain, d.Trouble) })
}

// refusal returns the processor's words.
func refusal(err error) string {
	if e, ok := errors.AsType[*processor.Error](err); ok && e.Detail != "" {
		return e.Detail
	}
	return err.Error()
}
