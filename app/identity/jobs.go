package identity

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
)

// CodeJob mails the code of a challenge.
type CodeJob struct {
	Challenge uuid.UUID `json:"challenge"`
}

// Kind names the job in the outbox.
func (CodeJob) Kind() string { return "identity.code" }

// Code is what the mail with a code says. Name is empty and Locale "en" for somebody new.
type Code struct {
	To        string
	Name      string
	Locale    string
	Code      string // six digits
	ExpiresAt time.Time
}

// tidyEvery is how often rows that mean nothing any more are dropped, and keep how long they stay for those who ask.
const (
	tidyEvery = time.Hour
	keep      = 7 * 24 * time.Hour
)

// Register puts the jobs and sweeps of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailCode)
	jobs.Sweep(r, "identity.tidy", tidyEvery, s.Tidy)
}

// MailCode is the job identity.code. It mails nothing when the challenge is used or over by now, or when its address has
// had too many wrong codes today.
func (s *Service) MailCode(ctx context.Context, job CodeJob) error {
	due, found, err := dueCode(ctx, s.db.View(noBusiness), job.Challenge)
	if err != nil || !found {
		return err
	}
	guesses, err := guessesToday(ctx, s.db.View(noBusiness), due.To)
	if err != nil || guesses >= s.limits.WrongADay {
		return err
	}
	due.Code = s.codeOf(job.Challenge)
	return s.mail.Send(ctx, s.codeMail(due))
}

// Tidy drops challenges and sessions that ended a week ago, a thousand of each at a time.
func (s *Service) Tidy(ctx context.Context) error {
	return pg.Do(ctx, s.db, noBusiness, func(tx *pg.Tx) error { return dropEnded(ctx, tx, tx.Now().Add(-keep), 1000) })
}
