package booking

import (
	"context"

	"github.com/google/uuid"

	"foyer/app/catalog"
	"foyer/app/jobs"
	"foyer/app/pg"
)

// WaitLetterKind is what a mail about a waitlist says.
type WaitLetterKind string

// The letters.
const (
	LetterJoined    WaitLetterKind = "joined"
	LetterOffered   WaitLetterKind = "offered"  // a place is kept until a deadline
	LetterFree      WaitLetterKind = "free"     // there is room, and the first to accept wins
	LetterPromoted  WaitLetterKind = "promoted" // booked from the list
	LetterExpired   WaitLetterKind = "expired"  // nobody answered in time
	LetterCancelled WaitLetterKind = "cancelled"
)

// WaitLetterJob mails a customer about their place on a waitlist.
type WaitLetterJob struct {
	Business uuid.UUID      `json:"business"`
	Entry    uuid.UUID      `json:"entry"`
	Letter   WaitLetterKind `json:"letter"`
}

// Kind names the job in the outbox.
func (WaitLetterJob) Kind() string { return "booking.waitlist_letter" }

// WaitLetter is what a mail about a waitlist is written from.
type WaitLetter struct {
	Letter WaitLetterKind
	Wait
	Token string // of the link that accepts, declines and leaves
}

func mailWaitlist(ctx context.Context, tx *pg.Tx, entry uuid.UUID, letter WaitLetterKind) error {
	return jobs.EnqueueTx(ctx, tx, WaitLetterJob{Business: tx.Business(), Entry: entry, Letter: letter})
}

// MailWaitlist is the job booking.waitlist_letter. It mails nothing when what the letter says no longer holds, or when the
// customer has no address.
func (s *Service) MailWaitlist(ctx context.Context, job WaitLetterJob) error {
	v := s.db.View(job.Business)
	list, err := waits(ctx, v, []uuid.UUID{job.Entry})
	if err != nil || len(list) == 0 {
		return err
	}
	w := list[0]
	if w.Recipient.Email == "" || !w.says(job.Letter, v.Now().Before(w.StartsAt)) || job.Letter == LetterOffered && !w.Open(v.Now()) {
		return nil
	}
	return s.o.Mail.Send(ctx, s.o.WaitlistMail(WaitLetter{Letter: job.Letter, Wait: w, Token: s.WaitlistToken(w.ID)}))
}

// says tells whether a letter still says the truth about an entry; ahead tells whether the date has yet to begin.
func (w Wait) says(letter WaitLetterKind, ahead bool) bool {
	switch letter {
	case LetterJoined:
		return w.State == Waiting && ahead
	case LetterOffered:
		return w.State == Offered && ahead
	case LetterFree:
		return w.Mode == catalog.WaitlistRace && w.Acceptable
	case LetterPromoted:
		return w.State == Promoted && w.BookingState == Confirmed
	case LetterExpired:
		return (w.State == OfferExpired || w.State == Waiting) && ahead
	case LetterCancelled:
		return w.State == ListClosed && w.Cancelled
	}
	return false
}
