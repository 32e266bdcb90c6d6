package dates_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"foyer/app/apptest"
	"foyer/app/business"
	"foyer/app/console/consoletest"
	"foyer/app/console/ui"
	"foyer/policy"
)

// door returns a studio that is open all week, with a sauna for walk-ins.
func door(t *testing.T) *consoletest.Studio {
	t.Helper()
	s := consoletest.Open(t)
	room := s.AddSpace(t, "Steam room", func(in *business.SpaceInput) { in.Capacity = 4 })
	var week []business.Interval
	for day := range time.Saturday + 1 {
		week = append(week, business.Interval{Weekday: day, Opens: 0, Closes: 24 * 60})
	}
	s.AddHours(t, week...)
	s.AddRental(t, []uuid.UUID{room.ID}, func(r *apptest.ServiceRow) { r.Name, r.SoldAs, r.Walkins, r.Grid = "Sauna", "person", true, 0 })
	return s
}

func TestWalkinsComeInAndGo(t *testing.T) {
	s := door(t)
	desk := s.As(t, policy.FrontDesk)
	page := desk.Get("/walkins").Is(t, 200).Shows(t, "4 spots open now", "Steam room", "No walk-ins at the moment")
	page = desk.Send(page.Form("/walkins"), "party", "2", "customer.name", "Noor").
		Shows(t, "Checked in Noor to Steam room", "$60.00 is due at the desk", "2 spots open now", "2 people")
	desk.Send(page.Form("/walkins"), "party", "3").Is(t, 409).Shows(t, "There are not enough seats available")
	desk.Send(page.Form("/walkins"), "party", "three").Is(t, 400).Shows(t, "Enter a whole number")
	desk.Send(page.Form("/check-out")).Shows(t, "Checked out Noor", "4 spots open now", "No walk-ins at the moment")
}

// TestSheetClosesOverTheWalkins: a form in the side sheet redirects to the page below as a page, even though that
// page can be shown in the sheet. The page shows the notice once.
func TestSheetClosesOverTheWalkins(t *testing.T) {
	s := door(t)
	desk := s.As(t, policy.FrontDesk)
	page := desk.Get("/walkins")
	desk.Send(page.Form("/walkins"), "customer.name", "Noor")
	take := "/bookings/" + apptest.Value[uuid.UUID](t, s.World, "select id from bookings").String() + "/take"
	form := desk.Sheet(take).Is(t, 200).Shows(t, "Take $30.00 in cash").Posts(take)
	form.Values.Set(ui.FieldSheet, "1")
	form.Values.Set(ui.FieldBack, page.URL.RequestURI())
	answer := desk.Post(form.Action, form.Values, "Turbo-Frame", ui.SheetFrame).Is(t, 200).Silent(t, "Walk-ins")
	if !strings.Contains(answer.Body, `<meta name="turbo-visit-control" content="reload"`) {
		t.Fatalf("the sheet stays: %s", answer.Body)
	}
	if answer.URL.RequestURI() != page.URL.RequestURI() {
		t.Errorf("it leads to %s", answer.URL)
	}
	desk.Get("/walkins").Shows(t, "Noor has paid $30.00.", "Paid $30.00")
	if again := desk.Sheet("/walkins").Is(t, 200); strings.Contains(again.Body, "turbo-visit-control") {
		t.Error("what was said once closes a second sheet")
	}
}

func TestWalkInsAreSwitched(t *testing.T) {
	s := door(t)
	desk := s.As(t, policy.FrontDesk)
	page := desk.Send(desk.Get("/walkins").Form("/walkins/switch")).Shows(t, "Paused until", "0 spots open now")
	page = desk.Send(page.Form("/walkins/switch")).Shows(t, "Walk-ins resumed", "4 spots open now")
	stale := page.Form("/walkins/switch")
	desk.Send(page.Form("/walkins/switch"), "what", "off").Shows(t, "Walk-ins are off")
	desk.Send(stale, "what", "on").Shows(t, "Another user changed this")
	desk.Send(desk.Get("/walkins").Form("/walkins/switch")).Shows(t, "Walk-ins are on", "4 spots open now")

	viewer := s.As(t, policy.Viewer).Get("/walkins").Is(t, 200)
	if viewer.Has("/walkins/switch") {
		t.Error("a viewer is shown the switch of the door")
	}
}
