package notice

import (
	"context"
	"slices"
	"time"

	"foyer/app/accounting"
	"foyer/billing"
	"foyer/billing/dispute"
	"foyer/billing/processor"
)

// Owner is the recipient of a mail about the studio's money.
type Owner struct {
	To           string
	Name         string // the member's name in the studio
	Locale       string
	BusinessName string
	Slug         string // of the business
	Zone         string // IANA, of its first location: the time zone of the mail
	Country      string // of that location, two letters; may be empty
}

// DisputeNotice is the content of a mail about a dispute.
type DisputeNotice struct {
	Owner
	What     dispute.News
	Dispute  dispute.Dispute
	Customer string // may be empty
	For      string // first item of the order; empty: a charge that was not made here
}

// AccountNotice is the content of a mail about the account at the processor.
type AccountNotice struct {
	Owner
	Account billing.Connection
}

// AccountingNotice is the content of a mail about a connection to the accounting provider that ends soon.
type AccountingNotice struct {
	Owner
	accounting.Expiry
}

// tells reports whether the content of a mail about a dispute is still correct.
func (n DisputeNotice) tells(now time.Time) bool {
	d := n.Dispute
	switch n.What {
	case dispute.Opened:
		return d.Status.Awaits() && d.SubmittedAt.IsZero()
	case dispute.DueSoon:
		return d.Status.Awaits() && d.SubmittedAt.IsZero() && now.Before(d.EvidenceDueBy)
	case dispute.Closed:
		return d.Status.Over()
	}
	return false
}

// MailDispute runs the job dispute.notice. The mail is rendered from current data. None is sent once evidence
// is submitted or the dispute is decided, except the mail about the decision.
func (s *Service) MailDispute(ctx context.Context, job dispute.NoticeJob) error {
	v := s.db.View(job.Business)
	owner, found, err := ownerOf(ctx, v, job.Member)
	if err != nil || !found {
		return err
	}
	n := DisputeNotice{Owner: owner, What: job.What}
	if n.Dispute, err = dispute.Of(ctx, v, job.Dispute); err != nil || !n.tells(v.Now()) {
		return err
	}
	if n.Customer, n.For, err = soldOf(ctx, v, n.Dispute.OrderID); err != nil {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.WriteDispute(n))
}

// MailAccount runs the job billing.account_notice: a mail about a problem with the account, or about its end, if that
// is still current.
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

// MailAccounting runs the job accounting.expiry. None is sent once the connection is renewed or disconnected.
func (s *Service) MailAccounting(ctx context.Context, job accounting.ExpiryJob) error {
	v := s.db.View(job.Business)
	owner, found, err := ownerOf(ctx, v, job.Member)
	if err != nil || !found {
		return err
	}
	expiry, found, err := accounting.ExpiryOf(ctx, v, job.Connection)
	if err != nil || !found {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.WriteAccounting(AccountingNotice{owner, expiry}))
}

// underWay are the states of an account that is neither active nor restricted.
var underWay = []processor.State{processor.StateNotConnected, processor.StateOnboarding, processor.StatePending}
