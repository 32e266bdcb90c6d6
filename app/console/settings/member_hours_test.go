package settings_test

import (
	"testing"
	"time"

	"foyer/app/apptest"
	"foyer/app/availability"
	"foyer/app/console/consoletest"
	"foyer/policy"
)

// TestHoursOfAPersonAtTheirPlaces: a week is saved at one location, and those at the others are unchanged.
func TestHoursOfAPersonAtTheirPlaces(t *testing.T) {
	s := consoletest.Open(t)
	other := s.AddLocation(t, "Riverside")
	m := s.AddMember(t, "Ana Ruiz", apptest.Daily(9*60, 12*60)...)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/team/" + m.ID.String() + "/hours"
	page := owner.Get(path+"?place="+other.ID.String()).Is(t, 200).Shows(t, "Ana Ruiz has no appointment hours at Riverside.")
	owner.Send(page.Posts("/hours"), "opens-1-0", "10:00", "closes-1-0", "09:00").Is(t, 400).Shows(t, "Close after opening")
	page = owner.Send(page.Posts("/hours"), "opens-1-0", "10:00", "closes-1-0", "14:00").Is(t, 200).Shows(t, "The hours are saved.")
	read := func() availability.MemberHours {
		h, err := s.Availability.MemberHours(t.Context(), s.Owner, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	if h := read(); len(h.Locations) != 2 || len(h.Locations[0].Intervals)+len(h.Locations[1].Intervals) != 8 {
		t.Fatalf("%+v", h)
	}
	owner.Send(last(t, page, "/hours")).Is(t, 200)
	if h := read(); len(h.Locations) != 1 || len(h.Locations[0].Intervals) != 7 {
		t.Fatalf("after undo: %+v", h)
	}
	owner.Get(path+"?place=01900000-0000-7000-8000-000000000000").Is(t, 404)
}

// TestOwnHours: an instructor edits only their own hours and time off.
func TestOwnHours(t *testing.T) {
	s := consoletest.Open(t)
	ana := s.AddMember(t, "Ana Ruiz")
	c := s.Member(t, "ben@team.example.com", apptest.Everywhere(policy.Instructor))
	me := memberOf(t, s, "ben@team.example.com")
	mine, theirs := "/settings/team/"+me.ID.String(), "/settings/team/"+ana.ID.String()
	if got := c.Get("/settings").Is(t, 200).Link(mine + "/hours"); got == "" {
		t.Error("the settings do not lead to one's own hours")
	}
	c.Send(c.Get(mine+"/hours").Posts("/hours"), "opens-2-0", "10:00", "closes-2-0", "14:00").Is(t, 200).Shows(t, "The hours are saved.")
	if page := c.Get(theirs+"/hours").Is(t, 200); len(page.Forms(theirs+"/hours")) > 0 {
		t.Error("somebody else's hours are shown as a form")
	}
	form := c.Get(mine + "/hours").Posts("/hours")
	form.Action = "/manage/" + s.Studio.Business.Slug + theirs + "/hours"
	c.Send(form).Is(t, 403)
	c.Get(theirs+"/away/new").Is(t, 403)
	c.Get(mine+"/away/new").Is(t, 200)
	if c.Get(theirs+"/away").Is(t, 200).Has("/away/new") {
		t.Error("time off of somebody else is offered")
	}
}

func TestTimeOffSaysFirstWhomItHits(t *testing.T) {
	s := consoletest.Open(t)
	f := s.Fill(t)
	owner := s.As(t, consoletest.Owner)
	path := "/settings/team/" + f.Member.ID.String() + "/away"
	owner.Get(path).Is(t, 200).Shows(t, "No upcoming time off")
	zone, _ := time.LoadLocation("America/New_York")
	at := func(d time.Duration) string { return s.Clock.Now().Add(d).In(zone).Format("2006-01-02T15:04") }
	page := owner.Send(owner.Get(path+"/new").Form("/away/new"), "startsAt", at(48*time.Hour), "endsAt", at(47*time.Hour)).Is(t, 200)
	page.Shows(t, "The end must be after the beginning.")
	page = owner.Send(owner.Get(path+"/new").Form("/away/new"), "startsAt", at(time.Hour), "endsAt", at(48*time.Hour), "note", "Holiday").Is(t, 200)
	page.Shows(t, "Cleo Marin", "Add time off for Ana Ruiz")
	owner.Get(path).Shows(t, "No upcoming time off")
	page = owner.Send(page.Posts("/away/new")).Is(t, 200).Shows(t, "Added time off for Ana Ruiz.", "Holiday")
	viewer := s.As(t, policy.Viewer)
	viewer.Get(path).Is(t, 200).Silent(t, "Holiday")
	owner.Send(page.Form("/remove")).Is(t, 200).Shows(t, "Removed time off for Ana Ruiz.", "No upcoming time off")
}
