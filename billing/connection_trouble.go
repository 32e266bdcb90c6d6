package billing

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// Trouble is what is wrong with an account that has worked, or is about to be.
type Trouble string

// The troubles.
const (
	TroubleNone         Trouble = ""
	TroubleDue          Trouble = "due"          // cards are taken until Connection.DueBy; then something has to be given
	TroublePayouts      Trouble = "payouts"      // cards are taken, and no money reaches the bank
	TroubleRestricted   Trouble = "restricted"   // no cards are taken: something has to be given
	TroubleDisconnected Trouble = "disconnected" // no cards are taken: the studio took our access away
)

// Trouble is what is wrong with the account.
func (c Connection) Trouble() Trouble {
	switch c.State {
	case StateRestricted:
		return TroubleRestricted
	case StateDisconnected:
		return TroubleDisconnected
	case StatePaused:
		return TroublePayouts
	case StateActive:
		if len(c.Due) > 0 && !c.DueBy.IsZero() {
			return TroubleDue
		}
	}
	return TroubleNone
}

// unsettled reports whether neither good nor bad is to be told of the state: the studio or the processor is at work.
func (c Connection) unsettled() bool {
	return c.State == StateOnboarding || c.State == StatePending || c.State == StateNotConnected
}

// telling is the trouble as it is told once: another deadline is news.
func (c Connection) telling() string {
	t := c.Trouble()
	if t == TroubleDue {
		return string(t) + " " + c.DueBy.UTC().Format(time.DateOnly)
	}
	return string(t)
}

// AccountNoticeJob mails one of the owners what is wrong with the account, or that all is well again.
type AccountNoticeJob struct {
	Business uuid.UUID `json:"business"`
	Env      Env       `json:"env"`
	Trouble  Trouble   `json:"trouble"` // empty: all is well again
	Member   uuid.UUID `json:"member"`
}

// Kind names the job in the outbox.
func (AccountNoticeJob) Kind() string { return "billing.account_notice" }

// Terms are those of the kind.
func (AccountNoticeJob) Terms() jobs.Terms { return jobs.Mail(3 * jobs.Day) }

// accountReadTx does what follows when an account was read, and locked with that: its owners are told of what has changed, once.
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
	return tellOwnersTx(ctx, tx, func(member uuid.UUID) jobs.Args {
		job.Member = member
		return job
	})
}

// ConnectionOf is the account of a business in a world.
func ConnectionOf(ctx context.Context, r pg.Reader, env Env) (Connection, error) {
	return readConnection(ctx, r, env)
}
