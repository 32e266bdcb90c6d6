package dispute

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing"
	"foyer/billing/processor"
)

// News is an event of a dispute that the owners of a studio are notified of.
type News string

// The events.
const (
	Opened  News = "opened"   // a bank inquires, or has withdrawn money: the studio has to respond
	DueSoon News = "due_soon" // no evidence was submitted, and the deadline is near
	Closed  News = "closed"   // it is decided
)

// NoticeJob emails an owner about an event of a dispute.
type NoticeJob struct {
	Business uuid.UUID `json:"business"`
	Dispute  uuid.UUID `json:"dispute"`
	What     News      `json:"what"`
	Member   uuid.UUID `json:"member"`
}

// Kind returns the job's name in the outbox.
func (NoticeJob) Kind() string { return "dispute.notice" }

// Terms returns the terms of the job's kind.
func (NoticeJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// remindBefore lists the times before the deadline of a dispute at which its owners are reminded.
var remindBefore = []time.Duration{7 * 24 * time.Hour, 3 * 24 * time.Hour, 24 * time.Hour}

// remindAfter returns the first of these in the future; zero if there is none.
func remindAfter(due, now time.Time) time.Time {
	for _, before := range remindBefore {
		if at := due.Add(-before); at.After(now) {
			return at
		}
	}
	return time.Time{}
}

// knownDispute is a dispute as it was stored before.
type knownDispute struct {
	ID            uuid.UUID
	Status        processor.DisputeStatus
	EvidenceDueBy time.Time `db:",null"`
	RemindAt      time.Time `db:",null"`
}

// remindNext returns the time of the next reminder for a dispute that is now like d: the time that was set stays
// while the deadline does.
func (k knownDispute) remindNext(d processor.Dispute, now time.Time) time.Time {
	switch {
	case !d.Status.Awaits() || d.EvidenceDueBy.IsZero():
		return time.Time{}
	case k.Status.Awaits() && k.EvidenceDueBy.Equal(d.EvidenceDueBy):
		return k.RemindAt
	}
	return remindAfter(d.EvidenceDueBy, now)
}

// decidedLately is the maximum age of a dispute that is first seen after its decision, and notified all the same.
const decidedLately = 30 * 24 * time.Hour

// newsOf returns the news of a dispute; empty if there is none.
func newsOf(was knownDispute, found bool, d processor.Dispute, now time.Time) News {
	switch {
	case d.Status.Over() && found && !was.Status.Over(), d.Status.Over() && !found && now.Sub(d.CreatedAt) < decidedLately:
		return Closed
	case d.Status.Awaits() && (!found || was.Status.Inquiry() && !d.Status.Inquiry()):
		return Opened
	}
	return ""
}

// tellOfDisputeTx notifies every owner.
func tellOfDisputeTx(ctx context.Context, tx *pg.Tx, dispute uuid.UUID, news News) error {
	if news == "" {
		return nil
	}
	return billing.TellOwnersTx(ctx, tx, func(member uuid.UUID) jobs.Args {
		return NoticeJob{Business: tx.Business(), Dispute: dispute, What: news, Member: member}
	})
}

// remindersMost is the number of disputes that one round of RemindDue handles.
const remindersMost = 100

// RemindDue is the sweep dispute.reminders: it reminds the owners of unanswered disputes 7, 3 and 1 days before the
// deadline. It can run in several processes at once.
func (s *Service) RemindDue(ctx context.Context) error {
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
	return tellOfDisputeTx(ctx, tx, id, DueSoon)
}
