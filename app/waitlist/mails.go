package waitlist

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/booking"
	"foyer/app/catalog"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// LetterJob mails a customer about their place on a waitlist.
type LetterJob struct {
	Business uuid.UUID  `json:"business"`
	Entry    uuid.UUID  `json:"entry"`
	Letter   LetterKind `json:"letter"`
}

// Kind names the job in the outbox.
func (LetterJob) Kind() string { return "booking.waitlist_letter" }

// Terms are those of the kind.
func (LetterJob) Terms() jobs.Terms { return jobs.Mail(jobs.Day) }

func enqueueLetter(ctx context.Context, tx *pg.Tx, entry uuid.UUID, letter LetterKind) error {
	return jobs.EnqueueTx(ctx, tx, LetterJob{Business: tx.Business(), Entry: entry, Letter: letter})
}

// MailLetter is the job booking.waitlist_letter. It mails nothing when the letter is outdated, or when the customer
// has no address.
func (s *Service) MailLetter(ctx context.Context, job LetterJob) error {
	v := s.db.View(job.Business)
	list, err := customerEntries(ctx, v, []uuid.UUID{job.Entry})
	if err != nil || len(list) == 0 {
		return err
	}
	w := list[0]
	if w.Recipient.Email == "" || !w.says(job.Letter, v.Now().Before(w.StartsAt)) || job.Letter == LetterOffered && !w.Open(v.Now()) {
		return nil
	}
	l := Letter{Letter: job.Letter, CustomerEntry: w, Token: s.Token(w.ID)}
	if job.Letter == LetterPromoted {
		if l.Booking, err = booking.CustomerBookingOf(ctx, v, *w.BookingID); err != nil {
			return err
		}
		stakes, err := s.Ports().CostBases(ctx, v, []booking.Booking{l.Booking.Booking})
		if err != nil {
			return err
		}
		l.CostBasis = stakes[l.Booking.ID]
	}
	return s.o.Mail.Send(ctx, s.o.WriteLetter(l))
}

// says reports whether a letter is still true of an entry; ahead reports whether the date has yet to begin.
func (w CustomerEntry) says(letter LetterKind, ahead bool) bool {
	switch letter {
	case LetterJoined:
		return w.State == Waiting && ahead
	case LetterOffered:
		return w.State == Offered && ahead
	case LetterFree:
		return w.Mode == catalog.WaitlistRace && w.Acceptable
	case LetterPromoted:
		return w.State == Promoted && w.BookingState == booking.Confirmed
	case LetterExpired:
		return (w.State == Expired || w.State == Waiting) && ahead
	case LetterCancelled:
		return w.State == Closed && w.Cancelled
	}
	return false
}
