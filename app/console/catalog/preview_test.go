package catalog_test

import (
	"strings"
	"testing"
	"time"

	"foyer/app/console/consoletest"
)

// Beside the form is the booking page: as it is, and with the typed values.
func TestTheBookingPageStandsBesideTheForm(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	s.AddOccurrence(t, class, s.Clock.Now().Add(24*time.Hour))
	owner := s.As(t, consoletest.Owner)
	path := "/catalog/" + class.ID.String()
	page := owner.Get(path).Is(t, 200)
	if !strings.Contains(page.Body, `<iframe class="picture" src="/manage/`) || !strings.Contains(page.Body, "<noscript>") {
		t.Error("there is no picture of the page, or no way to it without script")
	}
	owner.Get(path+"/page").Is(t, 200).Shows(t, "Morning Yoga", "$22", "Next times")
	owner.Get(path+"/page?name=Dawn+Flow&price=9.50&durationMinutes=45&capacity=3&description=Slow").Is(t, 200).Shows(t, "Dawn Flow", "$9.50", "45 min", "Slow").Silent(t, "Morning Yoga")

	typed := owner.Send(page.Form(path), "name", "Noon Flow", "then", "preview").Is(t, 200).Shows(t, "Noon Flow")
	if form := typed.Form(path); form.Values.Get("name") != "Noon Flow" || !strings.Contains(typed.Body, "name=Noon&#43;Flow") && !strings.Contains(typed.Body, "name=Noon+Flow") {
		t.Errorf("the form came back with %q", form.Values.Get("name"))
	}
	if o, err := s.Catalog.Get(t.Context(), s.Owner, class.ID); err != nil || o.Name != "Morning Yoga" {
		t.Errorf("looking at it has saved %q %v", o.Name, err)
	}
	massage := s.AddAppointment(t, nil)
	owner.Get("/catalog/"+massage.ID.String()+"/page").Is(t, 200).Shows(t, massage.Name)
}

// A pasted text that is too long is an error at its field, and is not lost.
func TestALongTextIsKept(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	path := "/catalog/" + class.ID.String()
	owner := s.As(t, consoletest.Owner)
	long := strings.Repeat("0123456789", 10_240)
	back := owner.Send(owner.Get(path).Form(path), "description", long).Is(t, 400)
	if got := back.Form(path).Values.Get("description"); got != long {
		t.Errorf("of %d letters %d came back", len(long), len(got))
	}
	if !strings.Contains(back.Body, `id="f-description-wrong"`) {
		t.Error("the field does not say what is wrong")
	}
}

// A skipped time is an error at its field; of a repeated one the page states which it is.
func TestTimesOfTheDaysWhenTheClocksChange(t *testing.T) {
	s := consoletest.Open(t)
	massage := s.AddAppointment(t, nil)
	owner := s.As(t, consoletest.Owner)
	ask := "/catalog/explain?offering=" + massage.ID.String()
	back := owner.Get(ask+"&day=2027-03-14&time=02:30").Is(t, 400).Shows(t, "The clocks go forward that day, and this time is skipped.")
	if form := back.Form("/explain"); form.Values.Get("time") != "02:30" || form.Values.Get("day") != "2027-03-14" {
		t.Errorf("it came back with %v", form.Values)
	}
	owner.Get(ask+"&day=2026-11-01&time=01:30").Is(t, 200).Shows(t, "The clocks go back that day, so this time occurs twice")
	owner.Get(ask+"&day=2026-11-01&time=03:30").Is(t, 200).Silent(t, "The clocks go back that day, so this time occurs twice")
}

// One date of a series is changed on its own page, linked from the editor.
func TestTheEditorOfASeriesLeadsToOneDate(t *testing.T) {
	s := consoletest.Open(t)
	class := s.AddOffering(t)
	owner := s.As(t, consoletest.Owner)
	path := "/catalog/" + class.ID.String() + "/series"
	owner.Send(owner.Get(path+"/new").Form("/new"), "weekdays", "1", "time", "09:00", "start", s.Clock.Now().Format(time.DateOnly)).Is(t, 200)
	page := owner.Get(path+"/"+seriesOf(t, s, class)[0].ID.String()).Is(t, 200).Shows(t, "Edit a single date", "All upcoming", "From a date")
	if !strings.Contains(page.Body, "/dates/") {
		t.Error("no date to go to")
	}
}
