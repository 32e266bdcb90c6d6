package notice

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// holds tells whether what the mail would say is still so.
func holds(j booking.NoticeJob, n Notice) bool {
	b := n.Booking.Booking
	switch j.Notice {
	case booking.ToldSubstituted, booking.ToldRoom:
		return b.State == booking.Requested || b.State == booking.Confirmed
	case booking.ToldRestored:
		return b.State == booking.StudioCancelled && !n.Off
	case booking.ToldBooked, booking.ToldApproved:
		return b.State == booking.Confirmed || b.State == booking.CheckedIn
	case booking.ToldMoved:
		return b.State.Live() && b.StartsAt.Equal(j.StartsAt)
	case booking.ToldRelocated:
		return b.State.Live()
	case booking.ToldParty:
		return b.State.Live() && b.Party == j.Party
	case booking.ToldDeclined:
		return b.State == booking.Declined
	case booking.ToldCancelled:
		return b.State == booking.Cancelled || b.State == booking.LateCancelled
	case booking.ToldStudioCancelled:
		return b.State == booking.StudioCancelled
	}
	return false
}

// Terms says whether the mail tells what cancelling the booking costs: when it was made, or got another time, and before it
// begins. One about several says nothing of it: it is each booking's own.
func (n Notice) Terms() bool {
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldMoved, booking.ToldReminder:
		return !n.Several
	}
	return false
}

// told is the transition that a mail is about.
var told = map[booking.NoticeKind][]booking.Transition{
	booking.ToldDeclined:        {booking.TransitionDecline},
	booking.ToldMoved:           {booking.TransitionReschedule, booking.TransitionRetime},
	booking.ToldRelocated:       {booking.TransitionRelocate},
	booking.ToldStudioCancelled: {booking.TransitionStudioCancel},
}

// MailNotice is the job booking.notice. The mail is written from the facts as they are now, and not at all when they are
// not as the job says any more.
func (s *Service) MailNotice(ctx context.Context, job booking.NoticeJob) error {
	v := s.db.View(job.Business)
	n, found, err := s.standing(ctx, v, &job)
	if err != nil || !found {
		return err
	}
	n.Kind, n.RefundAmount, n.MoreAmount, n.Course = job.Notice, job.RefundAmount, job.MoreAmount, job.Course
	n.CreditAmount, n.DeskAmount, n.Held = job.CreditAmount, job.DeskAmount, job.Held
	n.NewInstructor, n.NewRoom, n.Words = job.Instructor, job.Room, job.Words
	if len(job.Bookings) > 1 {
		if n.Booking.Dates, err = booking.DatesOf(ctx, v, job.Bookings); err != nil {
			return err
		}
		n.Several = true
	}
	if n.Terms() {
		stakes, err := checkout.CostBasesOf(ctx, v, []booking.Booking{n.Booking.Booking})
		if err != nil {
			return err
		}
		n.CostBasis = stakes[job.Booking]
	}
	if b := n.Booking; job.Notice == booking.ToldBooked && b.PriceAmount > 0 && b.OrderID == nil {
		if n.AtStudioAmount, err = checkout.AtStudioOf(ctx, v, b.OfferingID, b.Currency, b.PriceAmount); err != nil {
			return err
		}
	}
	if err := n.askedOf(ctx, v, append(job.Bookings, job.Booking)); err != nil {
		return err
	}
	changes, err := booking.HistoryOf(ctx, v, job.Booking)
	if err != nil {
		return err
	}
	for _, c := range changes { // the last one of these transitions
		if slices.Contains(told[job.Notice], c.Transition) {
			n.Words, n.WasAt = c.Words, c.FromStart
		}
	}
	return s.o.Mail.Send(ctx, s.o.Write(n))
}

// standing is what a mail says, if it is still so. One about several bookings of which the first has ended is about the next.
func (s *Service) standing(ctx context.Context, v *pg.View, job *booking.NoticeJob) (n Notice, found bool, err error) {
	ids := []uuid.UUID{job.Booking}
	if job.Notice == booking.ToldSubstituted || job.Notice == booking.ToldRoom {
		ids = append(ids, job.Bookings...)
	}
	for _, id := range ids {
		if n, found, err = noticeOf(ctx, v, id); err != nil || found && n.To != "" && holds(*job, n) {
			job.Booking = id
			return n, found, err
		}
	}
	return n, false, nil
}

// askedOf says of a mail about bookings that stand whether one of them asks for agreements that are missing: who was booked by the studio has
// not been asked yet.
func (n *Notice) askedOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) error {
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldMoved, booking.ToldReminder:
		missing, err := agreement.MissingOf(ctx, r, bookings)
		n.Outstanding = len(missing) > 0
		return err
	}
	return nil
}

// MailTeamNotice is the job booking.team_notice: the mail is written from the facts as they are now, and not at all when
// the date is somebody else's again, or theirs. Of several dates it names those of which it holds.
func (s *Service) MailTeamNotice(ctx context.Context, job booking.TeamNoticeJob) error {
	v := s.db.View(job.Business)
	var so []TeamNotice
	for _, date := range append([]uuid.UUID{job.Occurrence}, job.Also...) {
		n, found, err := teamNoticeOf(ctx, v, date, job.Member)
		if err != nil {
			return err
		}
		if found && n.To != "" && n.Teaches == (job.What == schedule.NoticeGiven) {
			so = append(so, n)
		}
	}
	if len(so) == 0 {
		return nil
	}
	n := so[0]
	n.What, n.Also = job.What, so[1:]
	return s.o.Mail.Send(ctx, s.o.WriteTeam(n))
}

// Register puts the jobs and the sweep of this package into the worker's registry.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailNotice)
	jobs.Handle(r, s.MailTeamNotice)
	jobs.Handle(r, s.MailReminder)
	jobs.Handle(r, s.MailDispute)
	jobs.Handle(r, s.MailAccount)
	jobs.Sweep(r, "notice.remind", remindEvery, s.RemindDue)
	jobs.Sweep(r, "notice.lost", lostEvery, s.NoteLost)
}
