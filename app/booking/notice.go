package booking

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/jobs"
	"foyer/app/pg"
	"foyer/app/schedule"
)

// What is what a customer is told about a booking.
type What string

// What customers are told. Orders that they paid or confirmed themselves are package checkout's to tell of.
const (
	ToldBooked          What = "booked"           // the studio has booked it for them
	ToldApproved        What = "approved"         // the studio has said yes
	ToldDeclined        What = "declined"         // the studio has said no
	ToldMoved           What = "moved"            // it is at another time
	ToldCancelled       What = "cancelled"        // they have cancelled it, or the studio has for them
	ToldStudioCancelled What = "studio_cancelled" // the studio has cancelled it
	ToldSubstituted     What = "substituted"      // somebody else teaches
	ToldRestored        What = "restored"         // what the studio had cancelled takes place after all, without them
)

// NoticeJob tells a customer about a booking.
type NoticeJob struct {
	Business   uuid.UUID `json:"business"`
	Booking    uuid.UUID `json:"booking"`
	What       What      `json:"what"`
	StartsAt   time.Time `json:"startsAt,omitzero"` // ToldMoved: to when
	BackAmount int64     `json:"backAmount,omitempty"`
	Course     bool      `json:"course,omitempty"` // it is about all dates of the booking's course
}

// Kind names the job in the outbox.
func (NoticeJob) Kind() string { return "booking.notice" }

// Notice is what a mail about a booking says.
type Notice struct {
	What       What
	To         string
	Name       string // may be empty
	Locale     string
	Booking    CustomerBooking
	Country    string     // of the location: how it writes times and money
	Course     bool       // about all of Booking.Dates, and not about one of them only
	Off        bool       // the date does not take place
	WasAt      *time.Time // ToldMoved: when it would have begun; nil when that is not known
	Words      string     // why, in the studio's words; may be empty
	BackAmount int64      // goes back to the card, in minor units of the booking's currency
	FeeAmount  int64      // is due
}

// holds tells whether what the mail would say is still so.
func (j NoticeJob) holds(n Notice) bool {
	b := n.Booking.Booking
	switch j.What {
	case ToldSubstituted:
		return b.State == Requested || b.State == Confirmed
	case ToldRestored:
		return b.State == StudioCancelled && !n.Off
	case ToldBooked, ToldApproved:
		return b.State == Confirmed || b.State == CheckedIn
	case ToldMoved:
		return b.State.Live() && b.StartsAt.Equal(j.StartsAt)
	case ToldDeclined:
		return b.State == Declined
	case ToldCancelled:
		return b.State == Cancelled || b.State == LateCancelled
	case ToldStudioCancelled:
		return b.State == StudioCancelled
	}
	return false
}

// told is the transition that a mail is about.
var told = map[What][]Transition{
	ToldDeclined:        {TransitionDecline},
	ToldMoved:           {TransitionReschedule, TransitionRetime},
	ToldStudioCancelled: {TransitionStudioCancel},
}

// MailNotice is the job booking.notice. The mail is written from the facts as they are now, and not at all when they are
// not as the job says any more.
func (s *Service) MailNotice(ctx context.Context, job NoticeJob) error {
	v := s.db.View(job.Business)
	n, found, err := noticeOf(ctx, v, job.Booking)
	if err != nil || !found || n.To == "" || !job.holds(n) {
		return err
	}
	changes, err := history(ctx, v, job.Booking)
	if err != nil {
		return err
	}
	for _, c := range changes { // the last one of these transitions
		if slices.Contains(told[job.What], c.Transition) {
			n.Words, n.WasAt = c.Words, c.FromStart
		}
	}
	n.What, n.BackAmount, n.Course = job.What, job.BackAmount, job.Course
	return s.o.Mail.Send(ctx, s.o.NoticeMail(n))
}

// tell has a customer told, once the transaction has committed.
func tell(ctx context.Context, tx *pg.Tx, b Booking, what What) error {
	job := NoticeJob{Business: tx.Business(), Booking: b.ID, What: what}
	switch what {
	case ToldMoved:
		job.StartsAt = b.StartsAt
	case ToldBooked, ToldApproved: // with all its dates
		job.Course = b.Course()
	}
	return jobs.EnqueueTx(ctx, tx, job)
}

// NoticeTx has people told what became of a date, once the transaction has committed.
func NoticeTx(ctx context.Context, tx *pg.Tx, notices []schedule.Notice) error {
	for _, n := range notices {
		if n.MemberID != nil {
			if err := jobs.EnqueueTx(ctx, tx, TeamNoticeJob{Business: tx.Business(), Occurrence: n.DateID, Member: *n.MemberID, What: n.Kind}); err != nil {
				return err
			}
			continue
		}
		what, states := toldOf(n.Kind)
		if what == "" {
			continue // whoever ends bookings tells their customers
		}
		list, err := bookedAt(ctx, tx, n.DateID, states)
		if err != nil {
			return err
		}
		for _, b := range list {
			if err := tell(ctx, tx, b, what); err != nil {
				return err
			}
		}
	}
	return nil
}

// toldOf is what the customers of a date are told, and which of them.
func toldOf(kind schedule.NoticeKind) (What, []State) {
	switch kind {
	case schedule.NoticeMoved:
		return ToldMoved, []State{Requested, Confirmed, CheckedIn}
	case schedule.NoticeSubstituted:
		return ToldSubstituted, []State{Requested, Confirmed}
	case schedule.NoticeRestored:
		return ToldRestored, []State{StudioCancelled}
	}
	return "", nil
}
