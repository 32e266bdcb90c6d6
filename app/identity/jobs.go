package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// CodeJob mails the code of a challenge. Wrong is the counter of wrong codes of the requester, and At the location of
// the page of the request.
type CodeJob struct {
	Challenge uuid.UUID  `json:"challenge"`
	Wrong     wrongCodes `json:"wrong"`
	At        Location   `json:"at,omitzero"`
}

// Kind names the job in the outbox.
func (CodeJob) Kind() string { return "identity.code" }

// Terms returns the terms of the job: a mail, tried while the code is valid.
func (CodeJob) Terms() jobs.Terms { return jobs.Mail(CodeLife) }

// Code is the content of the mail with a code. Name is empty for a new person, and Locale while no language is known.
// The mail comes from the studio of the sign-in page.
type Code struct {
	To        string
	Name      string
	Locale    string
	Code      string `db:"-"` // six digits
	ExpiresAt time.Time
	Studio    Studio `db:"-"`
}

// tidyEvery is the interval of Tidy, in real time.
const tidyEvery = time.Hour

// Retention of expired rows, for support: challenges count from their creation, sessions from their end, or their
// former end if they were revoked earlier, and unused invites from their expiry. A used invite records the owner of a
// business, and stays.
const (
	challengesKept = 7 * 24 * time.Hour
	sessionsKept   = 7 * 24 * time.Hour
	invitesKept    = 30 * 24 * time.Hour
)

// dropAtOnce is the number of rows of one table that a transaction of Tidy deletes.
const dropAtOnce = 1000

// Register registers the jobs and sweeps of this package with the worker.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailCode)
	jobs.Sweep(r, "identity.tidy", tidyEvery, s.Tidy)
}

// MailCode runs the job identity.code. It sends nothing when the challenge is used or expired, or when its address
// has had too many wrong codes today from the source of the request.
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

// Tidy runs the sweep identity.tidy: it deletes expired challenges, sessions and invites. It may run in several
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
