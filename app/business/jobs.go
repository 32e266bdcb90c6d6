package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
)

// TeamInviteJob sends a member the mail about their place on the team.
type TeamInviteJob struct {
	Business uuid.UUID `json:"business"`
	Member   uuid.UUID `json:"member"`
}

// Kind names the job in the outbox.
func (TeamInviteJob) Kind() string { return "business.team_invite" }

// Terms returns the terms of the job: a mail, tried for seven days.
func (TeamInviteJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// TeamInvite is the content of that mail.
type TeamInvite struct {
	To       string
	Name     string // the member's name in the studio
	Locale   string // the person's own, until it is known that of the studio's first location; empty without one
	Business string // its name
	Slug     string // its root address
	Access   bool   // the member has a role and can sign in
}

// Register registers the jobs of this package with the worker.
func (s *Service) Register(r *jobs.Registry) { jobs.Handle(r, s.MailTeamInvite) }

// MailTeamInvite runs the job business.team_invite. It sends nothing to a member deactivated in the meantime.
func (s *Service) MailTeamInvite(ctx context.Context, job TeamInviteJob) error {
	m, found, err := readTeamInvite(ctx, s.o.DB.View(job.Business), job.Member)
	if err != nil || !found {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.InviteMail(m))
}
