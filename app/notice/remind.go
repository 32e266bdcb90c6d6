package notice

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/jobs"
	"foyer/app/order"
	"foyer/app/pg"
)

// A reminder is due a number of minutes before a booking begins: elapsed minutes, not a time of day. On the weekend
// of a clock change, the one of 1440 minutes comes an hour earlier or later by the wall clock than the booking
// begins; a mail always states wall-clock times, and the deadlines of cancelling are counted in the same minutes.

// ReminderJob mails a reminder of a booking to its customer.
type ReminderJob struct {
	Business uuid.UUID `json:"business"`
	Reminder uuid.UUID `json:"reminder"`
}

// Kind names the job in the outbox.
func (ReminderJob) Kind() string { return "booking.reminder" }

// Terms returns the terms of the job: a mail, tried for a day.
func (ReminderJob) Terms() jobs.Terms { return jobs.Mail(jobs.Day) }

const (
	// remindEvery is the interval of RemindDue, in real time.
	remindEvery = 30 * time.Second
	// remindLate is the time after which a late reminder is skipped, by the injected clock. After a longer pause of
	// the worker the next one that is due replaces it.
	remindLate = 2 * time.Hour
	// remindAtOnce is the number of reminders of one business that a transaction of RemindDue writes, or deletes.
	remindAtOnce = 200
	// remindersKept is the retention of reminders after the start.
	remindersKept = 7 * 24 * time.Hour
)

// RemindDue runs the sweep notice.remind: it enqueues a mail for each customer with a booking that begins in as many
// minutes as its location's reminders, one mail for the whole party. It deletes its records remindersKept after the
// start. It may run in several processes at once.
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

// MailReminder runs the job booking.reminder. It sends nothing if it was sent before, and if there is no reason any
// more: the booking was cancelled or rescheduled, it has begun, it was made or rescheduled after the reminder was
// due, the location disabled the reminder, or a later reminder is due.
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
	stakes, err := order.CostBasesOf(ctx, v, []booking.Booking{n.Booking.Booking})
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

// knownBy reports whether one of the bookings had its time by then: a customer who books or reschedules after a
// reminder is due has just had a mail.
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
