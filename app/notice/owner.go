package notice

import (
	"context"
	"slices"
	"time"

	"foyer/billing"
)

// Owner is whom a mail about the studio's money goes to.
type Owner struct {
	To           string
	Name         string // what the studio calls them
	Locale       string
	BusinessName string
	Slug         string // of the business
	Zone         string // IANA, of its first location: the wall clock of the times
	Country      string // of that, two letters; may be empty
}

// DisputeNotice is what a mail says about a payment that a customer's bank wants back.
type DisputeNotice struct {
	Owner
	What     billing.DisputeNews
	Dispute  billing.Dispute
	Customer string // may be empty
	For      string // what was sold, the first of it; empty: a charge that was not made here
}

// AccountNotice is what a mail says about the account at the processor.
type AccountNotice struct {
	Owner
	Account billing.Connection
}

// tells reports whether what a mail would say of a dispute is still so.
func (n DisputeNotice) tells(now time.Time) bool {
	d := n.Dispute
	switch n.What {
	case billing.DisputeOpened:
		return d.Status.Awaits() && d.SubmittedAt.IsZero()
	case billing.DisputeDueSoon:
		return d.Status.Awaits() && d.SubmittedAt.IsZero() && now.Before(d.EvidenceDueBy)
	case billing.DisputeClosed:
		return d.Status.Over()
	}
	return false
}

// MailDispute is the job billing.dispute_notice. The mail is written from the facts as they are now: none is once the studio has answered or
// the bank has decided, but for the one that says so.
func (s *Service) MailDispute(ctx context.Context, job billing.DisputeNoticeJob) error {
	v := s.db.View(job.Business)
	owner, found, err := ownerOf(ctx, v, job.Member)
	if err != nil || !found {
		return err
	}
	n := DisputeNotice{Owner: owner, What: job.What}
	if n.Dispute, err = billing.DisputeOf(ctx, v, job.Dispute); err != nil || !n.tells(v.Now()) {
		return err
	}
	if n.Customer, n.For, err = soldOf(ctx, v, n.Dispute.OrderID); err != nil {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.WriteDispute(n))
}

// MailAccount is the job billing.account_notice: what is wrong with the account, or that all is well again, if that is still so.
func (s *Service) MailAccount(ctx context.Context, job billing.AccountNoticeJob) error {
	v := s.db.View(job.Business)
	owner, found, err := ownerOf(ctx, v, job.Member)
	if err != nil || !found {
		return err
	}
	account, err := billing.ConnectionOf(ctx, v, job.Env)
	if err != nil || account.Trouble() != job.Trouble || slices.Contains(underWay, account.State) {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.WriteAccount(AccountNotice{owner, account}))
}

// underWay are the states of an account that is neither well nor in trouble.
var underWay = []billing.State{billing.StateNotConnected, billing.StateOnboarding, billing.StatePending}
