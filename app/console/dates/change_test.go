package dates_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/booking"
	"foyer/app/console/consoletest"
	"foyer/app/schedule"
	"foyer/policy"
)

const field = "2006-01-02T15:04"

func TestMovingADateSaysFirstWhatItDoesAndCanBeTakenBack(t *testing.T) {
	s := consoletest.Open(t)
	o, d, mia := class(t, s)
	at := "/dates/" + d.ID.String()
	owner := s.As(t, consoletest.Owner)
	to := d.StartsAt.Add(2 * time.Hour)
	zone, _ := time.LoadLocation("America/New_York")

	page := owner.Send(owner.Get(at+"/move").Is(t, 200).Form("/move"), "startsAt", to.In(zone).Format(field))
	page.Shows(t, "Rescheduled from", "1 booking is rescheduled with it", "1 customer is notified by e-mail")
	if got := now(t, s, o); !got.StartsAt.Equal(d.StartsAt) {
		t.Fatal("asking what a move does has moved the date")
	}
	owner.Send(ask(t, page)).Shows(t, "Rescheduled Sunrise Vinyasa to", "Undo")
	if got := now(t, s, o); !got.StartsAt.Equal(to) {
		t.Fatalf("the date begins at %v, want %v", got.StartsAt, to)
	}
	if b, err := s.Booking.Get(t.Context(), s.Owner, mia.ID); err != nil || !b.StartsAt.Equal(to) {
		t.Fatalf("her booking begins at %v (%v), want %v", b.StartsAt, err, to)
	}
	later := owner.Get(at).Shows(t, "Changed Wed 10 Jun", "1 date rescheduled", "You can undo it until Thu 11 Jun")
	owner.Send(later.Form("/undo-edit")).Shows(t, "Undid the change to").Silent(t, "You can undo this within a day")
	if got := now(t, s, o); !got.StartsAt.Equal(d.StartsAt) {
		t.Errorf("after undo the date begins at %v, want %v", got.StartsAt, d.StartsAt)
	}
}

func TestMoveShowsWhyItCannotBe(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	at := "/dates/" + d.ID.String() + "/move"
	owner := s.As(t, consoletest.Owner)
	for typed, want := range map[string]string{
		apptest.Start.AddDate(0, 0, -2).Format(field): "must not be in the past",
		"soon":             "Enter a day and a time",
		"2027-03-14T02:30": "clocks go forward",
	} {
		owner.Send(owner.Get(at).Form("/move"), "startsAt", typed).Shows(t, want)
	}
	if got := now(t, s, o); !got.StartsAt.Equal(d.StartsAt) {
		t.Error("a refused move has moved the date")
	}
}

func TestEditingADateChangesItAlone(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	ines := s.AddInstructor(t, "Ines Vale")
	owner := s.As(t, consoletest.Owner)
	at := "/dates/" + d.ID.String() + "/edit"
	page := owner.Send(owner.Get(at).Form("/edit"), "capacity", "9", "onlineCapacity", "8", "memberId", ines.ID.String())
	page.Shows(t, "The time is unchanged")
	owner.Send(ask(t, page)).Shows(t, "Changed Sunrise Vinyasa")
	if got := now(t, s, o); got.Capacity != 9 || got.OnlineCapacity != 8 || got.Instructor != "Ines Vale" {
		t.Errorf("the date has %d seats, %d online, %q", got.Capacity, got.OnlineCapacity, got.Instructor)
	}
	owner.Send(owner.Get(at).Form("/edit"), "capacity", "many").Shows(t, "Enter a whole number")
}

func TestStaleMoveIsNotDone(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	owner := s.As(t, consoletest.Owner)
	to := d.StartsAt.Add(3 * time.Hour).Format(field)
	page := owner.Send(owner.Get("/dates/"+d.ID.String()+"/move").Form("/move"), "startsAt", to)
	form := ask(t, page)
	n := 5
	if _, err := s.Schedule.EditDate(t.Context(), s.Owner, schedule.EditDateInput{
		OfferingID: o.ID, OccurrenceID: d.ID, Version: now(t, s, o).Version, Capacity: &n,
	}); err != nil {
		t.Fatal(err)
	}
	owner.Send(form).Is(t, 409).Shows(t, "Another user changed this")
	if got := now(t, s, o); !got.StartsAt.Equal(d.StartsAt) || got.Capacity != 5 {
		t.Errorf("the date is at %v with %d seats", got.StartsAt, got.Capacity)
	}
}

func TestCancellingADateNamesWhatItTakesAwayAndRestoringBringsItBack(t *testing.T) {
	s := consoletest.Open(t)
	o, d, mia := class(t, s)
	at := "/dates/" + d.ID.String()
	owner := s.As(t, consoletest.Owner)
	page := owner.Send(owner.Get(at+"/cancel").Is(t, 200).Form("/cancel"), "reason", "The heating is broken")
	page.Shows(t, "The date is cancelled", "1 booking is cancelled by the studio", "1 customer is notified by e-mail")
	if now(t, s, o).State != schedule.Scheduled {
		t.Fatal("asking what cancelling does has cancelled")
	}
	owner.Send(ask(t, page)).Shows(t, "Cancelled Sunrise Vinyasa", "This date is cancelled", "The heating is broken")
	if b, err := s.Booking.Get(t.Context(), s.Owner, mia.ID); err != nil || b.State != booking.StudioCancelled {
		t.Fatalf("her booking is %s (%v)", b.State, err)
	}
	owner.Get(at+"/cancel").Shows(t, "This change is not possible")

	page = owner.Get(at+"/restore").Shows(t, "Cancelled bookings are not restored")
	owner.Send(ask(t, page)).Shows(t, "Restored")
	if now(t, s, o).State != schedule.Scheduled {
		t.Error("the date was not restored")
	}
}

func TestSubstituteIsNamedForOneDate(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	ines := s.AddInstructor(t, "Ines Vale")
	owner := s.As(t, consoletest.Owner)
	at := "/dates/" + d.ID.String() + "/substitute"
	page := owner.Send(owner.Get(at).Form("/substitute"), "memberId", ines.ID.String())
	page.Shows(t, "Ines Vale teaches this date", "2 notifications are sent")
	owner.Send(ask(t, page)).Shows(t, "Assigned Ines Vale to Sunrise Vinyasa")
	if got := now(t, s, o); got.Instructor != "Ines Vale" {
		t.Errorf("%q gives it", got.Instructor)
	}
}

// Customers are notified of every change unless the box is unticked, as the page states.
func TestNotifyingIsTheDefault(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	hall := s.AddSpace(t, "Hall")
	s.World.SQL(t, "update occurrences set space_id = $2 where id = $1", d.ID, hall.ID)
	loft := s.AddSpace(t, "Loft")
	at := "/dates/" + d.ID.String()
	owner := s.As(t, consoletest.Owner)
	room := owner.Send(owner.Get(at+"/edit").Form("/edit"), "spaceId", loft.ID.String()).Shows(t, "1 date is in Loft, instead of Hall", "1 customer is notified by e-mail")
	owner.Send(ask(t, room)).Shows(t, "Changed Sunrise Vinyasa")
	page := owner.Get(at+"/cancel").Shows(t, "Notify customers", "1 customer is notified by e-mail")
	silent := owner.Send(page.Forms("/cancel")[0], "notify", "").Shows(t, "Customers are not notified")
	if now(t, s, o).State != schedule.Scheduled {
		t.Fatal("asking has cancelled the date")
	}
	mails := func(what string) int {
		return apptest.Value[int](t, s.World, "select count(*) from river.river_job where kind = 'booking.notice' and args->>'what' = $1", what)
	}
	owner.Send(ask(t, silent)).Shows(t, "Cancelled Sunrise Vinyasa")
	if mails("room") != 1 || mails("studio_cancelled") != 0 {
		t.Errorf("%d mails about the room, %d about the end", mails("room"), mails("studio_cancelled"))
	}
}

// Added seats are sold online if all were.
func TestRaisingTheSeatsOfADate(t *testing.T) {
	s := consoletest.Open(t)
	o, d, _ := class(t, s)
	owner := s.As(t, consoletest.Owner)
	at := "/dates/" + d.ID.String() + "/edit"
	page := owner.Send(owner.Get(at).Form("/edit"), "capacity", "15").Shows(t, "1 date has 15 spots, 15 of them sold online")
	owner.Send(ask(t, page)).Shows(t, "Changed Sunrise Vinyasa")
	if got := now(t, s, o); got.Capacity != 15 || got.OnlineCapacity != 15 {
		t.Errorf("%d seats, %d online", got.Capacity, got.OnlineCapacity)
	}
	page = owner.Send(owner.Get(at).Form("/edit"), "onlineCapacity", "4").Shows(t, "15 spots, 4 of them")
	owner.Send(ask(t, page)).Shows(t, "Changed Sunrise Vinyasa")
	page = owner.Send(owner.Get(at).Form("/edit"), "onlineCapacity", "").Shows(t, "15 spots, 15 of them")
	owner.Send(ask(t, page)).Shows(t, "Changed Sunrise Vinyasa")
}

// ask returns the form that redeems a page's quote.
func ask(t *testing.T, p *consoletest.Page) *consoletest.Form {
	t.Helper()
	for _, f := range p.Forms("") {
		if f.Method == "POST" && f.Values.Get("_quote") != "" {
			return f
		}
	}
	t.Fatalf("%s promises nothing: %s", p.URL.Path, p.Text())
	return nil
}

// The notice of an undo states the number of dates, if it is more than this one; a caller without the right here does
// not see it, whatever their rights at another location.
func TestUndoOfASeriesSaysHowManyDatesItTakesBack(t *testing.T) {
	s := consoletest.Open(t)
	o := s.AddOffering(t)
	count := 5
	made, err := s.Schedule.CreateSeries(t.Context(), s.Owner, schedule.CreateSeriesInput{OfferingID: o.ID, Rule: schedule.Rule{
		Weekdays: schedule.Weekdays{time.Thursday}, Start: apptest.Day("2026-06-11"), At: apptest.WallClock("18:00"), Minutes: 60, Count: &count,
	}})
	if err != nil {
		t.Fatal(err)
	}
	at := apptest.WallClock("19:00")
	_, err = s.Schedule.EditSeries(t.Context(), s.Owner, schedule.EditSeriesInput{
		OfferingID: o.ID, SeriesID: made.ID, Version: made.Version, Scope: schedule.ScopeAll, Change: schedule.SeriesChange{At: &at},
	})
	if err != nil {
		t.Fatal(err)
	}
	date := "/dates/" + apptest.Value[uuid.UUID](t, s.World, "select id from occurrences where series_id = $1 order by starts_at limit 1", made.ID).String()
	s.As(t, consoletest.Owner).Get(date).Is(t, 200).Shows(t, "5 dates rescheduled", "You can undo it until")
	elsewhere := s.AddLocation(t, "Riverside")
	desk := s.Member(t, "desk@example.com", apptest.At(policy.Manager, elsewhere.ID), apptest.At(policy.FrontDesk, s.Location.ID))
	desk.Get(date).Is(t, 200).Shows(t, "Roster").Silent(t, "You can undo this within a day")
	s.Member(t, "here@example.com", apptest.At(policy.Manager, s.Location.ID)).Get(date).Shows(t, "5 dates rescheduled")
}
