package booking

import (
	"context"
	"time"

	"github.com/google/uuid"

	"foyer/app/schedule"
)

// TeamNoticeJob tells a member of the team about a date.
type TeamNoticeJob struct {
	Business   uuid.UUID           `json:"business"`
	Occurrence uuid.UUID           `json:"occurrence"`
	Member     uuid.UUID           `json:"member"`
	What       schedule.NoticeKind `json:"what"`
}

// Kind names the job in the outbox.
func (TeamNoticeJob) Kind() string { return "booking.team_notice" }

// TeamNotice is what a mail to a member of the team says about a date.
type TeamNotice struct {
	What         schedule.NoticeKind `db:"-"` // taken or given
	To           string
	Name         string
	Locale       string
	BusinessName string
	LocationName string
	Zone         string // IANA: the wall clock of the times
	Country      string
	OfferingName string
	StartsAt     time.Time
	EndsAt       time.Time
	Space        string // empty: none is named
	Teaches      bool   // the date is theirs now
}

// MailTeamNotice is the job booking.team_notice: the mail is written from the facts as they are now, and not at all when
// the date is somebody else's again, or theirs.
func (s *Service) MailTeamNotice(ctx context.Context, job TeamNoticeJob) error {
	n, found, err := teamNoticeOf(ctx, s.db.View(job.Business), job.Occurrence, job.Member)
	if err != nil || !found || n.To == "" || n.Teaches != (job.What == schedule.NoticeGiven) {
		return err
	}
	n.What = job.What
	return s.o.Mail.Send(ctx, s.o.TeamMail(n))
}
