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

// NoticeKind is the kind of a notice to a customer about a booking.
type NoticeKind string

// The kinds of notices. Orders that customers paid or confirmed themselves are package checkout's.
const (
	ToldBooked          NoticeKind = "booked"           // the studio has booked it for them
	ToldApproved        NoticeKind = "approved"         // the studio has approved it
	ToldDeclined        NoticeKind = "declined"         // the studio has declined it
	ToldRescheduled     NoticeKind = "moved"            // it is at another time
	ToldRelocated       NoticeKind = "relocated"        // it continues at another location, at the same time
	ToldParty           NoticeKind = "party"            // the studio has changed the party
	ToldCancelled       NoticeKind = "cancelled"        // cancelled by them, or by the studio on their behalf
	ToldStudioCancelled NoticeKind = "studio_cancelled" // the studio has cancelled it
	ToldSubstituted     NoticeKind = "substituted"      // another instructor
	ToldRoom            NoticeKind = "room"             // it is in another space
	ToldRestored        NoticeKind = "restored"         // a cancelled date is restored, without them
	ToldReminder        NoticeKind = "reminder"         // it begins soon; package notice schedules it
)

// NoticeJob notifies a customer about a booking.
type NoticeJob struct {
	Business     uuid.UUID  `json:"business"`
	Booking      uuid.UUID  `json:"booking"`
	Notice       NoticeKind `json:"what"`
	StartsAt     time.Time  `json:"startsAt,omitzero"` // ToldRescheduled: to when
	RefundAmount int64      `json:"backAmount,omitempty"`
	Held         bool       `json:"held,omitempty"`         // RefundAmount was authorized, and is released
	CreditAmount int64      `json:"creditAmount,omitempty"` // has become credit
	// GiftCardAmount is on the gift cards again that it was paid with.
	GiftCardAmount int64 `json:"giftCardAmount,omitempty"`
	// Plan is the plan that paid for it, if its use is returned to it: PlanCredits, or 0 of an unlimited one.
	Plan        string      `json:"plan,omitempty"`
	PlanCredits int         `json:"planCredits,omitempty"`
	DeskAmount  int64       `json:"deskAmount,omitempty"` // was paid at the desk, and is refunded there
	Party       int         `json:"party,omitempty"`      // ToldParty: how many they are
	MoreAmount  int64       `json:"moreAmount,omitempty"` // ToldParty: due at the studio, in addition
	Bookings    []uuid.UUID `json:"bookings,omitempty"`   // all of its bookings, which recur
	Course      bool        `json:"course,omitempty"`     // for all dates of the booking's course
	Instructor  bool        `json:"instructor,omitempty"` // ToldRescheduled: another instructor
	Room        bool        `json:"room,omitempty"`       // ToldRescheduled, ToldSubstituted: it is in another space
	Words       string      `json:"words,omitempty"`      // ToldSubstituted, ToldRoom: the studio's reason
}

// Kind names the job in the outbox.
func (NoticeJob) Kind() string { return "booking.notice" }

// Terms are those of the kind.
func (NoticeJob) Terms() jobs.Terms { return jobs.Mail(jobs.Day) }

// TeamNoticeJob notifies a staff member about a date.
type TeamNoticeJob struct {
	Business   uuid.UUID           `json:"business"`
	Occurrence uuid.UUID           `json:"occurrence"`
	Member     uuid.UUID           `json:"member"`
	What       schedule.NoticeKind `json:"what"`
	Also       []uuid.UUID         `json:"also,omitempty"` // further dates
}

// Kind names the job in the outbox.
func (TeamNoticeJob) Kind() string { return "booking.team_notice" }

// Terms are those of the kind.
func (TeamNoticeJob) Terms() jobs.Terms { return jobs.Mail(jobs.Day) }

// tell notifies a customer, once the transaction has committed.
func tell(ctx context.Context, tx *pg.Tx, b Booking, what NoticeKind) error {
	return jobs.EnqueueTx(ctx, tx, noticeOf(tx, b, what))
}

// noticeOf returns the job that notifies a customer about a booking.
func noticeOf(tx *pg.Tx, b Booking, what NoticeKind) NoticeJob {
	job := NoticeJob{Business: tx.Business(), Booking: b.ID, Notice: what}
	switch what {
	case ToldRescheduled:
		job.StartsAt = b.StartsAt
	case ToldBooked, ToldApproved: // with all its dates
		job.Course = b.Course()
	}
	return job
}

// NoticeTx notifies customers and instructors about changed dates, once the transaction has committed, and returns
// the number of mails to customers. A customer with bookings on several dates with another instructor or space gets
// one mail about all of them, and so does an instructor.
func NoticeTx(ctx context.Context, tx *pg.Tx, notices []schedule.Notice) (int, error) {
	dates := each(notices, func(n schedule.Notice) uuid.UUID { return n.DateID })
	list, err := bookedAt(ctx, tx, dates)
	if err != nil {
		return 0, err
	}
	booked := map[uuid.UUID][]Booking{}
	for _, b := range list {
		booked[b.OccurrenceID] = append(booked[b.OccurrenceID], b)
	}
	var m noticeMails
	for _, n := range notices {
		if n.MemberID != nil {
			m.team(TeamNoticeJob{Business: tx.Business(), Occurrence: n.DateID, Member: *n.MemberID, What: n.Kind})
			continue
		}
		what, states := toldOf(n.Kind)
		for _, b := range booked[n.DateID] {
			if slices.Contains(states, b.State) {
				job := noticeOf(tx, b, what)
				job.Instructor, job.Room = n.Instructor, n.Room
				m.customer(job, b, n.Reason)
			}
		}
	}
	return len(m.customers), m.enqueue(ctx, tx)
}

// noticeMails are the mails about dates that have changed.
type noticeMails struct {
	customers []NoticeJob
	readers   []reader // of customers
	members   []TeamNoticeJob
}

// reader is the recipient of a mail, with the facts that make mails different.
type reader struct {
	customer         uuid.UUID
	attendee         string
	offering         uuid.UUID
	what             NoticeKind
	instructor, room bool
}

// customer adds a mail about a booking. One with the same content about another date becomes one mail about both.
func (m *noticeMails) customer(job NoticeJob, b Booking, words string) {
	r := reader{b.CustomerID, b.Attendee, b.OfferingID, job.Notice, job.Instructor, job.Room}
	if job.Notice == ToldSubstituted || job.Notice == ToldRoom {
		job.Words = words
		if i := slices.Index(m.readers, r); i >= 0 {
			at := &m.customers[i]
			if len(at.Bookings) == 0 {
				at.Bookings = []uuid.UUID{at.Booking}
			}
			at.Bookings = append(at.Bookings, b.ID)
			return
		}
	}
	m.customers, m.readers = append(m.customers, job), append(m.readers, r)
}

// team adds a mail to a member of the team.
func (m *noticeMails) team(job TeamNoticeJob) {
	for i := range m.members {
		if at := &m.members[i]; at.Member == job.Member && at.What == job.What {
			at.Also = append(at.Also, job.Occurrence)
			return
		}
	}
	m.members = append(m.members, job)
}

func (m *noticeMails) enqueue(ctx context.Context, tx *pg.Tx) error {
	var list []jobs.Args
	for _, j := range m.customers {
		list = append(list, j)
	}
	for _, j := range m.members {
		list = append(list, j)
	}
	if len(list) == 0 {
		return nil
	}
	return jobs.EnqueueAllTx(ctx, tx, list)
}

// toldOf returns the kind of notice for the customers of a date, and the states of their bookings.
func toldOf(kind schedule.NoticeKind) (NoticeKind, []State) {
	switch kind {
	case schedule.NoticeRescheduled:
		return ToldRescheduled, []State{Requested, Confirmed, CheckedIn}
	case schedule.NoticeSubstituted:
		return ToldSubstituted, []State{Requested, Confirmed}
	case schedule.NoticeRoom:
		return ToldRoom, []State{Requested, Confirmed}
	case schedule.NoticeRestored:
		return ToldRestored, []State{StudioCancelled}
	}
	return "", nil
}
