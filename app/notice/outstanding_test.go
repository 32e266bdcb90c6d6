package notice_test

import (
	"testing"
	"time"

	"foyer/app/agreement"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/mail"
	"foyer/app/notice"
	"foyer/media/mediatest"
)

// TestMailsLeadToOutstandingAgreements: A160, A190: a mail about a booking by the studio, and a reminder, mention an
// outstanding agreement, also one signed for another attendee; after it is signed they do not.
func TestMailsLeadToOutstandingAgreements(t *testing.T) {
	w := apptest.Open(t)
	s := shop{Sales: w.Sales(t), w: w, told: new([]notice.Notice)}
	var last notice.Notice
	o := apptest.NoticeOptions(w.DB, s.Mail)
	write := o.Write
	o.Write = func(n notice.Notice) mail.Message {
		last = n
		return write(n)
	}
	s.Notice = notice.New(o)
	s.Sales.Notice = s.Notice
	papers := agreement.New(agreement.Options{DB: w.DB, Files: mediatest.Store(t)})
	class := s.AddOffering(t)
	book := func(name string, ahead time.Duration) booking.Booking {
		t.Helper()
		at := s.AddOccurrence(t, class, w.Clock.Now().Add(ahead))
		made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{Customer: booking.CustomerRef{Email: "ana@example.com", Name: "Ana"}, OccurrenceID: at.ID, Attendee: name})
		must(t, made, err)
		s.run(t)
		return made.Booking.Booking
	}
	told := func(what booking.NoticeKind, owed bool) {
		t.Helper()
		if last.Kind != what || last.Outstanding != owed {
			t.Errorf("%s says that something is owed: %t; want %t of %s", last.Kind, last.Outstanding, owed, what)
		}
	}
	made := book("", 120*time.Hour)
	told(booking.ToldBooked, false)
	d, err := papers.Create(t.Context(), s.Owner, agreement.CreateInput{LocationID: s.Location.ID, Name: "Waiver", EveryListing: true, Content: agreement.Content{Body: new("I take care.")}})
	must(t, d, err)
	mia := book("Mia", 48*time.Hour)
	told(booking.ToldBooked, true)
	sign := func(who *string) {
		t.Helper()
		in := agreement.MarkInput{StatusInput: agreement.StatusInput{CustomerID: made.CustomerID, LocationID: s.Location.ID}, DocumentID: d.ID, Attendee: who}
		got, err := papers.MarkSigned(t.Context(), s.Owner, in)
		must(t, got, err)
	}
	sign(new(""))
	s.remind(t, mia.StartsAt.Add(-24*time.Hour))
	told(booking.ToldReminder, true)
	sign(new("mia"))
	s.remind(t, mia.StartsAt.Add(-2*time.Hour))
	told(booking.ToldReminder, false)
	book("Mia", 72*time.Hour)
	told(booking.ToldBooked, false)
}
