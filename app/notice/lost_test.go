package notice_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/agenda"
	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/fault"
	"foyer/app/jobs"
	"foyer/policy"
)

// failed returns the failed mails on Today.
func (s shop) failed(t testing.TB) []agenda.FailedMail {
	t.Helper()
	now := s.w.Clock.Now()
	b, err := agenda.New(s.w.DB).Today(t.Context(), s.Owner, agenda.TodayInput{DatesInput: agenda.DatesInput{From: now.Add(-time.Hour), To: now.Add(time.Hour)}})
	if err != nil {
		t.Fatal(err)
	}
	return b.Mails
}

func (s shop) note(t testing.TB) {
	t.Helper()
	if err := s.Notice.NoteLost(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// TestALostMailIsTold: a mail not sent in time, and one rejected until its last try, is listed once with recipient
// and subject; it can be dismissed, and is deleted after a month.
func TestALostMailIsTold(t *testing.T) {
	s := open(t)
	d := s.AddOccurrence(t, s.AddOffering(t), s.w.Clock.Now().Add(72*time.Hour))
	made, err := s.Booking.Book(t.Context(), s.Owner, booking.BookInput{
		Customer: booking.CustomerRef{Email: "ana@example.com", Name: "Ana Ruiz"}, OccurrenceID: d.ID, Override: true, Reason: "by phone",
	})
	if err != nil {
		t.Fatal(err)
	}
	s.w.Clock.Advance(25 * time.Hour) // longer than such a mail is useful
	r := jobs.NewRegistry()
	s.Booking.Register(r)
	s.Notice.Register(r)
	s.Waitlist.Register(r)
	s.Orders.Register(r)
	s.Checkout.Register(r)
	s.Owed.Register(r)
	s.Billing.Register(r)
	w, err := jobs.Start(t.Context(), s.w.Worker(t), r, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); apptest.Value[int64](t, s.w, "select count(*) from river.river_job where kind = 'booking.notice' and state = 'cancelled'") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the mail was not dropped")
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := w.Stop(ctx); err != nil {
		t.Fatal(err)
	}
	s.note(t)
	s.note(t)
	list := s.failed(t)
	if len(list) != 1 || !list[0].Late || list[0].Name != "Ana Ruiz" || list[0].What != string(booking.ToldBooked) || list[0].BookingID == nil ||
		*list[0].BookingID != made.Booking.ID || list[0].LocationID == nil || *list[0].LocationID != s.Location.ID {
		t.Fatalf("Today has %+v", list)
	}

	// The tries of a mail end after seven hours of real time.
	s.w.SQL(t, `update river.river_job set state = 'discarded', metadata = metadata - 'told' where kind = 'booking.notice'`)
	s.note(t)
	if again := s.failed(t); len(again) != 1 {
		t.Errorf("a mail is told twice: %+v", again)
	}

	front := s.Holding(s.Location.ID, policy.BookingView)
	if err := s.Notice.Dismiss(t.Context(), front, list[0].ID, false); !fault.IsKind(err, fault.Forbidden) {
		t.Errorf("who may only look: %v", err)
	}
	elsewhere := s.Holding(uuid.New(), policy.BookingManage)
	if err := s.Notice.Dismiss(t.Context(), elsewhere, list[0].ID, false); !fault.IsKind(err, fault.NotFound) {
		t.Errorf("somebody of another place: %v", err)
	}
	for _, back := range []bool{false, false, true, false} {
		if err := s.Notice.Dismiss(t.Context(), s.Owner, list[0].ID, back); err != nil {
			t.Fatal(err)
		}
		if n := len(s.failed(t)); (n == 1) != back {
			t.Errorf("%d mails; put back: %v", n, back)
		}
	}
	s.w.Clock.Advance(31 * 24 * time.Hour)
	s.note(t)
	if n := apptest.Value[int64](t, s.w, "select count(*) from failed_mails"); n != 0 {
		t.Errorf("%d are kept", n)
	}
}
