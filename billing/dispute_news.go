package billing

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// DisputeNews is what the owners of a studio are told about a dispute.
type DisputeNews string

// What they are told.
const (
	DisputeOpened  DisputeNews = "opened"   // a bank asks, or has taken money: the studio has to answer
	DisputeDueSoon DisputeNews = "due_soon" // they have not answered, and the time for it runs out
	DisputeClosed  DisputeNews = "closed"   // it is decided
)

// DisputeNoticeJob mails one of the owners what is new of a dispute.
type DisputeNoticeJob struct {
	Business uuid.UUID   `json:"business"`
	Dispute  uuid.UUID   `json:"dispute"`
	What     DisputeNews `json:"what"`
	Member   uuid.UUID   `json:"member"`
}

// Kind names the job in the outbox.
func (DisputeNoticeJob) Kind() string { return "billing.dispute_notice" }

// Terms are those of the kind.
func (DisputeNoticeJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// remindBefore says how long before the deadline of a dispute its owners are reminded.
var remindBefore = []time.Duration{7 * 24 * time.Hour, 3 * 24 * time.Hour, 24 * time.Hour}

// remindAfter is the first of these that is still to come; zero when there is none.
func remindAfter(due, now time.Time) time.Time {
	for _, before := range remindBefore {
		if at := due.Add(-before); at.After(now) {
			return at
		}
	}
	return time.Time{}
}

// Awaits reports whether it is the studio's turn.
func (s DisputeStatus) Awaits() bool { return s == DisputeNeedsResponse || s == DisputeWarning }

// inquiry reports whether no money has moved.
func (s DisputeStatus) inquiry() bool {
	return s == DisputeWarning || s == DisputeWarningReview || s == DisputeWarningClosed
}

// knownDispute is a dispute as it was kept before.
type knownDispute struct {
	ID            uuid.UUID
	Status        DisputeStatus
	EvidenceDueBy time.Time `db:",null"`
	RemindAt      time.Time `db:",null"`
}

// remindNext is when the owners are reminded next, now that the dispute stands like d: the moment that was set stays while its deadline does.
func (k knownDispute) remindNext(d ProcessorDispute, now time.Time) time.Time {
	switch {
	case !d.Status.Awaits() || d.EvidenceDueBy.IsZero():
		return time.Time{}
	case k.Status.Awaits() && k.EvidenceDueBy.Equal(d.EvidenceDueBy):
		return k.RemindAt
	}
	return remindAfter(d.EvidenceDueBy, now)
}

// decidedLately is how old a dispute may be that was decided before anybody knew of it, and is told all the same.
const decidedLately = 30 * 24 * time.Hour

// newsOf is what is new of a dispute; empty when nothing is that somebody has to know.
func newsOf(was knownDispute, found bool, d ProcessorDispute, now time.Time) DisputeNews {
	switch {
	case d.Status.Over() && found && !was.Status.Over(), d.Status.Over() && !found && now.Sub(d.CreatedAt) < decidedLately:
		return DisputeClosed
	case d.Status.Awaits() && (!found || was.Status.inquiry() && !d.Status.inquiry()):
		return DisputeOpened
	}
	return ""
}

// tellOfDisputeTx has every owner told.
func tellOfDisputeTx(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, news DisputeNews) error {
	if news == "" {
		return nil
	}
	return tellOwnersTx(ctx, tx, func(member uuid.UUID) jobs.Args {
		return DisputeNoticeJob{Business: tx.Business(), Dispute: dispute, What: news, Member: member}
	})
}

// tellOwnersTx enqueues a job for every owner.
func tellOwnersTx(ctx context.Context, tx *pg.Tx, job func(member uuid.UUID) jobs.Args) error {
	owners, err := ownersOf(ctx, tx)
	if err != nil || len(owners) == 0 {
		return err
	}
	var list []jobs.Args
	for _, m := range owners {
		list = append(list, job(m))
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// remindersMost is how many disputes one round of DisputesDue reminds of.
const remindersMost = 100

// DisputesDue is the sweep billing.disputes: it reminds the owners of disputes that they have not answered, 7, 3 and 1 days before the
// deadline. It can run in several processes at once.
func (s *Service) DisputesDue(ctx context.Context) error {
	due, err := dueDisputes(ctx, s.db, remindersMost)
	for _, d := range due {
		err = errors.Join(err, pg.Do(ctx, s.db, d.BusinessID, func(tx *pg.Tx) error { return remindTx(ctx, tx, d.ID) }))
	}
	return err
}

func remindTx(ctx context.Context, tx *pg.Tx, id uuid.UUID) error {
	d, found, err := claimReminder(ctx, tx, id)
	if err != nil || !found {
		return err
	}
	if err := setReminder(ctx, tx, id, remindAfter(d.EvidenceDueBy, tx.Now())); err != nil {
		return err
	}
	if !d.Status.Awaits() || d.Submitted || !tx.Now().Before(d.EvidenceDueBy) {
		return nil
	}
	return tellOfDisputeTx(ctx, tx, id, DisputeDueSoon)
}
