package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// CodeJob mails the code of a challenge. Wrong is what the wrong codes of whoever asked for it are counted under, and At the location on
// whose pages it was asked for.
type CodeJob struct {
	Challenge uuid.UUID  `json:"challenge"`
	Wrong     wrongCodes `json:"wrong"`
	At        Location   `json:"at,omitzero"`
}

// Kind names the job in the outbox.
func (CodeJob) Kind() string { return "identity.code" }

// Terms are those of the kind: a code is read while it lives.
func (CodeJob) Terms() jobs.Terms { return jobs.Mail(CodeLife) }

// Code is what the mail with a code says. Name is empty for somebody new, and Locale while no language is known. The mail comes from the
// studio on whose pages the sign-in began.
type Code struct {
	To        string
	Name      string
	Locale    string
	Code      string `db:"-"` // six digits
	ExpiresAt time.Time
	Studio    Studio `db:"-"`
}

// tidyEvery is how often rows that mean nothing any more are looked for, in real time.
const tidyEvery = time.Hour

// How long rows stay for those who ask, once they mean nothing any more: challenges after they were made, sessions after their
// end, which is where it was when they were revoked before it, and invites that nobody used after they ran out. A used invite
// says who opened which business, and stays.
const (
	challengesKept = 7 * 24 * time.Hour
	sessionsKept   = 7 * 24 * time.Hour
	invitesKept    = 30 * 24 * time.Hour
)

// dropAtOnce is how many rows of one table a transaction of Tidy deletes.
const dropAtOnce = 1000

// Register puts the jobs and sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailCode)
	jobs.Sweep(r, "identity.tidy", tidyEvery, s.Tidy)
}

// MailCode is the job identity.code. It mails nothing when the challenge is used or over by now, or when its address has
// had too many wrong codes today from where it was asked for.
func (s *Service) MailCode(ctx context.Context, job CodeJob) error {
	due, found, err := dueCode(ctx, s.db.View(noBusiness), job.Challenge)
	if err != nil || !found {
		return err
	}
	guesses, err := guessesToday(ctx, s.db.View(noBusiness), job.Wrong)
	if err != nil || guesses >= s.limits.WrongADay {
		return err
	}
	if s.studio != nil && job.At != (Location{}) {
		if due.Studio, err = s.studio(ctx, job.At); err != nil && !fault.IsKind(err, fault.NotFound) {
			return err
		}
	}
	due.Code = s.codeOf(job.Challenge)
	return s.mail.Send(ctx, s.codeMail(due))
}

// Tidy is the sweep identity.tidy: it deletes challenges, sessions and invites that mean nothing any more. It can run in several
// processes at once.
func (s *Service) Tidy(ctx context.Context) error {
	for _, drop := range []func(context.Context, *pg.Tx) (int64, error){dropChallenges, dropSessions, dropInvites} {
		err := pg.Batches(dropAtOnce, func() (int, error) {
			n, err := pg.InTx(ctx, s.db, noBusiness, func(tx *pg.Tx) (int64, error) { return drop(ctx, tx) })
			return int(n), err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
