package settings_test

import (
	"testing"

	"foyer/app/console/consoletest"
	"foyer/policy"
)

func TestSettingsOpen(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	l := s.Studio.Location
	place := "/settings/places/" + l.ID.String()
	for path, says := range map[string]string{
		"/settings": "Account for card payments", "/settings/business": "2% fee paid by", "/settings/business/close": "No upcoming bookings", "/settings/places": l.Name,
		"/settings/places/new": "Add location", place: "Address and time zone", place + "/hours": "Times are in", place + "/closures": "No upcoming closures",
		place + "/closures/new": "Continue", place + "/rooms": "room", place + "/rooms/new": "Add room", place + "/archive": "Summary",
		"/settings/taxes": "", "/settings/taxes/new": "Add rate", "/settings/revenue-categories": "No revenue categories",
		"/settings/revenue-categories/new": "Add category", "/settings/payments": "Accepting cards",
	} {
		page := owner.Get(path)
		if page.Status != 200 {
			t.Errorf("%s answers %d: %s", path, page.Status, page.Text())
		} else if says != "Summary" {
			page.Shows(t, says)
		}
	}
	viewer := s.As(t, policy.Viewer)
	if viewer.Get("/settings/business").Has("/settings/business") {
		t.Error("a viewer is shown the form of the business")
	}
	viewer.Get("/settings/business/close").Is(t, 403)
	viewer.Get("/settings/payments").Is(t, 403)
	owner.Get("/settings/places/01900000-0000-7000-8000-000000000000").Is(t, 404)
}

func TestHoursAreTypedByDay(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/places/" + s.Studio.Location.ID.String() + "/hours"
	alike := owner.Get(path).Form("/hours")
	owner.Send(alike, "opens", "", "weekdays", "1").Is(t, 400).Shows(t, "Enter an opening time, such as 9:00.")
	f := owner.Get(path).Forms("/hours")[1]
	owner.Send(f, "opens-1-0", "09:00", "closes-1-0", "08:00").Is(t, 400).Shows(t, "Close after opening")
	owner.Send(owner.Get(path).Forms("/hours")[1], "opens-1-0", "09:00", "closes-1-0", "12:00").Is(t, 200).Shows(t, "The hours are saved.")
	h, err := s.Services.Business.Hours(t.Context(), s.Owner, s.Studio.Location.ID)
	if err != nil || len(h.Intervals) == 0 {
		t.Fatalf("%+v %v", h, err)
	}
}

func TestClosureSaysFirstWhomItHits(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/places/" + s.Studio.Location.ID.String() + "/closures"
	owner.Get(path+"/new?name=Christmas&startsOn=2027-12-26&endsOn=2027-12-24").Is(t, 200).Shows(t, "The last day must not be before the first.")
	owner.Get(path+"/new?name=Christmas&startsOn=2027-12-24&endsOn=2027-12-26").Is(t, 200).Shows(t, "Nothing is scheduled at that time", "Add Christmas")
	owner.Get(path).Shows(t, "No upcoming closures")
}

func TestPauseIsTakenBack(t *testing.T) {
	s := consoletest.Open(t)
	owner := s.As(t, consoletest.Owner)
	page := owner.Send(owner.Get("/settings/business").Form("/pause")).Is(t, 200).Shows(t, "Customers cannot book until you resume.", "Bookings are paused")
	owner.Send(page.Form("/resume")).Is(t, 200).Shows(t, "Customers can book again.")
}
