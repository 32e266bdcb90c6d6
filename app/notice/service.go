// Package notice writes to those whom a booking or a date concerns: to customers what became of theirs, to the team who gives
// a date now. Package booking enqueues the jobs with what is to be told; here the facts are read again, and what does not hold
// any more is not mailed. The words are package letters'.
package notice

import (
	"foyer/app/jobs"
	"foyer/app/mail"
	"foyer/app/pg"
)

// Options are what a Service needs.
type Options struct {
	DB   *pg.DB
	Mail mail.Sender
	// Write writes the mails about a booking, in the customer's language, and WriteTeam those that tell a member of the team
	// about a date, in theirs.
	Write     func(Notice) mail.Message
	WriteTeam func(TeamNotice) mail.Message
}

// Service has the jobs of this package. It is safe for concurrent use.
type Service struct {
	db *pg.DB
	o  Options
}

// New returns a Service. It panics when an option is missing.
func New(o Options) *Service {
	if o.DB == nil || o.Mail == nil || o.Write == nil || o.WriteTeam == nil {
		panic("notice: an option is missing")
	}
	return &Service{db: o.DB, o: o}
}

// Register puts the jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailNotice)
	jobs.Handle(r, s.MailTeamNotice)
}
