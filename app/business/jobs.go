package business

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/jobs"
)

// TeamInviteJob mails somebody that they are on the team.
type TeamInviteJob struct {
	Business uuid.UUID `json:"business"`
	Member   uuid.UUID `json:"member"`
}

// Kind names the job in the outbox.
func (TeamInviteJob) Kind() string { return "business.team_invite" }

// Terms are those of the kind.
func (TeamInviteJob) Terms() jobs.Terms { return jobs.Mail(7 * jobs.Day) }

// TeamInvite is what that mail says.
type TeamInvite struct {
	To       string
	Name     string // what the studio calls them
	Locale   string // the person's own, and until that is known what the studio's first location speaks; empty without one
	Business string // its name
	Slug     string // its root address
	Access   bool   // they have a role: there is something to sign in to
}

// Register puts the jobs of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) { jobs.Handle(r, s.MailTeamInvite) }

// MailTeamInvite is the job business.team_invite. It mails nothing to a member who has been deactivated since.
func (s *Service) MailTeamInvite(ctx context.Context, job TeamInviteJob) error {
	m, found, err := readTeamInvite(ctx, s.o.DB.View(job.Business), job.Member)
	if err != nil || !found {
		return err
	}
	return s.o.Mail.Send(ctx, s.o.InviteMail(m))
}
