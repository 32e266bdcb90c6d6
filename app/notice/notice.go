package notice

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"foyer/app/agreement"
	"foyer/app/booking"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// holds reports whether the mail's content is still correct.
func holds(j booking.NoticeJob, n Notice) bool {
	b := n.Booking.Booking
	switch j.Notice {
	case booking.ToldSubstituted, booking.ToldRoom:
		return b.State == booking.Requested || b.State == booking.Confirmed
	case booking.ToldRestored:
		return b.State == booking.StudioCancelled && !n.Off
	case booking.ToldBooked, booking.ToldApproved:
		return b.State == booking.Confirmed || b.State == booking.CheckedIn
	case booking.ToldRescheduled:
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

// Terms reports whether the mail states the cost of cancelling the booking: at its creation, at a new time, and as a
// reminder. A mail about several bookings omits it, as it differs between them.
func (n Notice) Terms() bool {
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldRescheduled, booking.ToldReminder:
		return !n.Several
	}
	return false
}

// late reports whether the mail is about a late cancellation that returned nothing to a plan.
func (n Notice) late() bool {
	return n.Kind == booking.ToldCancelled && n.Booking.State == booking.LateCancelled && n.Plan == "" && !n.Several
}

// stake sets what is paid for the booking: as the terms of its cancellation, or as what a late one has lost.
func (n *Notice) stake(s booking.CostBasis) {
	if n.Terms() {
		n.CostBasis = s
		return
	}
	n.LostPlan, n.LostCredits = s.Plan, s.PlanCredits
}

// told maps a kind of mail to its transition.
var told = map[booking.NoticeKind][]booking.Transition{
	booking.ToldDeclined:        {booking.TransitionDecline},
	booking.ToldRescheduled:     {booking.TransitionReschedule, booking.TransitionRetime},
	booking.ToldRelocated:       {booking.TransitionRelocate},
	booking.ToldStudioCancelled: {booking.TransitionStudioCancel},
}

// MailNotice runs the job booking.notice. The mail is rendered from current data, and not sent when the data no
// longer matches the job.
func (s *Service) MailNotice(ctx context.Context, job booking.NoticeJob) error {
	v := s.db.View(job.Business)
	n, found, err := s.standing(ctx, v, &job)
	if err != nil || !found {
		return err
	}
	n.Kind, n.RefundAmount, n.MoreAmount, n.Course = job.Notice, job.RefundAmount, job.MoreAmount, job.Course
	n.CreditAmount, n.DeskAmount, n.Held = job.CreditAmount, job.DeskAmount, job.Held
	n.GiftCardAmount, n.Plan, n.PlanCredits = job.GiftCardAmount, job.Plan, job.PlanCredits
	n.NewInstructor, n.NewRoom, n.Words = job.Instructor, job.Room, job.Words
	if len(job.Bookings) > 1 {
		if n.Booking.Dates, err = booking.DatesOf(ctx, v, job.Bookings); err != nil {
			return err
		}
		n.Several = true
	}
	if n.Terms() || n.late() {
		stakes, err := order.CostBasesOf(ctx, v, []booking.Booking{n.Booking.Booking})
		if err != nil {
			return err
		}
		n.stake(stakes[job.Booking])
	}
	if b := n.Booking; job.Notice == booking.ToldBooked && b.PriceAmount > 0 && b.OrderID == nil {
		if n.AtStudioAmount, err = order.AtStudioOf(ctx, v, b.OfferingID, b.Currency, b.PriceAmount); err != nil {
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

// standing returns the content of a mail, if it is still correct. A mail about several bookings is about the next one
// if the first has ended.
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

// askedOf sets whether a mail about upcoming bookings mentions outstanding agreements: a customer booked by the
// studio has not been shown them yet.
func (n *Notice) askedOf(ctx context.Context, r pg.Reader, bookings []uuid.UUID) error {
	switch n.Kind {
	case booking.ToldBooked, booking.ToldApproved, booking.ToldRescheduled, booking.ToldReminder:
		missing, err := agreement.MissingOf(ctx, r, bookings)
		n.Outstanding = len(missing) > 0
		return err
	}
	return nil
}

// MailTeamNotice runs the job booking.team_notice: the mail is rendered from current data, and not sent when the
// date's instructor has changed again since. Of several dates it lists those still correct.
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

// Register registers the jobs and the sweeps of this package with the worker.
func (s *Service) Register(r *jobs.Registry) {
	jobs.Handle(r, s.MailNotice)
	jobs.Handle(r, s.MailTeamNotice)
	jobs.Handle(r, s.MailReminder)
	jobs.Handle(r, s.MailDispute)
	jobs.Handle(r, s.MailAccount)
	jobs.Handle(r, s.MailAccounting)
	jobs.Sweep(r, "notice.remind", remindEvery, s.RemindDue)
	jobs.Sweep(r, "notice.lost", lostEvery, s.NoteLost)
}
