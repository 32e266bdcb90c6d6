package today_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

func TestTodayShowsWhatIsOn(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" })
	on := s.AddOccurrence(t, class, apptest.Start.Add(-15*time.Minute))
	s.AddOccurrence(t, class, apptest.Start.Add(30*time.Minute).Add(time.Hour))
	s.AddOccurrence(t, class, apptest.Start.Add(4*time.Hour))
	s.Seat(t, on.ID, "Cleo Marin", "")
	owner := s.As(t, consoletest.Owner)
	page := owner.Get("").Is(t, 200).Shows(t, "Today", "Now", "Sunrise Vinyasa", "45 min left", "1 of 12 booked", "0 checked in", "Next", "Starts in 90 min", "Later today", "Cleo Marin")
	owner.Send(page.Form("/check-in")).Shows(t, "Checked in Cleo Marin.", "1 checked in")
}

// TestTheOpeningStandsOnToday: setup steps with their state, with the right to set up the studio, until all are done.
func TestTheOpeningStandsOnToday(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	owner.Get("").Shows(t, "Setup guide", "1 of 5 done", "First offering") // cards
	s.AddOffering(t)
	s.AddHours(t, business.Interval{Weekday: 1, Opens: 540, Closes: 1020})
	owner.Get("").Shows(t, "3 of 5 done")
	s.As(t, policy.FrontDesk).Get("").Silent(t, "Setup guide")
	s.SQL(t, "update locations set website = 'https://harbour.example.com', background = 'white'")
	owner.Get("").Silent(t, "Setup guide")
}

// TestAFailedMailNeedsSomebody: it has recipient and subject, is dismissed with one press, and restored with another.
func TestAFailedMailNeedsSomebody(t *testing.T) {
	s := consoletest.Open(t)
	date := s.AddOccurrence(t, s.AddOffering(t, func(o *apptest.OfferingRow) { o.Name = "Sunrise Vinyasa" }), apptest.Start.Add(26*time.Hour))
	s.Seat(t, date.ID, "Cleo Marin", "")
	for end := time.Now().Add(time.Minute); apptest.Value[int64](t, s.World, "select count(*) from river.river_job where kind = 'booking.notice' and state = 'completed'") == 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the mail was not sent")
		}
	}
	s.World.SQL(t, "update river.river_job set state = 'discarded' where kind = 'booking.notice'") // as after ten tries
	if err := s.Notice.NoteLost(t.Context()); err != nil {
		t.Fatal(err)
	}
	owner := s.As(t, consoletest.Owner)
	said := "Cleo Marin was not notified about the booking you made"
	page := owner.Get("").Shows(t, "Needs attention", said, "The mail server rejected it", "Sunrise Vinyasa")
	s.As(t, policy.Instructor).Get("").Silent(t, said) // of dates of their own
	page = owner.Send(page.Form("/dismiss")).Shows(t, "Dismissed.").Silent(t, said)
	owner.Send(page.Form("/restore")).Shows(t, "Restored to the list.", said)
	if page := owner.Post("/mails/"+uuid.NewString()+"/dismiss", nil); page.Status == 200 && strings.Contains(page.Body, "Taken off") {
		t.Error("a mail that nobody has was dismissed")
	}
}
