package booking

import (
	"context"
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
	ToldRelocated       What = "relocated"        // it is at another location, at the same time
	ToldParty           What = "party"            // the studio has changed how many they are
	ToldCancelled       What = "cancelled"        // they have cancelled it, or the studio has for them
	ToldStudioCancelled What = "studio_cancelled" // the studio has cancelled it
	ToldSubstituted     What = "substituted"      // somebody else teaches
	ToldRestored        What = "restored"         // what the studio had cancelled takes place after all, without them
	ToldReminder        What = "reminder"         // it begins soon; package notice finds out by itself
)

// NoticeJob tells a customer about a booking.
type NoticeJob struct {
	Business     uuid.UUID   `json:"business"`
	Booking      uuid.UUID   `json:"booking"`
	What         What        `json:"what"`
	StartsAt     time.Time   `json:"startsAt,omitzero"` // ToldMoved: to when
	BackAmount   int64       `json:"backAmount,omitempty"`
	Held         bool        `json:"held,omitempty"`         // BackAmount was held on the card, and is let go
	CreditAmount int64       `json:"creditAmount,omitempty"` // has become credit
	DeskAmount   int64       `json:"deskAmount,omitempty"`   // was paid at the desk, and is given back there
	Party        int         `json:"party,omitempty"`        // ToldParty: how many they are
	MoreAmount   int64       `json:"moreAmount,omitempty"`   // ToldParty: to be paid at the studio, more than before
	Bookings     []uuid.UUID `json:"bookings,omitempty"`     // it is about all of these, which recur
	Course       bool        `json:"course,omitempty"`       // it is about all dates of the booking's course
}

// Kind names the job in the outbox.
func (NoticeJob) Kind() string { return "booking.notice" }

// TeamNoticeJob tells a member of the team about a date.
type TeamNoticeJob struct {
	Business   uuid.UUID           `json:"business"`
	Occurrence uuid.UUID           `json:"occurrence"`
	Member     uuid.UUID           `json:"member"`
	What       schedule.NoticeKind `json:"what"`
}

// Kind names the job in the outbox.
func (TeamNoticeJob) Kind() string { return "booking.team_notice" }

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
