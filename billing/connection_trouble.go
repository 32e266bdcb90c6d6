package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/billing/processor"
)

// Trouble is a problem of an account that has worked, now or soon.
type Trouble string

// The troubles.
const (
	TroubleNone         Trouble = ""
	TroubleDue          Trouble = "due"          // cards are accepted until Connection.DueBy, then no longer
	TroublePayouts      Trouble = "payouts"      // cards are accepted, and no money reaches the bank
	TroubleRestricted   Trouble = "restricted"   // no cards are accepted: a requirement is open
	TroubleDisconnected Trouble = "disconnected" // no cards are accepted: the studio disconnected us
)

// Trouble returns the account's problem; empty if there is none.
func (c Connection) Trouble() Trouble {
	switch c.State {
	case processor.StateRestricted:
		return TroubleRestricted
	case processor.StateDisconnected:
		return TroubleDisconnected
	case processor.StatePaused:
		return TroublePayouts
	case processor.StateActive:
		if len(c.Due) > 0 && !c.DueBy.IsZero() {
			return TroubleDue
		}
	}
	return TroubleNone
}

// unsettled reports whether the state is neither good nor bad news: the studio or the processor is at work.
func (c Connection) unsettled() bool {
	return c.State == processor.StateOnboarding || c.State == processor.StatePending ||
		c.State == processor.StateNotConnected
}

// telling returns the trouble as it is notified once: another deadline is news.
func (c Connection) telling() string {
	t := c.Trouble()
	if t == TroubleDue {
		return string(t) + " " + c.DueBy.UTC().Format(time.DateOnly)
	}
	return string(t)
}

// AccountNoticeJob emails an owner about a trouble of the account, or about its end.
type AccountNoticeJob struct {
	Business uuid.UUID     `json:"business"`
	Env      processor.Env `json:"env"`
	Trouble  Trouble       `json:"trouble"` // empty: the trouble has ended
	Member   uuid.UUID     `json:"member"`
}

// Kind returns the job's name in the outbox.
func (AccountNoticeJob) Kind() string { return "billing.account_notice" }

// Terms returns the terms of the job's kind.
func (AccountNoticeJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// accountReadTx does the work after an account was read and locked: it notifies the owners of a change, once.
func (s *Service) accountReadTx(ctx context.Context, tx *pg.Tx, c *Connection) error {
	now := c.telling()
	if c.unsettled() || now == c.Told {
		return nil
	}
	c.Told = now
	if err := setTold(ctx, tx, *c); err != nil {
		return err
	}
	job := AccountNoticeJob{Business: tx.Business(), Env: c.Env, Trouble: c.Trouble()}
	return TellOwnersTx(ctx, tx, func(member uuid.UUID) jobs.Args {
		job.Member = member
		return job
	})
}

// ConnectionOf returns the account of a business in a world.
func ConnectionOf(ctx context.Context, r pg.Reader, env processor.Env) (Connection, error) {
	return readConnection(ctx, r, env)
}
