package notice

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/checkout"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// A reminder is due so many minutes before a booking begins: minutes that pass, and not a time of day. On the weekend on which
// the clocks change, the one of 1440 minutes comes an hour earlier or later by the wall clock than the booking begins; what a
// mail says of times is always the wall clock's, and the deadlines of cancelling are counted in the same minutes.

// ReminderJob reminds a customer of a date or a time.
type ReminderJob struct {
	Business uuid.UUID `json:"business"`
	Reminder uuid.UUID `json:"reminder"`
}

// Kind names the job in the outbox.
func (ReminderJob) Kind() string { return "booking.reminder" }

// Terms are those of the kind.
func (ReminderJob) Terms() jobs.Terms { return jobs.Mail(jobs.Day) }

const (
	// remindEvery is how often bookings are looked for that are to be reminded of, in real time.
	remindEvery = 30 * time.Second
	// remindLate is for how long a reminder that could not be written in time still is, by the injected clock. After a longer
	// night without a worker the next one that is due has to do.
	remindLate = 2 * time.Hour
	// remindAtOnce is how many reminders of one business a transaction of RemindDue writes, or deletes.
	remindAtOnce = 200
	// remindersKept is how long it is remembered after the start who was reminded.
	remindersKept = 7 * 24 * time.Hour
)

// RemindDue is the sweep notice.remind: whoever has a booking that begins in so many minutes as its location reminds of gets a
// mail, one for all who come with them. It forgets what it wrote down remindersKept after the start. It can run in several
// processes at once.
func (s *Service) RemindDue(ctx context.Context) error {
	now := s.db.Clock().Now()
	return s.db.EachOf(ctx, "select business_id from app.due_reminders($3, $4, $5, $1, $2)", s.remind, now, remindLate, now.Add(-remindersKept))
}

func (s *Service) remind(ctx context.Context, business uuid.UUID) error {
	for _, round := range []func(context.Context, *pg.Tx) (int, error){enqueueReminders, dropReminders} {
		err := pg.Batches(remindAtOnce, func() (int, error) {
			return pg.InTx(ctx, s.db, business, func(tx *pg.Tx) (int, error) { return round(ctx, tx) })
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func enqueueReminders(ctx context.Context, tx *pg.Tx) (int, error) {
	ids, err := insertReminders(ctx, tx)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	list := make([]jobs.Args, len(ids))
	for i, id := range ids {
		list[i] = ReminderJob{Business: tx.Business(), Reminder: id}
	}
	return len(ids), jobs.EnqueueAllTx(ctx, tx, list)
}

// MailReminder is the job booking.reminder. It mails nothing when it has before, and when by now there is nothing to remind of:
// the booking was cancelled or got another time, it has begun, it was made or got its time after the reminder was due, the
// location does not remind any more, or a later reminder is due.
func (s *Service) MailReminder(ctx context.Context, job ReminderJob) error {
	v := s.db.View(job.Business)
	r, found, err := reminderOf(ctx, v, job.Reminder)
	if err != nil || !found || r.MailedAt != nil || !r.Wanted || r.Overtaken || !v.Now().Before(r.StartsAt) {
		return err
	}
	seats, err := seatsOf(ctx, v, r)
	if err != nil {
		return err
	}
	known, err := s.knownBy(ctx, v, seats, r.due())
	if err != nil || !known {
		return err
	}
	n, found, err := noticeOf(ctx, v, seats[0].ID)
	if err != nil || !found || n.To == "" {
		return err
	}
	n.Kind, n.Minutes = booking.ToldReminder, r.Minutes
	var bookings []uuid.UUID
	for _, seat := range seats {
		n.Who, bookings = append(n.Who, seat.Attendee), append(bookings, seat.ID)
	}
	if err := n.askedOf(ctx, v, bookings); err != nil {
		return err
	}
	stakes, err := checkout.CostBasesOf(ctx, v, []booking.Booking{n.Booking.Booking})
	if err != nil {
		return err
	}
	n.CostBasis = stakes[seats[0].ID]
	if err := s.o.Mail.Send(ctx, s.o.Write(n)); err != nil {
		return err
	}
	_, err = pg.InTx(ctx, s.db, job.Business, func(tx *pg.Tx) (struct{}, error) {
		return struct{}{}, reminded(ctx, tx, job.Reminder)
	})
	return err
}

// knownBy tells whether one of the bookings was booked for its time by then: who books, or moves, later than a reminder is due
// has just had a mail.
func (s *Service) knownBy(ctx context.Context, v *pg.View, seats []seat, due time.Time) (bool, error) {
	for _, seat := range seats {
		changes, err := booking.HistoryOf(ctx, v, seat.ID)
		if err != nil {
			return false, err
		}
		last := slices.IndexFunc(changes, func(c booking.Change) bool { return c.To == booking.Confirmed && c.At.After(due) })
		if last < 0 {
			return true, nil
		}
	}
	return false, nil
}
